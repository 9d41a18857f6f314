import type { Node } from "./Node.ts"

/** Nodes whose head is this many blocks behind the highest one are asked last. */
const toleratedLag = 3

/** A predicate for the nodes whose head is behind that of another one. */
const makeIsLate = (nodes: ReadonlyArray<Node>) => {
  const best = Math.max(...nodes.map(({ head }) => head ?? 0))
  return ({ head }: Node): boolean => head !== undefined && best - head > toleratedLag
}

/** Nodes that failed lately, and nodes whose head is behind, are asked last: first the one that is avoided no longer soonest. */
export const sortNodes = (
  nodes: ReadonlyArray<Node>,
  preferred: Node | undefined,
  now: number
): ReadonlyArray<Node> => {
  const isLate = makeIsLate(nodes)
  const rank = (node: Node): number =>
    (node.avoidedUntil > now ? 4 : node === preferred ? 0 : 1) + (isLate(node) ? 2 : 0)
  return nodes.toSorted((a, b) => rank(a) - rank(b) || a.avoidedUntil - b.avoidedUntil)
}

/** The lowest of the blocks that nodes call finalized, without those of late nodes. Undefined if no node states one. */
export const findFinalized = (nodes: ReadonlyArray<Node>): number | undefined => {
  const isLate = makeIsLate(nodes)
  const stated = nodes.flatMap((node) => (isLate(node) ? [] : (node.finalized ?? [])))
  return stated.length === 0 ? undefined : Math.min(...stated)
}

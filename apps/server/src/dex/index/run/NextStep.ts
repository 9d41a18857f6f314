import type { IndexConfig } from "../IndexConfig.ts"

/** The next action of an index. */
export type NextStep<Wrong> =
  /** Replaces blocks that the chain no longer has. `last` is the last indexed one. */
  | { readonly kind: "followReorg"; readonly last: number }
  /** Reads a block again whose proof failed. */
  | { readonly kind: "repair"; readonly wrong: Wrong }
  /** There is no block to index yet. */
  | { readonly kind: "wait" }
  /** Indexes the next blocks: the first ones, or a range with more blocks than a reorg can replace. */
  | { readonly kind: "advance"; readonly isFirst: boolean; readonly isHistory: boolean }

export interface IndexPosition<Wrong> {
  /** The last indexed block; undefined before the first. */
  readonly last: number | undefined
  /** The newest block of the chain. */
  readonly head: number
  /** Whether the chain differs from the indexed one. */
  readonly isReorg: boolean
  /** The block whose proof failed. */
  readonly wrong: Wrong | undefined
}

/** Chooses the next step: a reorg before a repair, since it may replace the wrong block, and both before new blocks. */
export const chooseStep = <Wrong>(
  { finality, startBlock }: Pick<IndexConfig, "finality" | "startBlock">,
  { head, isReorg, last, wrong }: IndexPosition<Wrong>
): NextStep<Wrong> => {
  if (isReorg && last !== undefined) return { kind: "followReorg", last }
  if (wrong !== undefined) return { kind: "repair", wrong }
  const reached = last ?? startBlock - 1
  if (head <= reached) return { kind: "wait" }
  return { kind: "advance", isFirst: last === undefined, isHistory: head - reached > finality }
}

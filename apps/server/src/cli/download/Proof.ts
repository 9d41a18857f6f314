import { Schema } from "effect"
import { toIso } from "../terminal/TimeArgument.ts"

const Span = Schema.Struct({ from: Schema.Int, to: Schema.Int })

/** Unix milliseconds, both inclusive. */
export type Span = typeof Span.Type

/** The block as of which rows are. */
export const Block = Schema.Struct({ number: Schema.Int, hash: Schema.String, isFinal: Schema.Boolean })

export type Block = typeof Block.Type

/** The proof of everything read so far. */
export const Proof = Schema.Struct({
  state: Schema.Literals(["complete", "incomplete", "unverifiable"]),
  /** Where something is missing, according to the responses. */
  gaps: Schema.Array(Span),
  /** Times at which two consecutive pages share no trade. */
  breaks: Schema.Array(Schema.Int),
  /** The block of every page; null for an exchange. */
  block: Schema.NullOr(Block)
})

export type Proof = typeof Proof.Type

export const proven: Proof = { state: "complete", gaps: [], breaks: [], block: null }

const shown = 5

const withSpan = (spans: ReadonlyArray<Span>, { from, to }: Span): ReadonlyArray<Span> => {
  const last = spans.at(-1)
  return last !== undefined && from <= last.to + 1
    ? [...spans.slice(0, -1), { from: last.from, to: Math.max(last.to, to) }]
    : [...spans, { from, to }]
}

const order = ["complete", "unverifiable", "incomplete"] as const

/** The proof of two consecutive runs of pages: the weaker of the two. */
const toWeaker = (one: Proof["state"], other: Proof["state"]): Proof["state"] =>
  order.indexOf(one) > order.indexOf(other) ? one : other

/**
 * `span` is the range that the page covers. A page that does not touch the previous one proves nothing about the range
 * between them.
 */
export const withPage = (
  proof: Proof,
  page: {
    readonly state: Proof["state"]
    readonly span: Span
    readonly gaps?: ReadonlyArray<Span>
    readonly touches: boolean
    readonly block?: Block | null
  }
): Proof => {
  const { block = null, gaps = [], span, state, touches } = page
  const missing = gaps.length > 0 ? gaps : [span]
  return {
    state: toWeaker(toWeaker(proof.state, state), touches ? "complete" : "unverifiable"),
    gaps: state === "incomplete" ? missing.reduce(withSpan, proof.gaps) : proof.gaps,
    breaks: touches ? proof.breaks : [...proof.breaks, span.from],
    block
  }
}

const listed = (texts: ReadonlyArray<string>): string =>
  texts.length > shown
    ? `${texts.slice(0, shown).join(", ")} and ${texts.length - shown} more`
    : texts.join(texts.length === 2 ? " and " : ", ")

const judgeState = ({ block, breaks, gaps, state }: Proof): string => {
  const spans = listed(gaps.map(({ from, to }) => `${toIso(from)} to ${toIso(to)}`))
  if (state === "complete") return "proven complete"
  if (state === "incomplete") return `incomplete, nothing proves that no row is missing in ${spans}`
  if (breaks.length > 0) return `unverifiable, pages have no trade in common at ${listed(breaks.map(toIso))}`
  return block === null
    ? "unverifiable, the exchange gives no means to tell whether trades are missing"
    : "unverifiable, the service has not proven its blocks"
}

/** The verdict as the end of a sentence. */
export const judge = (proof: Proof): string => {
  const { block } = proof
  if (block === null) return judgeState(proof)
  return `${judgeState(proof)}, as of block ${block.number} (${block.hash})${block.isFinal ? "" : ", which is not final yet"}`
}

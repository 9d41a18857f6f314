import type { Claim, Values } from "../../proof/Claim.ts"
import { toClaim } from "../../proof/Claim.ts"
import type { ShownRequest } from "../../service/ShownRequests.ts"
import type { Moment } from "../moment/Deployment.ts"
import type { Change, Totals } from "./Change.ts"
import { toChange } from "./Change.ts"
import type { ReadState, Span, SpanStates } from "./Span.ts"
import { readSpanStates, spans } from "./Span.ts"

/** A figure of a span. */
export interface SpanFigure {
  readonly title: string
  readonly field: keyof Change
  /** The total that it is computed from. */
  readonly of: keyof Totals
  readonly shape: "dollars" | "change" | "share" | "shareChange"
}

/** The pool or the token whose figures are compared. */
export interface SpanSource<A, E> {
  readonly subject: string
  readonly toRequest: (block: number | undefined) => ShownRequest
  readonly read: ReadState<A, E>
  readonly toTotals: (value: A) => Totals
}

/** How the totals changed over a span; undefined where the history is shorter. */
export const toSpanChange = <A>(
  { end, starts }: SpanStates<A>,
  span: Span,
  toTotals: (value: A) => Totals
): Change | undefined => {
  const start = starts[spans.indexOf(span)]
  return start === undefined ? undefined : toChange(toTotals(start.value), toTotals(end.value), span.days)
}

const absent = "not known"

const totalNames = {
  volumeUSD: "Volume, all time, USD",
  feesUSD: "Fees, all time, USD",
  totalValueLockedUSD: "TVL, USD"
} as const satisfies Record<keyof Totals, string>

/** The figure, and the totals that it is computed from. */
const toValues = <A>(
  states: SpanStates<A>,
  span: Span,
  { field, of, title }: SpanFigure,
  toTotals: (value: A) => Totals
): Values => {
  const start = states.starts[spans.indexOf(span)]
  return [
    [title, toSpanChange(states, span, toTotals)?.[field] ?? absent],
    ...(start === undefined
      ? []
      : [[`${totalNames[of]}, at block ${start.block}`, toTotals(start.value)[of] ?? absent] as const]),
    [`${totalNames[of]}, at block ${states.end.block}`, toTotals(states.end.value)[of] ?? absent],
    ...(field === "apr"
      ? [[`TVL, USD, at block ${states.end.block}`, toTotals(states.end.value).totalValueLockedUSD ?? absent] as const]
      : [])
  ]
}

/** A figure of a span. The request is that of its end; the state at its beginning is read as well. */
export const toSpanClaim = <A, E>(
  moment: Moment,
  source: SpanSource<A, E>,
  states: SpanStates<A>,
  span: Span,
  figure: SpanFigure
): Claim => {
  const block = Number(states.end.block)
  return toClaim({
    title: `${figure.title}, ${span.name}`,
    subject: source.subject,
    values: toValues(states, span, figure, source.toTotals),
    request: source.toRequest(block),
    read: readSpanStates({ ...moment, block }, source.read),
    find: (found) => (found === undefined ? undefined : toValues(found, span, figure, source.toTotals)),
    blockchain: moment.deployment.blockchain
  })
}

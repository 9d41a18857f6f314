import type { Decimal } from "@chaintape/core"
import type { ReactNode } from "react"
import { groupDigits } from "../../format/Count.ts"
import { Card } from "../../parts/Card.tsx"
import { Figure } from "../../parts/Figure.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { Proven } from "../../proof/Proven.tsx"
import { blockHref } from "../../route/Route.ts"
import { useThrottled } from "../../service/useThrottled.ts"
import type { Moment } from "../moment/Deployment.ts"
import { useAt } from "../moment/useAt.ts"
import type { SpanStates } from "./Span.ts"
import { readSpanStates, spans } from "./Span.ts"
import type { SpanFigure, SpanSource } from "./SpanClaims.ts"
import { toSpanChange, toSpanClaim } from "./SpanClaims.ts"
import "./span-card.css"

/** After events, the spans are compared again at most this often (milliseconds). */
const readEvery = 60_000

const share = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 2 })
const change = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 2, signDisplay: "exceptZero" })

const notKnown = <span className="quiet">not known</span>

const toText = (value: Decimal.Decimal, shape: SpanFigure["shape"]): ReactNode => {
  if (shape === "dollars") return <Figure value={value} as="dollars" />
  if (shape === "change") return <Figure value={value} as="dollarChange" />
  return (
    <span className="num" title={value}>
      {(shape === "share" ? share : change).format(Number(value))}
    </span>
  )
}

interface Shown<A, E> {
  readonly moment: Moment
  readonly source: SpanSource<A, E>
  readonly figures: ReadonlyArray<SpanFigure>
}

const Spans = <A, E>({
  states,
  figures,
  moment,
  source
}: Shown<A, E> & { readonly states: SpanStates<A> | undefined }) => {
  const { blockchain } = moment.deployment
  const columns = spans.map((span, index) => ({
    span,
    start: states?.starts[index],
    change: states === undefined ? undefined : toSpanChange(states, span, source.toTotals)
  }))
  return (
    <table className="spans">
      <thead>
        <tr>
          <th scope="col">
            <span className="hidden">Figure</span>
          </th>
          {spans.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {figures.map((figure) => (
          <tr key={figure.title}>
            <th scope="row">{figure.title}</th>
            {columns.map(({ change: changed, span }) => {
              const value = changed?.[figure.field]
              return (
                <td key={span.name} data-span={`${figure.field} ${span.name}`}>
                  {states === undefined || value === undefined ? (
                    notKnown
                  ) : (
                    <Proven
                      of={`${figure.title}, ${span.name}`}
                      claim={() => toSpanClaim(moment, source, states, span, figure)}
                    >
                      {toText(value, figure.shape)}
                    </Proven>
                  )}
                </td>
              )
            })}
          </tr>
        ))}
        <tr>
          <th scope="row">Since block</th>
          {columns.map(({ span, start }) => (
            <td key={span.name} className="num" data-span={`block ${span.name}`}>
              {start === undefined ? (
                notKnown
              ) : (
                <a href={blockHref(blockchain, start.block)}>{groupDigits(start.block)}</a>
              )}
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  )
}

/** The changes over the last day and week, from the totals as of the blocks of these times. */
export const SpanCard = <A, E>({
  children,
  figures,
  moment,
  name,
  source
}: Shown<A, E> & {
  /** Identifies the read. */
  readonly name: string
  /** How the figures are computed. */
  readonly children: ReactNode
}) => {
  const version = useThrottled(moment.version, readEvery)
  const live = useAt({ ...moment, version }, `spans ${name}`, () => readSpanStates(moment, source.read))
  const isShort = live.value !== undefined && (live.value.value?.starts.includes(undefined) ?? true)
  return (
    <Card className="span-card" title="Last 24 h and 7 d">
      <Loaded live={live} waiting="The state of 24 h and 7 d ago is being read.">
        {(answer) => (
          <>
            <Spans states={answer.value} figures={figures} moment={answer.moment} source={source} />
            <p className="quiet note">
              {children}
              {isShort ? " Not known: this service has no state of it that long ago." : ""}
            </p>
          </>
        )}
      </Loaded>
    </Card>
  )
}

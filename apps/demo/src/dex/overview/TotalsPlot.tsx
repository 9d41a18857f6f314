import { useState } from "react"
import { groupDigits } from "../../parts/Count.ts"
import { Figure } from "../../parts/Figure.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { usePolling } from "../../service/usePolling.ts"
import type { Deployment } from "../moment/Deployment.ts"
import { maxSamples, readTotals } from "./TotalsHistory.ts"
import type { TotalsHistory } from "./TotalsHistory.ts"
import "./totals-plot.css"

const width = 1000
const height = 100

type Points = TotalsHistory["points"]

const getTop = (points: Points) => Math.max(...points.map(({ usd }) => usd), 1)

const getPath = (points: Points, toX: (block: number) => number, top: number) =>
  points
    .map(({ block, usd }, index) => {
      const [x, y] = [toX(block), height - (usd / top) * height]
      return `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join(" ")

const Plot = ({
  block,
  head,
  history: { first, points }
}: {
  readonly history: TotalsHistory
  readonly head: number
  readonly block: number | undefined
}) => {
  const top = getTop(points)
  const toX = (at: number) => ((at - first) / (head - first)) * width
  return (
    <figure className="plot">
      <figcaption>TVL by block</figcaption>
      <div className="heights">
        <Figure value={top} as="dollars" />
        <Figure value={0} as="dollars" />
      </div>
      <svg
        className="spark"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`TVL from block ${groupDigits(first)} to ${groupDigits(head)}`}
      >
        <line x1={0} x2={width} y1={height} y2={height} className="axis" />
        <path d={getPath(points, toX, top)} />
        {block === undefined || block < first ? null : (
          <line x1={toX(block)} x2={toX(block)} y1={0} y2={height} className="mark" />
        )}
      </svg>
      <div className="blocks num">
        <span>block {groupDigits(first)}</span>
        <span>block {groupDigits(head)}</span>
      </div>
    </figure>
  )
}

const History = ({
  block,
  head,
  deployment
}: {
  readonly deployment: Deployment
  readonly head: number
  readonly block: number | undefined
}) => {
  const live = usePolling(
    `history ${deployment.exchange}/${deployment.blockchain} ${head}`,
    readTotals(deployment, head),
    undefined
  )
  return (
    <Loaded live={live} waiting="The history of the TVL is being read.">
      {(history) => (history.points.length < 2 ? null : <Plot history={history} head={head} block={block} />)}
    </Loaded>
  )
}

/** The plot is read again when the chain has grown by so many blocks, and by as much as lies between two samples. */
const toPause = (drawn: number) => Math.max(60, drawn / maxSamples)

/** The value locked since the first pool. It is updated when the chain has grown by some blocks. */
export const TotalsPlot = ({
  block,
  head,
  deployment
}: {
  readonly deployment: Deployment
  readonly head: number | undefined
  readonly block: number | undefined
}) => {
  const [drawn, setDrawn] = useState<number>()
  if (head !== undefined && (drawn === undefined || head - drawn >= toPause(drawn) || head < drawn)) setDrawn(head)
  return drawn === undefined ? null : <History deployment={deployment} head={drawn} block={block} />
}

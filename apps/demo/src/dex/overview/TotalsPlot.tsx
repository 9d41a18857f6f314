import { useState } from "react"
import { groupDigits } from "../../format/Count.ts"
import { Figure } from "../../parts/Figure.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { usePolling } from "../../service/usePolling.ts"
import type { Deployment } from "../moment/Deployment.ts"
import { maxIntervals, readTotals } from "./TotalsHistory.ts"
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

/** Blocks. */
const leastGrowth = 60

/** The plot is read again when the chain has grown by so many blocks, and by as much as lies between two samples. */
const toPause = ({ first, points }: TotalsHistory, drawn: number) =>
  points.length < 2 ? leastGrowth : Math.max(leastGrowth, (drawn - first) / maxIntervals)

const History = ({
  block,
  head,
  deployment
}: {
  readonly deployment: Deployment
  readonly head: number
  readonly block: number | undefined
}) => {
  const [drawn, setDrawn] = useState(head)
  const live = usePolling(
    `history ${deployment.exchange}/${deployment.blockchain} ${drawn}`,
    readTotals(deployment, drawn),
    undefined
  )
  const pause = live.value === undefined ? leastGrowth : toPause(live.value, drawn)
  if (head - drawn >= pause || head < drawn) setDrawn(head)
  return (
    <Loaded live={live} waiting="The history of the TVL is being read.">
      {(history) => (history.points.length < 2 ? null : <Plot history={history} head={drawn} block={block} />)}
    </Loaded>
  )
}

/** The value locked since the first pool. It is updated when the chain has grown by some blocks. */
export const TotalsPlot = ({
  block,
  head,
  deployment
}: {
  readonly deployment: Deployment
  readonly head: number | undefined
  readonly block: number | undefined
}) =>
  head === undefined ? null : (
    <History
      key={`${deployment.exchange}/${deployment.blockchain}`}
      deployment={deployment}
      head={head}
      block={block}
    />
  )

import { Dex } from "@chaintape/dex"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { useState } from "react"
import { groupDigits } from "../../parts/Count.ts"
import { Figure } from "../../parts/Figure.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { countRequests } from "../../service/Budget.ts"
import { usePolling } from "../../service/usePolling.ts"
import type { Deployment } from "../moment/Deployment.ts"
import "./totals-plot.css"

interface Point {
  readonly block: number
  readonly usd: number
}

const maxSamples = 24

/** One of ten blocks of a young chain. */
const countSamples = (head: number) => Math.min(maxSamples, Math.max(4, Math.ceil(head / 10)))

const blocksUpTo = (head: number) => {
  const samples = countSamples(head)
  return Array.from(
    new Set(Array.from({ length: samples }, (_, index) => Math.max(1, Math.round((head * (index + 1)) / samples))))
  )
}

/** The value locked at blocks spread over the whole history: one request as of each block. */
const readHistory = (deployment: Deployment, head: number) =>
  Effect.flatMap(Dex, (dex) =>
    Effect.forEach(
      blocksUpTo(head),
      (block) =>
        countRequests(dex.withResponse.deployments({ ...deployment, block })).pipe(
          Effect.map(({ value }): Point => {
            const usd = value.reduce((sum, { totalValueLockedUSD }) => sum + Number(totalValueLockedUSD), 0)
            return { block, usd }
          }),
          Effect.option
        ),
      { concurrency: 4 }
    )
  ).pipe(Effect.map((points) => points.flatMap(Option.toArray)))

const width = 1000
const height = 100

const getTop = (points: ReadonlyArray<Point>) => Math.max(...points.map(({ usd }) => usd), 1)

const getPath = (points: ReadonlyArray<Point>, head: number, top: number) =>
  points
    .map(({ block, usd }, index) => {
      const [x, y] = [(block / head) * width, height - (usd / top) * height]
      return `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join(" ")

const Plot = ({
  block,
  head,
  points
}: {
  readonly points: ReadonlyArray<Point>
  readonly head: number
  readonly block: number | undefined
}) => {
  const top = getTop(points)
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
        aria-label={`TVL from block 1 to ${groupDigits(head)}`}
      >
        <line x1={0} x2={width} y1={height} y2={height} className="axis" />
        <path d={getPath(points, head, top)} />
        {block === undefined ? null : (
          <line x1={(block / head) * width} x2={(block / head) * width} y1={0} y2={height} className="mark" />
        )}
      </svg>
      <div className="blocks num">
        <span>block 1</span>
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
    readHistory(deployment, head),
    undefined
  )
  return (
    <Loaded live={live} waiting="The history of the TVL is being read.">
      {(points) => (points.length < 2 ? null : <Plot points={points} head={head} block={block} />)}
    </Loaded>
  )
}

/** The plot is read again when the chain has grown by so many blocks, and by as much as lies between two samples. */
const toPause = (drawn: number) => Math.max(60, drawn / maxSamples)

/** The value locked over all blocks. It is updated when the chain has grown by some blocks. */
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

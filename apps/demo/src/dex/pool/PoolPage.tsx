import { PoolAddress } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/dex"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { useState } from "react"
import { Card } from "../../parts/Card.tsx"
import { Loaded, Outdated, Problem } from "../../parts/Loaded.tsx"
import { dexHref } from "../../route/Route.ts"
import { useSetPageName } from "../../service/PageName.ts"
import { toShownRequest, useShowRequests } from "../../service/ShownRequests.ts"
import { useStream } from "../../service/useStream.ts"
import { useThrottled } from "../../service/useThrottled.ts"
import { toPair } from "../claims/DexClaims.ts"
import { AsOfBadge } from "../moment/AsOfBadge.tsx"
import { CopyLink } from "../moment/CopyLink.tsx"
import type { Deployment } from "../moment/Deployment.ts"
import { toName } from "../moment/Deployment.ts"
import { useAt } from "../moment/useAt.ts"
import { useReportBlock } from "../moment/useReportBlock.ts"
import { PairLinks } from "../name/PairLinks.tsx"
import { PoolDepth } from "./depth/PoolDepth.tsx"
import { PoolChart, type PoolTimeframe, type TimeframeChoice } from "./PoolChart.tsx"
import { PoolEvents } from "./PoolEvents.tsx"
import { PoolFigures } from "./PoolFigures.tsx"
import { PoolSpans } from "./PoolSpans.tsx"
import { type Drawn, flip, toDirection } from "./request/Direction.ts"
import { isPair } from "./request/isPair.ts"
import { toCandlesRequest, toEventsRequest, toPoolRequest } from "./request/Requests.ts"
import { followSwaps } from "./SwapFeed.ts"

const decodeAddress = Schema.decodeUnknownOption(PoolAddress)

/** The price of two stablecoins crosses 1 again and again: its direction is that of the first price shown. */
const Plots = ({ choice, moment, pool }: Omit<Drawn, "direction"> & { readonly choice: TimeframeChoice }) => {
  const [direction, setDirection] = useState(() => toDirection(pool))
  return (
    <div className="two">
      <PoolChart moment={moment} pool={pool} direction={direction} choice={choice} onFlip={() => setDirection(flip)} />
      <div className="stack">
        <PoolDepth moment={moment} pool={pool} direction={direction} />
        <PoolSpans moment={moment} pool={pool} />
      </div>
    </div>
  )
}

/** After a swap or a new block, everything else of the pool is read again, at most this often (milliseconds). */
const readEvery = 5000

const PoolAt = ({ block, deployment, head, onBlock, pool }: Omit<PoolOf, "pool"> & { readonly pool: PoolAddress }) => {
  const isLive = block === undefined
  const following = useStream(
    `swaps ${toName(deployment)} ${pool} ${isLive}`,
    isLive ? followSwaps(deployment, pool) : () => Stream.empty
  )
  const { reorgs = 0, swaps = [] } = (isLive ? following.value : undefined) ?? {}
  const version = useThrottled(`${head} ${reorgs} ${swaps[0]?.swap.id}`, readEvery)
  const moment = { deployment, block, version: isLive ? version : "" }
  const [timeframe, choose] = useState<PoolTimeframe>("1m")
  const request = toPoolRequest(moment, pool)
  const live = useAt(moment, `pool ${pool}`, (dex) => dex.withResponse.pool(request))
  useReportBlock(live.value, onBlock)
  // The rest is asked as of a block that has the pool: one problem is shown, not one for each part.
  const found = live.value
  useSetPageName(found === undefined ? undefined : toPair(found.value))
  useShowRequests([
    toShownRequest(Operations.pool, request),
    toShownRequest(Operations.candles, toCandlesRequest(moment, pool, timeframe)),
    ...(found !== undefined && isPair(found.value) ? [] : [toShownRequest(Operations.ticks, request)]),
    toShownRequest(Operations.poolTrades, toEventsRequest(moment, pool))
  ])
  return (
    <>
      {following.problem === undefined || live.problem !== undefined ? null : (
        <Outdated problem={following.problem} readAt={following.readAt} />
      )}
      <Card
        title="Pool"
        aside={
          <>
            <CopyLink answer={live.value} toHref={(as) => dexHref(toName(deployment), pool, as)} />
            <AsOfBadge answer={live.value} />
          </>
        }
      >
        <Loaded live={live} waiting="The pool is being read.">
          {(answer) => (
            <>
              <p className="pair">
                <PairLinks pool={answer.value} moment={answer.moment} />{" "}
                <code className="quiet">{answer.value.id}</code>
              </p>
              <PoolFigures answer={answer} pool={answer.value} />
            </>
          )}
        </Loaded>
      </Card>
      {found === undefined ? null : (
        <>
          <Plots moment={found.moment} pool={found.value} choice={{ timeframe, choose }} />
          <PoolEvents moment={found.moment} pool={pool} swaps={swaps} />
        </>
      )}
    </>
  )
}

interface PoolOf {
  readonly deployment: Deployment
  /** Undefined for the newest one. */
  readonly block: number | undefined
  readonly head: number | undefined
  readonly pool: string
  readonly onBlock: (block: number) => void
}

export const PoolPage = ({ pool, ...rest }: PoolOf) => {
  const address = decodeAddress(pool.toLowerCase())
  return Option.isNone(address) ? (
    <Problem>{`“${pool}” is no address of a pool: it must be 0x and 40 hexadecimal digits.`}</Problem>
  ) : (
    <PoolAt {...rest} pool={address.value} />
  )
}

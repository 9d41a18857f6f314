import type { PoolAddress } from "@chaintape/core"
import { Dex, DexStream } from "@chaintape/dex"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { countRequests } from "../../service/Budget.ts"
import type { Deployment } from "../Deployment.ts"

/** The swaps of a pool since the page was opened, newest first. */
export interface SwapFeed {
  readonly swaps: ReadonlyArray<DexStream.NewSwap>
  /** The number of reorgs. */
  readonly reorgs: number
  /** The last page of the stream. */
  readonly page?: DexStream.LivePage<DexStream.NewSwap>
}

const mostSwaps = 20

export const addPage = (feed: SwapFeed, page: DexStream.LivePage<DexStream.NewSwap>): SwapFeed => {
  let { reorgs, swaps } = feed
  for (const event of page.events) {
    if (event._tag === "Swap") swaps = [event, ...swaps].slice(0, mostSwaps)
    else {
      reorgs += 1
      swaps = swaps.filter(({ block }) => block < event.from)
    }
  }
  return { swaps, reorgs, page }
}

/** The swaps of a pool as they happen, after the last state of the feed. */
export const followSwaps =
  (deployment: Deployment, pool: PoolAddress) =>
  (last: SwapFeed | undefined): Stream.Stream<SwapFeed, DexStream.LiveSwapsError, Dex> =>
    Stream.unwrap(
      Effect.gen(function* () {
        const start: SwapFeed = last ?? { swaps: [], reorgs: 0 }
        const dex = yield* Dex
        // A stream without swaps says nothing: this shows that the service responds.
        yield* countRequests(dex.withResponse.pool({ ...deployment, pool }))
        const pages = DexStream.liveSwapPages({ ...deployment, pool, cursor: start.page?.cursor })
        return Stream.scan(pages, () => start, addPage)
      })
    )

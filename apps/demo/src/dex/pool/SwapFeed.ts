import type { PoolAddress } from "@chaintape/core"
import { Dex, DexStream } from "@chaintape/dex"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { countRequests } from "../../service/Budget.ts"
import type { Deployment } from "../moment/Deployment.ts"
import type { Swaps } from "./Swaps.ts"
import { addEvents } from "./Swaps.ts"

export interface SwapFeed extends Swaps {
  /** The last page of the stream. */
  readonly page?: DexStream.LivePage<DexStream.NewSwap>
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
        return Stream.scan(
          pages,
          () => start,
          (feed, page): SwapFeed => ({ ...addEvents(feed, page.events), page })
        )
      })
    )

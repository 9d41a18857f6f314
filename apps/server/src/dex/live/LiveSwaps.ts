import { OperationNotSupported, type PoolNotFound } from "@chaintape/core"
import { Context, Effect, Layer, Option } from "effect"
import { decodeChainCursor } from "../../live/ChainCursor.ts"
import type { LiveFeed, Start } from "../../live/LiveFeed.ts"
import { UnknownCursorError } from "../../live/LiveFeed.ts"
import { Wakeups } from "../../live/Wakeups.ts"
import { Deployments, toDeploymentKey } from "../Deployments.ts"
import type { OpenedView, ViewProblem } from "../Deployments.ts"
import { requirePool } from "../pools/Pools.ts"
import { makeSwapReader, toLiveError } from "./SwapReader.ts"
import { SwapSource } from "./SwapSource.ts"

const notFollowed = (dex: string, blockchain: string, source: OpenedView["source"]) =>
  new OperationNotSupported({
    exchange: dex,
    detail:
      `"${dex}" on "${blockchain}" is read from a ${source}, so that its swaps cannot be followed: ` +
      "ask for them with /v2."
  })

/** Live streams of the swaps of pools. */
export class LiveSwaps extends Context.Service<
  LiveSwaps,
  {
    readonly feed: (
      dex: string,
      blockchain: string,
      pool: string
    ) => Effect.Effect<LiveFeed, ViewProblem | PoolNotFound | OperationNotSupported>
  }
>()("@chaintape/server/dex/live/LiveSwaps") {
  static readonly layer = Layer.effect(
    LiveSwaps,
    Effect.gen(function* () {
      const deployments = yield* Deployments
      const source = yield* SwapSource
      const wakeups = yield* Wakeups

      const open = Effect.fnUntraced(function* (key: string, pool: string, start: Start) {
        if ("after" in start) {
          const position = decodeChainCursor(start.after)
          if (position === undefined) return yield* new UnknownCursorError({ what: "is not a cursor of this stream" })
          return makeSwapReader(source, key, pool, position)
        }
        const { head } = yield* Effect.mapError(source.chain(key, [], undefined), toLiveError)
        return makeSwapReader(source, key, pool, { ...head, logIndex: undefined })
      })

      return LiveSwaps.of({
        feed: Effect.fn("LiveSwaps.feed")(function* (dex, blockchain, pool) {
          const key = toDeploymentKey(dex, blockchain)
          yield* deployments.read(
            dex,
            blockchain,
            Option.none(),
            Effect.fnUntraced(function* (opened) {
              if (!source.follows(key)) return yield* notFollowed(dex, blockchain, opened.source)
              yield* requirePool(opened.view, pool)
            })
          )
          return {
            name: `swaps ${key} ${pool}`,
            open: (start) => open(key, pool, start),
            watch: wakeups.watch(source.topic(key))
          }
        })
      })
    })
  )
}

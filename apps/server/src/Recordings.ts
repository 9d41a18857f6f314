import { Layer } from "effect"
import { LiveTapes } from "./cex/live/LiveTapes.ts"
import * as WakingTape from "./cex/live/WakingTape.ts"
import { pairOf } from "./cex/Pair.ts"
import { RecordedMarkets } from "./cex/RecordedMarkets.ts"
import * as Recorders from "./cex/tape/Recorders.ts"
import * as Retention from "./cex/tape/Retention.ts"
import * as SqlTape from "./cex/tape/SqlTape.ts"
import * as SqlTapeReads from "./cex/tape/SqlTapeReads.ts"
import { TapeEnds } from "./cex/tape/TapeEnds.ts"
import { TapeSegments } from "./cex/tape/TapeSegments.ts"
import * as WatchedTradeFlow from "./cex/WatchedTradeFlow.ts"
import type { ConfigFile } from "./Config.ts"
import { Wakeups } from "./live/Wakeups.ts"
import { RecordingStatuses } from "./sources/RecordingStatuses.ts"
import { TapeRetention } from "./sources/TapeRetention.ts"

/** Each market once, in upper case. */
const marketsOf = ({ exchanges = [] }: ConfigFile): ReadonlyArray<Recorders.RecordedMarket> =>
  exchanges.flatMap(({ id, record = [] }) =>
    [...new Set(record.map((market) => market.toUpperCase()))].map((market) => ({
      exchange: id,
      market: pairOf(market)
    }))
  )

/** The recordings of the configured markets, which run as long as the layer, and what was recorded. */
export const layer = (config: ConfigFile) => {
  const days = config.tape?.retentionDays
  return Layer.merge(RecordedMarkets.layer, LiveTapes.layer).pipe(
    Layer.provideMerge(Recorders.layer(marketsOf(config), days).pipe(Layer.provide(WatchedTradeFlow.layer))),
    Layer.merge(days === undefined ? TapeRetention.layerNone : Retention.layer(days)),
    Layer.provide([
      WakingTape.layer.pipe(Layer.provide(SqlTape.layer)),
      SqlTapeReads.layer,
      TapeSegments.layer,
      TapeEnds.layer
    ]),
    Layer.provide(Wakeups.layer)
  )
}

/** Where nothing is recorded and nothing was. */
export const layerNone = Layer.mergeAll(
  RecordedMarkets.layerNone,
  LiveTapes.layerNone,
  RecordingStatuses.layerNone,
  TapeRetention.layerNone
)

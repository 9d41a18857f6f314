import { Layer } from "effect"
import { parseMarket } from "../cex/ExchangeSource.ts"
import { LiveTapes } from "../cex/live/LiveTapes.ts"
import { TapeSegments } from "../cex/tape/read/TapeSegments.ts"
import * as Recorders from "../cex/tape/record/Recorders.ts"
import * as Retention from "../cex/tape/record/Retention.ts"
import * as SqlTape from "../cex/tape/store/SqlTape.ts"
import * as SqlTapeIncidents from "../cex/tape/store/SqlTapeIncidents.ts"
import * as SqlTapeReads from "../cex/tape/store/SqlTapeReads.ts"
import { RecordedMarkets } from "../cex/trades/RecordedMarkets.ts"
import { Wakeups } from "../live/Wakeups.ts"
import { TapeRetention } from "../status/TapeRetention.ts"
import type { ConfigFile } from "./Config.ts"

/** Each market once, in upper case. */
const toMarkets = ({ exchanges = [] }: ConfigFile): ReadonlyArray<Recorders.MarketToRecord> =>
  exchanges.flatMap(({ id, record = [] }) =>
    [...new Set(record.map((market) => market.toUpperCase()))].map((market) => ({
      exchange: id,
      market: parseMarket(market)
    }))
  )

/** The recordings of the configured markets, which end with the layer, and the tapes of all recorded markets. */
export const layer = (config: ConfigFile) => {
  const days = config.tape?.retentionDays
  return Layer.mergeAll(RecordedMarkets.layer, LiveTapes.layer, SqlTapeIncidents.layer).pipe(
    Layer.provideMerge(Recorders.layer(toMarkets(config), days)),
    Layer.merge(days === undefined ? TapeRetention.layerNone : Retention.layer(days)),
    Layer.provide([SqlTape.layer, SqlTapeReads.layer, TapeSegments.layer]),
    Layer.provide(Wakeups.layer)
  )
}

import { Effect, Layer } from "effect"
import { LiveTapes } from "../src/cex/live/LiveTapes.ts"
import { RecordedMarkets } from "../src/cex/trades/RecordedMarkets.ts"
import { domain } from "../src/program/App.ts"
import type { ConfigFile } from "../src/program/Config.ts"
import * as Dexes from "../src/program/Dexes.ts"
import { Instance } from "../src/status/Instance.ts"
import { RecordingStatuses } from "../src/status/RecordingStatuses.ts"
import { TapeRetention } from "../src/status/TapeRetention.ts"

export const noRecordedMarkets = Layer.succeed(RecordedMarkets, {
  find: () => Effect.succeedNone,
  beginnings: () => Effect.succeed(new Map()),
  newest: () => Effect.succeedNone
})

export const noRecordingStatuses = Layer.succeed(RecordingStatuses, {
  all: Effect.succeed([]),
  isLive: () => Effect.succeed(false),
  watchUnchanged: () => Effect.undefined
})

const noRecordings = Layer.mergeAll(
  noRecordedMarkets,
  Layer.succeed(LiveTapes, { find: () => Effect.succeedNone }),
  noRecordingStatuses,
  TapeRetention.layerNone
)

const instance = Layer.succeed(Instance, { status: Effect.succeed({ id: "none", roles: [], owns: [] }) })

/** What a service has that neither records a market nor reads a decentralized exchange, and is alone. */
export const domainOf = (config: ConfigFile) => domain(config, Dexes.layerNone, noRecordings, instance)

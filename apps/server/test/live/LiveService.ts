import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Effect, Layer, Logger, Redacted, Ref } from "effect"
import { HttpServer } from "effect/http"
import { CallerAddress } from "../../src/auth/CallerAddress.ts"
import { ApiKeys } from "../../src/auth/keys/ApiKeys.ts"
import type { Limits } from "../../src/auth/limits/Plans.ts"
import { Usage } from "../../src/auth/usage/Usage.ts"
import { Exchanges } from "../../src/cex/Exchanges.ts"
import { LiveTapes } from "../../src/cex/live/LiveTapes.ts"
import { LiveTrades } from "../../src/cex/live/LiveTrades.ts"
import { withTrades } from "../../src/cex/tape/ledger/Coverage.ts"
import { startingState, toStatus } from "../../src/cex/tape/record/RecordingState.ts"
import { Tape, TapeReads, tapeTopic } from "../../src/cex/tape/Tape.ts"
import type { TapeTrade } from "../../src/cex/tape/Tape.ts"
import type { ListenOptions } from "../../src/http/HttpServer.ts"
import { listen, serve } from "../../src/http/HttpServer.ts"
import * as ExactDecimal from "../../src/internal/ExactDecimal.ts"
import { Wakeups } from "../../src/live/Wakeups.ts"
import { Lease } from "../../src/ownership/Lease.ts"
import { RecordingStatuses } from "../../src/status/RecordingStatuses.ts"
import { RedisLink } from "../../src/store/RedisLink.ts"
import { embedded } from "../cex/tape/store/TapeStores.ts"
import { domainOf } from "../NoSources.ts"
import { generous, key, storeInMemory, usageInMemory } from "../RunningService.ts"

const exchange = {
  id: "recorded",
  name: "Recorded",
  countries: [],
  hasTrades: true,
  hasAggregates: true,
  aggregateTimeframes: {},
  url: "",
  fees: [],
  docs: "",
  logo: ""
} as const

const statuses = Layer.succeed(RecordingStatuses, {
  all: Effect.succeed([toStatus("recorded", "BTC/USD", startingState, 0)]),
  isLive: () => Effect.succeed(true),
  watchUnchanged: () => Effect.undefined
})

export const tradesPath = "/live/cex/recorded/BTC-USD/trades"

export interface LiveServiceOptions {
  readonly limits?: Limits
  readonly listening?: Omit<ListenOptions, "host" | "port">
}

/** A service over a tape in an embedded store, to which the test writes. */
export class LiveService extends Context.Service<
  LiveService,
  {
    readonly origin: string
    /** Records the next trades, now; each with an id of at least this many characters. */
    readonly trade: (count: number, idLength?: number) => Effect.Effect<void>
    /** The number of recorded trades. */
    readonly recorded: Effect.Effect<number>
    /** Invalidates the valid key. */
    readonly revoke: Effect.Effect<void>
  }
>()("@chaintape/server/test/live/LiveService") {
  static readonly layer = ({ limits = generous, listening }: LiveServiceOptions = {}) =>
    Layer.effect(
      LiveService,
      Effect.gen(function* () {
        const store = yield* Layer.build(Layer.merge(embedded, Wakeups.layer))
        const tape = Context.get(store, Tape)
        const keys = Layer.mergeAll(ApiKeys.layer, Usage.layer).pipe(
          Layer.provideMerge(Layer.mergeAll(storeInMemory, usageInMemory, RedisLink.layerNone))
        )
        const trades = Layer.fresh(LiveTrades.layer).pipe(
          Layer.provide(Layer.fresh(LiveTapes.layer)),
          Layer.provide([Exchanges.layer([exchange]), statuses]),
          Layer.provide([
            Layer.succeed(Tape, tape),
            Layer.succeed(TapeReads, Context.get(store, TapeReads)),
            Layer.succeed(Wakeups, Context.get(store, Wakeups))
          ])
        )
        const built = yield* Layer.build(
          serve({ path: "/v2/cex/exchanges", parameters: new Map() }, limits, Layer.empty).pipe(
            Layer.provide(Layer.merge(domainOf({}), trades)),
            Layer.provide(CallerAddress.layer([])),
            Layer.provideMerge(keys),
            Layer.provideMerge(listen({ host: "127.0.0.1", port: 0, ...listening })),
            Layer.provide(Logger.layer([])),
            Layer.provide(NodeServices.layer)
          )
        )
        const apiKeys = Context.get(built, ApiKeys)
        yield* apiKeys.install("good", Redacted.make(key))
        const recorded = yield* Ref.make(0)
        return LiveService.of({
          origin: HttpServer.formatAddress(Context.get(built, HttpServer.HttpServer).address),
          recorded: Ref.get(recorded),
          revoke: Effect.orDie(apiKeys.install("revoked", Redacted.make(key))),
          trade: Effect.fnUntraced(
            function* (count: number, idLength = 0) {
              const series = yield* tape.open("recorded", "BTC/USD", "sequence", 1)
              const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
              const first = (series.coverage.at(-1)?.to ?? 0) + 1
              const added = Array.from({ length: count }, (_, at) => tradeAt(first + at, now, idLength))
              const coverage = withTrades(series.coverage, added)
              yield* tape.append(series.id, { trades: added, coverage, version: series.version, events: [] })
              yield* Context.get(store, Wakeups).announce(tapeTopic("recorded", "BTC/USD"))
              yield* Ref.set(recorded, first + count - 1)
            },
            (write) => Effect.orDie(Effect.provideService(write, Lease, Context.get(store, Lease)))
          )
        })
      })
    )
}

const tradeAt = (sequence: number, timestamp: number, idLength: number): TapeTrade => {
  const [price, size] = [`${60_000 + (sequence % 977)}.5`, `0.${1 + (sequence % 9)}`]
  return {
    id: `${sequence}`.padEnd(idLength, "-"),
    sequence,
    timestamp,
    price,
    size,
    cost: ExactDecimal.multiply(price, size),
    side: sequence % 2 === 0 ? "buy" : "sell",
    receivedAt: timestamp
  }
}

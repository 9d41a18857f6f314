import { Effect, Layer } from "effect"
import { Candles } from "../../src/cex/candles/Candles.ts"
import { Exchanges } from "../../src/cex/Exchanges.ts"
import { ExchangeError, ExchangeSource } from "../../src/cex/ExchangeSource.ts"
import type { TapeTrade } from "../../src/cex/tape/Tape.ts"
import { RecordedMarkets } from "../../src/cex/trades/RecordedMarkets.ts"
import { Trades } from "../../src/cex/trades/Trades.ts"
import type { MinimumReadRate } from "../../src/http/socket/SlowReaders.ts"
import { standardReadRate } from "../../src/http/socket/SlowReaders.ts"
import * as ExactDecimal from "../../src/internal/ExactDecimal.ts"
import { SourceHealth } from "../../src/sources/SourceHealth.ts"
import { RecordingStatuses } from "../../src/status/RecordingStatuses.ts"
import { RunningService } from "../RunningService.ts"
import { embedded, store } from "./tape/store/TapeStores.ts"

const start = Date.UTC(2026, 0, 5)

/** Trades of the market BTC/USD of the exchange `recorded`: several per millisecond. */
export const recordedTrades: ReadonlyArray<TapeTrade> = Array.from({ length: 60_000 }, (_, at) => {
  const price = `${67_000 + (at % 977)}.${1 + (at % 9)}`
  const size = `0.${1 + ((at * 7919) % 9_999_999)}1`
  return {
    id: String(at + 1),
    sequence: at + 1,
    timestamp: start + Math.floor(at / 3) * 100,
    price,
    size,
    cost: ExactDecimal.multiply(price, size),
    side: at % 2 === 0 ? "buy" : "sell",
    receivedAt: start
  }
})

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

const isDown = new ExchangeError({ exchange: exchange.id, reason: "Unavailable", message: "It is down." })
const silent = Layer.succeed(ExchangeSource, {
  markets: () => Effect.fail(isDown),
  trades: (_exchange, { base }) => (base === "SILENT" ? Effect.never : Effect.fail(isDown)),
  lastCandle: () => Effect.fail(isDown),
  candles: () => Effect.fail(isDown)
})
const live = (isStill: boolean) =>
  Layer.succeed(RecordingStatuses, {
    all: Effect.succeed([]),
    isLive: () => Effect.succeed(true),
    watchUnchanged: () => Effect.succeed(isStill ? () => true : undefined)
  })

const filled = Layer.effectDiscard(Effect.suspend(() => store(exchange.id, "BTC/USD", recordedTrades)))

/**
 * A service that has only its tape, in an embedded store, to which nothing is written. Responses are cached only if
 * that is known, too: `isStill`. Its exchange never answers for markets of the base `SILENT`. `probe` is built with the
 * service's own layers.
 */
export const recordedServiceAt = ({
  isStill = false,
  minimumReadRate = standardReadRate,
  probe = Layer.empty
}: {
  readonly isStill?: boolean
  readonly minimumReadRate?: MinimumReadRate
  readonly probe?: Layer.Layer<never>
}) =>
  RunningService.layer({
    config: {},
    listening: { minimumReadRate },
    // New layers: those of the configuration are memoized with its own sources.
    overrides: Layer.mergeAll(Layer.fresh(Trades.layer), Layer.fresh(Candles.layer), filled, probe).pipe(
      Layer.provide(Exchanges.layer([exchange])),
      Layer.provide(RecordedMarkets.layer),
      Layer.provide([silent, live(isStill), SourceHealth.layer([])]),
      Layer.provide(embedded)
    )
  })

export const recordedService = recordedServiceAt({})

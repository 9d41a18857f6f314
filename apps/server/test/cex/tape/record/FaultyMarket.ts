import { type Fault, SandboxExchange } from "@chaintape/sandbox"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import type { Duration, Scope } from "effect"
import type { Started } from "../../../StartedProgram.ts"
import type { Configured, Seen } from "./RecordingService.ts"
import {
  assertEqualTape,
  configured,
  toOrigin,
  readStatus,
  readTrades,
  signal,
  startService,
  storedTape,
  waitFor,
  watch
} from "./RecordingService.ts"

const skewMs = 20_000

/**
 * All faults of the sandbox that affect a recording, at once. The rates are for 100,000 trades, and `times` as high for
 * fewer.
 */
export const menuOf = (times: number): ReadonlyArray<Fault> => [
  { kind: "socket-drop", mode: "clean", endpoint: "stream", rate: 0.0002 * times },
  { kind: "socket-drop", mode: "reset", endpoint: "stream", rate: 0.0001 * times },
  { kind: "frame-loss", endpoint: "stream", rate: 0.0005 * times },
  { kind: "duplicate", content: "same", endpoint: "stream", rate: 0.01 },
  { kind: "out-of-order", window: 30, endpoint: "stream", rate: 0.02 },
  { kind: "rate-limited", retryAfter: "seconds", seconds: 1, endpoint: "trades", rate: 0.05 },
  { kind: "rate-limited", retryAfter: "date", seconds: 1, endpoint: "stream", rate: 0.2, count: 2 },
  { kind: "server-error", status: 503, endpoint: "trades", rate: 0.03 },
  { kind: "html-page", contentType: "json", endpoint: "trades", rate: 0.03 },
  { kind: "truncated-body", bytes: 3000, contentLength: "matching", endpoint: "trades", rate: 0.03 },
  { kind: "truncated-body", bytes: 3000, contentLength: "original", endpoint: "trades", rate: 0.02 },
  { kind: "changed-shape", change: "null-price", endpoint: "trades", rate: 0.02 },
  { kind: "duplicate", content: "same", endpoint: "trades", rate: 0.05 },
  { kind: "out-of-order", window: 100, endpoint: "trades", rate: 0.05 },
  { kind: "stale-page", seconds: 2, endpoint: "trades", rate: 0.05 },
  { kind: "latency", milliseconds: 10, tailMilliseconds: 400, endpoint: "trades", rate: 0.5 },
  { kind: "clock-skew", offsetMilliseconds: skewMs }
]

/** Those that stop a recording for many seconds. */
export const longStops: ReadonlyArray<Fault> = [
  { kind: "socket-drop", mode: "silence", endpoint: "stream", afterRequests: 15_000, count: 1 },
  { kind: "hang", phase: "before-headers", endpoint: "stream", rate: 0.05, count: 1 }
]

export interface MarketSize {
  readonly tradesPerSecond: number
  readonly history: Duration.Input
  readonly historyTradesPerSecond: number
}

/** One market with a history of trades and many more to come. */
const toExchange = (size: MarketSize) =>
  SandboxExchange.layer({
    products: [
      { id: "BTC-USD", base: "BTC", quote: "USD", priceDecimals: 2, sizeDecimals: 8, referencePrice: "67250.00" }
    ],
    tick: "20 millis",
    rateLimit: { requestsPerSecond: 20, burst: 30 },
    ...size
  }).pipe(Layer.orDie)

/** From now on the exchange has faults, and its clock is wrong. */
export const beSkewed = (faults: ReadonlyArray<Fault>) =>
  Effect.gen(function* () {
    const exchange = yield* SandboxExchange
    const from = (yield* Clock.currentTimeMillis) - 1
    yield* exchange.faults.set({ faults })
    return { from, to: (yield* Clock.currentTimeMillis) + 1, milliseconds: skewMs }
  })

const toJournal = Effect.flatMap(SandboxExchange, ({ journal }) => Effect.orDie(journal("BTC-USD")))

/** A service on the exchange, which is started, checked and ended repeatedly. */
export const world = Effect.gen(function* () {
  const service = yield* configured(yield* SandboxExchange)
  let running: { readonly started: Started; origin?: string } | undefined
  const begin = Effect.gen(function* () {
    const started = yield* startService(service)
    const now: typeof running = { started }
    running = now
    return Effect.map(toOrigin(started), (origin) => {
      now.origin = origin
      return origin
    })
  })
  const end = (name: NodeJS.Signals) =>
    Effect.suspend(() => {
      const last = running
      running = undefined
      return last === undefined ? Effect.void : Effect.asVoid(signal(last.started, name))
    })
  return { service, begin, end, watching: watch(() => running?.origin) }
})

/** Until nothing is missing below the newest trade of this moment; the exchange and its faults continue. */
export const caughtUp = Effect.fnUntraced(function* (origin: string) {
  const target = (yield* toJournal).at(-1)?.trade_id ?? 0
  // Until the tape has a newer trade, it may not know yet that something is missing below.
  yield* waitFor(
    "newer trades in the tape",
    Effect.map(readTrades(origin, 1), (answer) =>
      answer?.source === "record" && Number(answer.trades[0]?.id ?? 0) > target ? true : undefined
    ),
    300_000
  )
  yield* waitFor(
    `all trades up to ${target}`,
    Effect.map(readStatus(origin), ({ gapCount, gaps, missing, stored, to }) => {
      const newer = gaps.filter(({ from }) => from > target).reduce((sum, gap) => sum + gap.to - gap.from + 1, 0)
      const isWhole = gapCount <= 20 && gaps.every(({ from }) => from > target) && missing === newer
      return isWhole && stored > 0 && to !== null ? true : undefined
    }),
    300_000
  )
  return target
})

/** Compares the stored and the served trades with the journal, and returns their number. */
export const compare = Effect.fnUntraced(function* (
  service: Configured,
  target: number,
  seen: Seen,
  skew: Effect.Success<ReturnType<typeof beSkewed>>
) {
  const { coverage, events, rows } = yield* storedTape(service)
  const journal = yield* toJournal
  const [whole] = coverage
  assert.isAtLeast(whole?.to ?? 0, target)
  const upTo = rows.filter(({ sequence }) => sequence <= target)
  assert.strictEqual(upTo.length, target - (whole?.from ?? 0) + 1)
  assertEqualTape(rows, journal, skew)
  const truth = new Map(journal.map(({ price, trade_id }) => [trade_id, Number(price)]))
  for (const [id, price] of seen.prices) assert.strictEqual(price, truth.get(id))
  const { prices, ...counts } = seen
  yield* Effect.logInfo(JSON.stringify({ trades: rows.length, events, answered: prices.size, ...counts }))
  assert.deepStrictEqual(seen.wrong, [])
  return upTo.length
})

export const provided =
  (size: MarketSize) =>
  <A, E>(effect: Effect.Effect<A, E, SandboxExchange | Scope.Scope | Layer.Success<typeof NodeServices.layer>>) =>
    effect.pipe(Effect.scoped, Effect.provide(Layer.merge(toExchange(size), NodeServices.layer)))

/** 60,000 trades. */
export const longHistory = { history: "10 minutes", historyTradesPerSecond: 100 } as const

import { SandboxExchange } from "@chaintape/sandbox"
import type { Fault } from "@chaintape/sandbox"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Random } from "effect"
import type { Scope } from "effect"
import type { Started } from "../../StartedProgram.ts"
import type { Configured, Seen } from "./RecordingService.ts"
import {
  assertEqualTape,
  configured,
  originOf,
  readStatus,
  readTrades,
  signal,
  startService,
  storedTape,
  stopWatching,
  waitFor,
  watch
} from "./RecordingService.ts"

const kills = Number(process.env["CHAINTAPE_KILLS"] ?? 20)
const skewMs = 20_000

/** Everything that the sandbox can do to a recording, at once. */
const menu: ReadonlyArray<Fault> = [
  { kind: "socket-drop", mode: "clean", endpoint: "stream", rate: 0.0002 },
  { kind: "socket-drop", mode: "reset", endpoint: "stream", rate: 0.0001 },
  { kind: "socket-drop", mode: "silence", endpoint: "stream", afterRequests: 15_000, count: 1 },
  { kind: "frame-loss", endpoint: "stream", rate: 0.0005 },
  { kind: "duplicate", content: "same", endpoint: "stream", rate: 0.01 },
  { kind: "out-of-order", window: 30, endpoint: "stream", rate: 0.02 },
  { kind: "hang", phase: "before-headers", endpoint: "stream", rate: 0.05, count: 1 },
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

/** A market with 60,000 trades behind it and many more to come. */
const exchangeOf = (tradesPerSecond: number) =>
  SandboxExchange.layer({
    products: [
      { id: "BTC-USD", base: "BTC", quote: "USD", priceDecimals: 2, sizeDecimals: 8, referencePrice: "67250.00" }
    ],
    tradesPerSecond,
    tick: "20 millis",
    history: "10 minutes",
    historyTradesPerSecond: 100,
    rateLimit: { requestsPerSecond: 20, burst: 30 }
  })

const beSkewed = Effect.gen(function* () {
  const { faults } = yield* SandboxExchange
  const from = (yield* Clock.currentTimeMillis) - 1
  yield* faults.set({ faults: menu })
  return { from, to: (yield* Clock.currentTimeMillis) + 1, milliseconds: skewMs }
})

const journalOf = Effect.flatMap(SandboxExchange, ({ journal }) => Effect.orDie(journal("BTC-USD")))

/** A service on the exchange, which is started, watched and ended by turns. */
const world = Effect.gen(function* () {
  const service = yield* configured(yield* SandboxExchange)
  let running: { readonly started: Started; origin?: string } | undefined
  const begin = Effect.gen(function* () {
    const started = yield* startService(service)
    const now: typeof running = { started }
    running = now
    return Effect.map(originOf(started), (origin) => {
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

/** Until nothing is missing below the newest trade of this moment; the exchange goes on, and so do its faults. */
const caughtUp = Effect.fnUntraced(function* (origin: string) {
  const target = (yield* journalOf).at(-1)?.trade_id ?? 0
  // Before the tape has a newer one, it may not know yet that something is missing below.
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

/** Compares what was stored and what was answered with what happened. */
const compare = Effect.fnUntraced(function* (
  service: Configured,
  target: number,
  seen: Seen,
  skew: Effect.Success<typeof beSkewed>
) {
  const { coverage, events, rows } = yield* storedTape(service)
  const journal = yield* journalOf
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

const provided =
  (tradesPerSecond: number) =>
  <A, E>(effect: Effect.Effect<A, E, SandboxExchange | Scope.Scope | Layer.Success<typeof NodeServices.layer>>) =>
    effect.pipe(Effect.scoped, Effect.provide(Layer.merge(exchangeOf(tradesPerSecond), NodeServices.layer)))

describe("a service that records a market", () => {
  it.live(
    "holds what the exchange's journal holds, 100,000 trades, under every fault there is",
    () =>
      Effect.gen(function* () {
        const skew = yield* beSkewed
        const { begin, end, service, watching } = yield* world
        const origin = yield* Effect.flatten(begin)
        const watcher = yield* Effect.forkChild(watching.run)
        yield* waitFor(
          "100,000 trades",
          Effect.map(readStatus(origin), ({ stored }) => (stored > 100_000 ? stored : undefined)),
          300_000
        )
        const target = yield* caughtUp(origin)
        yield* stopWatching(watcher)
        const last = yield* readStatus(origin)
        yield* Effect.logInfo(JSON.stringify(last))
        yield* end("SIGTERM")
        assert.isAbove(yield* compare(service, target, watching.seen, skew), 100_000)
        assert.isAbove(watching.seen.withGaps, 0)
        assert.isAbove(last.disconnects, 0)
      }).pipe(provided(1700)),
    900_000
  )

  it.live(
    `holds it also when it is killed ${kills} times at random`,
    () =>
      Effect.gen(function* () {
        const { begin, end, service, watching } = yield* world
        const first = yield* Effect.flatten(begin)
        yield* waitFor(
          "the history",
          Effect.map(readStatus(first), ({ missing, stored }) => (stored > 0 && missing === 0 ? true : undefined)),
          300_000
        )
        const skew = yield* beSkewed
        const watcher = yield* Effect.forkChild(watching.run)
        for (let killed = 0; killed < kills; killed++) {
          yield* Effect.sleep(yield* Random.nextIntBetween(50, 1200))
          yield* end("SIGKILL")
          const start = yield* Effect.forkChild(yield* begin)
          // Every fourth is killed while it starts.
          if (killed % 4 > 0) yield* Fiber.join(start)
          else yield* Effect.sleep("1 second")
          yield* Fiber.interrupt(start)
        }
        yield* end("SIGKILL")
        const origin = yield* Effect.flatten(begin)
        const { counters } = yield* SandboxExchange
        yield* waitFor(
          "enough trades",
          Effect.map(counters, ({ trades }) => (trades > 56_000 ? trades : undefined)),
          300_000
        )
        const target = yield* caughtUp(origin)
        yield* stopWatching(watcher)
        yield* end("SIGTERM")
        assert.isAbove(yield* compare(service, target, watching.seen, skew), 100_000)
      }).pipe(provided(900)),
    1_200_000
  )
})

/** The sandbox exchange in its own process, which trades on its parent's command. */
import { Clock, Deferred, Effect } from "effect"
import { defaultProducts } from "../../apps/sandbox/src/exchange/market/Product.ts"
import { SandboxExchange } from "../../apps/sandbox/src/exchange/SandboxExchange.ts"
import type { ExchangeState } from "./ExchangeState.ts"

const product = "BTC-USD"
const rate = Number(process.argv[2])
/** At two trades a second. */
const history = `${Number(process.argv[3] ?? 1)} minutes` as const

/** The clock stands still before the parent's "go" and after its "stop", and with it trading. */
const makeTradingHours = (real: Clock.Clock) => {
  let shown = real.currentTimeMillisUnsafe()
  let ahead: number | undefined
  const now = () => (ahead === undefined ? shown : real.currentTimeMillisUnsafe() - ahead)
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanosUnsafe: () => BigInt(now()) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: real.monotonicTimeNanos,
    sleep: (duration) => real.sleep(duration)
  }
  return {
    clock,
    go: () => {
      ahead = real.currentTimeMillisUnsafe() - shown
    },
    stop: () => {
      shown = now()
      ahead = undefined
    }
  }
}

const program = Effect.gen(function* () {
  const hours = makeTradingHours(yield* Clock.Clock)
  const options = {
    products: defaultProducts.filter(({ id }) => id === product),
    tradesPerSecond: rate,
    history,
    retain: 2_000_000,
    // Backfills are limited by the service's own rate.
    rateLimit: "none"
  } as const
  yield* Effect.gen(function* () {
    const exchange = yield* SandboxExchange
    const ended = yield* Deferred.make<void>()
    const past = (yield* Effect.orDie(exchange.journal(product))).length
    const state = Effect.map(exchange.counters, ({ slowReaders, trades }): ExchangeState => {
      const { rest, websocket } = exchange
      return { rest, websocket, trades: past + trades, slowReaders, sums: { prices: "0", sizes: "0" } }
    })
    const sums = Effect.map(Effect.orDie(exchange.journal(product)), (trades) => {
      let [prices, sizes] = [0n, 0n]
      for (const { price, size } of trades) {
        prices += BigInt(Math.round(Number(price) * 1e2))
        sizes += BigInt(Math.round(Number(size) * 1e8))
      }
      return { prices: String(prices), sizes: String(sizes) }
    })
    const reply = (message: unknown) =>
      Effect.gen(function* () {
        if (message === "go") hours.go()
        if (message === "stop") {
          hours.stop()
          // Trades since the last tick are still to come.
          yield* Effect.sleep("250 millis")
        }
        const now = yield* state
        process.send?.(message === "sums" ? { ...now, sums: yield* sums } : now)
      })
    process.on("message", (message) => void Effect.runPromise(reply(message)))
    process.once("disconnect", () => void Effect.runPromise(Deferred.succeed(ended, undefined)))
    process.send?.(yield* state)
    yield* Deferred.await(ended)
  }).pipe(Effect.provide(SandboxExchange.layer(options)), Effect.provideService(Clock.Clock, hours.clock))
})

await Effect.runPromise(program)
process.exit(0)

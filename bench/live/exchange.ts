/** The sandbox exchange in its own process, which trades from its start at the rate of its argument. */
import { Effect } from "effect"
import { defaultProducts } from "../../apps/sandbox/src/exchange/market/Product.ts"
import { SandboxExchange } from "../../apps/sandbox/src/exchange/SandboxExchange.ts"
import type { ExchangeState } from "../recording/ExchangeState.ts"

const product = "BTC-USD"

const program = Effect.gen(function* () {
  const exchange = yield* SandboxExchange
  const { rest, websocket } = exchange
  const state: ExchangeState = { rest, websocket, trades: 0, slowReaders: 0, sums: { prices: "0", sizes: "0" } }
  process.send?.(state)
  yield* Effect.callback<void>((resume) => void process.once("disconnect", () => resume(Effect.void)))
}).pipe(
  Effect.provide(
    SandboxExchange.layer({
      products: defaultProducts.filter(({ id }) => id === product),
      tradesPerSecond: Number(process.argv[2]),
      // A trade is published at most this long after its timestamp.
      tick: "10 millis",
      history: "1 minute",
      rateLimit: "none"
    })
  )
)

await Effect.runPromise(program)
process.exit(0)

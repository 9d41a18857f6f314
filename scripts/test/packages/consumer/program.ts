/** A program of a user of the published packages: compiled and run against the tarballs, on every supported Node. */
import { Cex } from "@chaintape/cex"
import { CexTest } from "@chaintape/cex/testing"
import { Market } from "@chaintape/core"
import { createClient } from "@chaintape/core/promise"
import { Faults } from "@chaintape/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const program = Effect.gen(function* () {
  const cex = yield* Cex
  const market = Market.make("BTC/USD")
  const exchanges = yield* cex.exchanges({})
  const { trades } = yield* cex.trades({ exchange: "stub", market, limit: 2 })
  const missing = yield* cex.lastTrade({ exchange: "nowhere", market }).pipe(
    Effect.as("found"),
    Effect.catchTag("ExchangeNotFound", ({ exchange }) => Effect.succeed(`no ${exchange}`))
  )
  return {
    exchanges: exchanges.map(({ id }) => id),
    prices: trades.map(({ price }) => price),
    missing
  }
})

const isHidden = await import("@chaintape/core/internal/transport/attempt" as string).then(
  () => false,
  () => true
)
const chaintape = createClient({ baseUrl: process.env.CHAINTAPE_BASE_URL ?? "" })
const promised = await chaintape.cex.trades({ exchange: "stub", market: "BTC/USD" })

const tested = Effect.gen(function* () {
  const cex = yield* Cex
  const last = yield* cex.lastTrade({ exchange: "stub", market: Market.make("BTC/USD") })
  return last.price
}).pipe(Effect.provide(CexTest.layer({ lastTrade: CexTest.trade({ price: 7 }) })))

const result = await Effect.runPromise(program.pipe(Effect.provide(Cex.layerConfig())))
console.log(
  JSON.stringify({
    ...result,
    isHidden,
    promised: promised.trades.map(({ timestamp }) => timestamp.toISOString()),
    tested: await Effect.runPromise(tested),
    hasFaults: Layer.isLayer(Faults.outage({})),
    node: process.versions.node.split(".")[0],
    core: import.meta.resolve("@chaintape/core").endsWith("/dist/index.js")
  })
)

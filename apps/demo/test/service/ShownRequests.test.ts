import { Cex } from "@chaintape/cex"
import { Client, Market, PoolAddress } from "@chaintape/core"
import * as CexOperations from "@chaintape/core/operations/cex"
import * as DexOperations from "@chaintape/core/operations/dex"
import { Dex } from "@chaintape/dex"
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import { toShownRequest } from "../../src/service/ShownRequests.ts"

/** What the packages really send for a call: path and query. */
const sent = <A, E>(call: Effect.Effect<A, E, Cex | Dex>) =>
  Effect.gen(function* () {
    const paths: Array<string> = []
    const http = HttpClient.make((request, url) =>
      Effect.sync(() => {
        paths.push(`${url.pathname}${url.search}`)
        return HttpClientResponse.fromWeb(request, new Response("{}", { status: 404 }))
      })
    )
    const client = Client.layerNoDeps({ baseUrl: "http://127.0.0.1:1" }).pipe(
      Layer.provide(Layer.succeed(HttpClient.HttpClient, http))
    )
    const packages = Layer.mergeAll(Cex.layerNoDeps, Dex.layerNoDeps).pipe(Layer.provide(client))
    yield* Effect.ignore(call).pipe(Effect.provide(packages))
    return paths[0]
  })

const place = { exchange: "uniswap-v3", blockchain: "devnet" }

describe("a shown request", () => {
  it.effect("has the same path as the request of the packages", () =>
    Effect.gen(function* () {
      const trades = {
        exchange: "sand box",
        market: Market.make("BTC/USD"),
        since: DateTime.makeUnsafe(1_700_000_000_123),
        limit: 7
      }
      assert.strictEqual(
        toShownRequest(CexOperations.trades, trades).path,
        yield* sent(Effect.flatMap(Cex, (cex) => cex.trades(trades)))
      )
      const pool = { ...place, pool: PoolAddress.make(`0x${"a1".repeat(20)}`), block: 12 }
      assert.strictEqual(
        toShownRequest(DexOperations.pool, pool).path,
        yield* sent(Effect.flatMap(Dex, (dex) => dex.pool(pool)))
      )
      const tokens = { ...place, logo: true, tokenSymbol: "A&B" }
      assert.strictEqual(
        toShownRequest(DexOperations.tokens, tokens).path.replaceAll("+", "%20"),
        (yield* sent(Effect.flatMap(Dex, (dex) => dex.tokens(tokens))))?.replaceAll("+", "%20")
      )
    })
  )

  it("has TypeScript that constructs the parameters with the types of the packages", () => {
    const { typescript } = toShownRequest(CexOperations.trades, {
      exchange: "sandbox",
      market: Market.make("BTC/USD"),
      since: DateTime.makeUnsafe(0)
    })
    assert.include(typescript, 'import { Market } from "@chaintape/core"')
    assert.include(typescript, 'import { Console, DateTime, Effect } from "effect"')
    assert.include(typescript, 'market: Market.make("BTC/USD")')
    assert.include(typescript, 'since: DateTime.makeUnsafe("1970-01-01T00:00:00.000Z")')
    assert.include(typescript, "const { value } = yield* cex.withResponse.trades({")
    assert.match(typescript, /\n {2}yield\* Console\.log\(value\)\n\}\)\n/)
  })
})

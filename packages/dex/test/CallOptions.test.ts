import { PoolAddress, RequestTimeout, TokenAddress } from "@chaintape/core"
import { Dex } from "@chaintape/dex"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"

const place = { exchange: "uniswap-v3", blockchain: "ethereum" }
const token = TokenAddress.make(`0x${"1".repeat(40)}`)
const pool = PoolAddress.make(`0x${"2".repeat(40)}`)
const atOnce = { deadline: Duration.zero }

const calls = {
  blockchains: (dex: Dex["Service"]) => dex.blockchains({ exchange: "uniswap-v3" }, atOnce),
  deployments: (dex: Dex["Service"]) => dex.deployments(place, atOnce),
  tokens: (dex: Dex["Service"]) => dex.tokens(place, atOnce),
  tokenTrades: (dex: Dex["Service"]) => dex.tokenTrades({ ...place, token }, atOnce),
  pools: (dex: Dex["Service"]) => dex.pools(place, atOnce),
  pool: (dex: Dex["Service"]) => dex.pool({ ...place, pool }, atOnce),
  poolTrades: (dex: Dex["Service"]) => dex.poolTrades({ ...place, pool }, atOnce),
  candles: (dex: Dex["Service"]) => dex.candles({ ...place, pool, timeframe: "1h" }, atOnce),
  ticks: (dex: Dex["Service"]) => dex.ticks({ ...place, pool }, atOnce)
} satisfies { readonly [Method in keyof Dex["Service"]["withResponse"]]: unknown }

describe("a method of Dex", () => {
  it.effect.each(Object.entries(calls))("takes options of the call: %s", ([, call]) =>
    Effect.gen(function* () {
      let requests = 0
      const fetch: typeof globalThis.fetch = () => {
        requests++
        return Promise.reject(new TypeError("not in this test"))
      }
      const error = yield* Dex.pipe(
        Effect.flatMap((dex): Effect.Effect<unknown, unknown> => call(dex)),
        Effect.flip,
        Effect.provide(Dex.layer({ baseUrl: "http://stub.test" })),
        Effect.provideService(FetchHttpClient.Fetch, fetch)
      )
      if (!(error instanceof RequestTimeout)) return assert.fail(String(error))
      assert.deepInclude(error, { limit: "deadline", milliseconds: 0, attempts: 0 })
      assert.strictEqual(requests, 0)
    })
  )
})

import { Client, PoolAddress, TokenAddress } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as calls from "../src/DexCalls.ts"

const place = { exchange: "uniswap-v3", blockchain: "ethereum" }
const token = TokenAddress.make("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2")
const pool = PoolAddress.make("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640")
const path = "/v2/dex/uniswap-v3"

/** Each call with a request of its own, and the path that it requests. */
const each = {
  blockchains: [calls.blockchains({ exchange: "uniswap-v3" }), path],
  deployments: [calls.deployments({ ...place, block: 7 }), `${path}/ethereum?block=7`],
  tokens: [calls.tokens({ ...place, limit: 1 }), `${path}/ethereum/tokens?limit=1`],
  tokenTrades: [calls.tokenTrades({ ...place, token }), `${path}/ethereum/token/${token}/trades`],
  pools: [calls.pools(place), `${path}/ethereum/pools`],
  pool: [calls.pool({ ...place, pool }), `${path}/ethereum/pool/${pool}`],
  poolTrades: [calls.poolTrades({ ...place, pool, swap: false }), `${path}/ethereum/pool/${pool}/trades?swap=false`],
  candles: [
    calls.candles({ ...place, pool, timeframe: "1h", limit: 3 }),
    `${path}/ethereum/pool/${pool}/aggregates/1h?limit=3`
  ],
  ticks: [calls.ticks({ ...place, pool, block: 7 }), `${path}/ethereum/pool/${pool}/ticks?block=7`]
} satisfies { readonly [Name in keyof typeof calls]: readonly [Effect.Effect<unknown, unknown, Client>, string] }

describe("the function of an operation", () => {
  it.effect.each(Object.entries(each))("asks for what the operation is: %s", ([, [call, expected]]) =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const fetch: typeof globalThis.fetch = async (input) => {
        const { pathname, search } = new URL(String(input))
        asked.push(pathname + search)
        return Response.json([])
      }
      yield* Effect.result<unknown, unknown, Client>(call).pipe(
        Effect.provide(Client.layer({ baseUrl: "http://stub.test" })),
        Effect.provideService(FetchHttpClient.Fetch, fetch)
      )
      assert.deepStrictEqual(asked, [expected])
    })
  )
})

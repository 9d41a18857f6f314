import { PoolAddress, TokenAddress } from "@chaintape/core"
import { Dex, DexStream } from "@chaintape/dex"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Stream from "effect/Stream"

const pool = PoolAddress.make(`0x${"a".repeat(40)}`)
const token = TokenAddress.make(`0x${"b".repeat(40)}`)
const place = { exchange: "uniswap-v3", blockchain: "stub" }

const empty: Readonly<Record<string, unknown>> = {
  tokens: [],
  pools: [],
  [`pool/${pool}/trades`]: { pool, swaps: [] },
  [`token/${token}/trades`]: { token, burnsAs1: [] }
}

/** A service without data, whose first response to each request is lost. */
const serving = () => {
  const asked: Array<string> = []
  const fetch: typeof globalThis.fetch = async (input) => {
    const url = new URL(String(input))
    const isFirst = !asked.includes(url.pathname)
    asked.push(url.pathname)
    if (isFirst) throw new TypeError("fetch failed")
    const headers = { "chaintape-as-of": 'number=8, hash="0xaa", finalized=?0' }
    return Response.json(empty[url.pathname.replace("/v2/dex/uniswap-v3/stub/", "")], { headers })
  }
  const provided = <A, E>(effect: Effect.Effect<A, E, Dex>) =>
    effect.pipe(
      Effect.provide(Dex.layer({ baseUrl: "http://stub.test" })),
      Effect.provideService(FetchHttpClient.Fetch, fetch)
    )
  return { asked, provided }
}

const once = { retry: { attempts: 1 } }
const swaps = { ...place, pool, kind: "swap" } as const
const burns = { ...place, token, kind: "burn", as: "token1" } as const

type Failing = Stream.Stream<unknown, { readonly _tag: string }, Dex>

const streams: Readonly<Record<string, readonly [Failing, Failing]>> = {
  tokens: [DexStream.tokens(place, once), DexStream.tokenPages(place, once)],
  pools: [DexStream.pools(place, once), DexStream.poolPages(place, once)],
  [`pool/${pool}/trades`]: [DexStream.poolTrades(swaps, once), DexStream.poolTradePages(swaps, once)],
  [`token/${token}/trades`]: [DexStream.tokenTrades(burns, once), DexStream.tokenTradePages(burns, once)]
}

describe("DexStream", () => {
  it.effect.each(Object.entries(streams))(
    "reads %s through the client, whose retries the options bound",
    ([path, of]) =>
      Effect.gen(function* () {
        const [items, pages] = of
        const { asked, provided } = serving()
        const error = yield* Effect.flip(provided(Stream.runDrain(items)))
        assert.strictEqual(error._tag, "TransportError")
        assert.strictEqual(yield* provided(Stream.runCount(items)), 0)
        assert.strictEqual(yield* provided(Stream.runCount(pages)), 1)
        assert.deepStrictEqual(asked, Array(3).fill(`/v2/dex/uniswap-v3/stub/${path}`))
      })
  )
})

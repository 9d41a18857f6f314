import { Client, PoolAddress, TokenAddress } from "@chaintape/core"
import { Faults } from "@chaintape/core/testing"
import { Dex, DexStream } from "@chaintape/dex"
import { DexTest } from "@chaintape/dex/testing"
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

const ways: ReadonlyArray<readonly [string, (script: DexTest.DexScript) => Layer.Layer<Dex>]> = [
  ["layer", DexTest.layer],
  [
    "layerHttp",
    (script) =>
      Dex.layerNoDeps.pipe(
        Layer.provide(Client.layerNoDeps({ baseUrl: "http://service.test", retry: { attempts: 1 } })),
        Layer.provide(DexTest.layerHttp(script))
      )
  ]
]

const place = { exchange: "uniswap-v3", blockchain: "devnet" }
const address = (number: number) => `0x${number.toString(16).padStart(40, "0")}`

const pages = Schema.Struct({
  values: Schema.Array(Schema.BigInt),
  skip: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 })),
  limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 })),
  isAscending: Schema.Boolean
})

describe("the ways to script a Dex", () => {
  const pool = PoolAddress.make(address(1))
  const requests: ReadonlyArray<readonly [what: string, request: object]> = [
    ["a Date", { from: new Date(0) }],
    ["an ISO 8601 text", { from: "2020-01-01T00:00:00Z" }],
    ["a day that no calendar has", { from: "2026-02-30" }],
    ["milliseconds", { from: 0 }],
    ["an unknown parameter", { limt: 1 }],
    ["a limit as text", { limit: "5" }],
    ["a flag as text", { swap: "false" }],
    ["a path that a URL resolves", { exchange: ".." }]
  ]

  it.effect.each(requests)("take and refuse the same: %s", ([, request]) =>
    Effect.gen(function* () {
      const results: Array<unknown> = []
      for (const [, layerOf] of ways) {
        const call = Effect.flatMap(Dex, ({ poolTrades }) => {
          const result: Effect.Effect<unknown, { readonly _tag: string }> = Reflect.apply(poolTrades, undefined, [
            { ...place, pool, ...request }
          ])
          return result
        })
        results.push(
          yield* Effect.match(Effect.provide(call, layerOf({ poolTrades: { swaps: [DexTest.swap()] } })), {
            onFailure: ({ _tag }) => _tag,
            onSuccess: JSON.stringify
          })
        )
      }
      assert.strictEqual(results[0], results[1])
    })
  )
})

describe.each(ways)("a Dex by %s", (_, layerOf) => {
  it.effect.prop("sorts decimals of any length by value, ties by id, and pages", [pages], ([drawn]) => {
    const rows = drawn.values.map((value, index) => ({ id: address(index), volumeUSD: `${value}.50` }))
    const direction = drawn.isAscending ? 1 : -1
    const value = (text: string) => BigInt(text.replace(".", ""))
    return Effect.gen(function* () {
      const dex = yield* Dex
      const answered = yield* dex.pools({
        ...place,
        skip: drawn.skip,
        limit: drawn.limit,
        orderBy: "volumeUSD",
        orderDirection: drawn.isAscending ? "asc" : "desc"
      })
      const expected = rows
        .toSorted((a, b) => {
          const [one, other] = [value(a.volumeUSD), value(b.volumeUSD)]
          return one === other ? (a.id < b.id ? -1 : 1) : one < other ? -direction : direction
        })
        .slice(drawn.skip, drawn.skip + drawn.limit)
      assert.deepStrictEqual(
        answered.map(({ id }) => id as string),
        expected.map(({ id }) => id)
      )
    }).pipe(Effect.provide(layerOf({ pools: rows.map((row) => DexTest.pool(row)) })))
  })

  it.effect("sorts unknown values below all others", () => {
    const rows = ["-5", "", "7"].map((feeGrowthGlobal0X128, index) => ({ id: address(index), feeGrowthGlobal0X128 }))
    return Effect.gen(function* () {
      const dex = yield* Dex
      const found = yield* dex.pools({ ...place, orderBy: "feeGrowthGlobal0X128", orderDirection: "asc" })
      assert.deepStrictEqual(
        found.map(({ feeGrowthGlobal0X128 }) => feeGrowthGlobal0X128 as string),
        ["", "-5", "7"]
      )
    }).pipe(Effect.provide(layerOf({ pools: rows.map((row) => DexTest.pool(row)) })))
  })

  it.effect("answers the state as of a block, says which block it is, and knows none beyond the head", () =>
    Effect.gen(function* () {
      const dex = yield* Dex
      const pool = PoolAddress.make(address(7))
      const prices: Array<string> = []
      for (const block of [149, 150, undefined]) prices.push((yield* dex.pool({ ...place, pool, block })).token1Price)
      assert.deepStrictEqual(prices, ["1000", "2000", "2000"])
      const { asOf } = yield* dex.withResponse.pools({ ...place, block: 149 })
      const newest = yield* dex.withResponse.pools(place)
      assert.strictEqual(Option.getOrThrow(asOf).number, 149n)
      assert.strictEqual(Option.getOrThrow(newest.asOf).number, 200n)
      const error = yield* Effect.flip(dex.pools({ ...place, block: 201 }))
      assert.deepInclude(error, { _tag: "BlockNotFound", block: "201", head: "200", blockchain: "devnet" })
      const unknown = yield* Effect.flip(dex.pool({ ...place, pool: PoolAddress.make(address(8)) }))
      assert.strictEqual(unknown._tag, "PoolNotFound")
    }).pipe(
      Effect.provide(
        layerOf({
          head: 200,
          pools: ({ block = 200 }) => [DexTest.pool({ id: address(7), token1Price: block < 150 ? "1000" : "2000" })]
        })
      )
    )
  )

  it.effect("filters tokens by address, name and symbol, whatever their letter case", () =>
    Effect.gen(function* () {
      const dex = yield* Dex
      const symbols = (request: object) =>
        Effect.map(dex.tokens({ ...place, ...request }), (tokens) => tokens.map(({ symbol }) => symbol))
      assert.deepStrictEqual(yield* symbols({ tokenSymbol: "usdc" }), ["USDC"])
      assert.deepStrictEqual(yield* symbols({ tokenName: "wrapped ether" }), ["WETH"])
      assert.deepStrictEqual(yield* symbols({ tokenId: TokenAddress.make(address(2)) }), ["USDC"])
      assert.deepStrictEqual(yield* symbols({}), ["USDC", "WETH"])
      const [plain] = yield* dex.tokens(place)
      const [logo] = yield* dex.tokens({ ...place, logo: true })
      assert.deepStrictEqual([plain?.logo, logo?.logo], [undefined, "https://logo.test/"])
    }).pipe(
      Effect.provide(
        layerOf({
          tokens: [
            DexTest.token({ id: address(1) }),
            DexTest.token({
              id: address(2),
              symbol: "USDC",
              name: "USD Coin",
              totalValueLockedUSD: "5",
              logo: "https://logo.test/"
            })
          ]
        })
      )
    )
  )

  it.effect("lists the trades of a pool newest first, within a window, and only those that are wanted", () =>
    Effect.gen(function* () {
      const dex = yield* Dex
      const pool = PoolAddress.make(address(7))
      const all = yield* dex.poolTrades({ ...place, pool })
      assert.deepStrictEqual(
        all.swaps?.map(({ logIndex }) => logIndex as string),
        ["10", "9", "1"]
      )
      assert.lengthOf(all.mints ?? [], 1)
      assert.deepStrictEqual(all.burns, [])
      const some = yield* dex.poolTrades({ ...place, pool, mint: false, limit: 1, from: second(0), to: second(0) })
      assert.isFalse("mints" in some)
      assert.deepStrictEqual(
        some.swaps?.map(({ logIndex }) => logIndex as string),
        ["1"]
      )
    }).pipe(Effect.provide(layerOf({ poolTrades: trades })))
  )

  it.effect("distinguishes the trades of a token by its side", () =>
    Effect.gen(function* () {
      const dex = yield* Dex
      const token = TokenAddress.make(`0x${"2".repeat(40)}`)
      const both = yield* dex.tokenTrades({ ...place, token })
      assert.deepStrictEqual([both.swapsAs0?.length, both.swapsAs1?.length], [0, 3])
      const quote = yield* dex.tokenTrades({ ...place, token, base: false, burn: false })
      assert.deepStrictEqual(Object.keys(quote).sort(), ["mintsAs1", "swapsAs1", "token"])
    }).pipe(Effect.provide(layerOf({ tokenTrades: trades })))
  )

  it.effect("dies where a trade of the token has its address in mixed case, which no service answers", () =>
    Effect.gen(function* () {
      const token = `0x${"A".repeat(40)}`
      const swap = DexTest.swap()
      const swaps = [{ ...swap, pool: { ...swap.pool, token0: { ...swap.pool.token0, id: token } } }]
      const exit = yield* Dex.use((dex) => dex.tokenTrades({ ...place, token: TokenAddress.make(token) })).pipe(
        Effect.provide(layerOf({ tokenTrades: { swaps } })),
        Effect.exit
      )
      assert.include(String(exit), 'The value given for "dex.tokenTrades" is not one that the service can answer')
    })
  )

  it.effect("lists ticks by tick and in pages, and the latest candles or the first since a time", () =>
    Effect.gen(function* () {
      const dex = yield* Dex
      const request = { ...place, pool: PoolAddress.make(address(1)) }
      const toTicks = (rows: ReadonlyArray<{ readonly tick: string }>) => rows.map(({ tick }) => tick)
      assert.deepStrictEqual(toTicks(yield* dex.ticks(request)), ["-60", "0", "120"])
      assert.deepStrictEqual(toTicks(yield* dex.ticks({ ...request, skip: 1, limit: 1 })), ["0"])
      const times = (bounds: { readonly from?: DateTime.Utc; readonly to?: DateTime.Utc; readonly limit?: number }) =>
        Effect.map(dex.candles({ ...request, timeframe: "1m", ...bounds }), ({ candles }) =>
          candles.map(({ openTime }) => DateTime.toEpochMillis(openTime) / 1000)
        )
      assert.deepStrictEqual(yield* times({}), [0, 60, 180])
      assert.deepStrictEqual(yield* times({ limit: 2 }), [60, 180])
      assert.deepStrictEqual(yield* times({ limit: 2, from: second(0) }), [0, 60])
      assert.deepStrictEqual(yield* times({ from: second(60), to: second(60) }), [60])
    }).pipe(
      Effect.provide(
        DexTest.layer({
          ticks: ["120", "-60", "0"].map((tick) => ({ tick, liquidityGross: "1", liquidityNet: "1" })),
          candles: [180, 0, 60].map((at) => ({
            openTime: second(at),
            open: "1",
            high: "3",
            low: "1",
            close: "2",
            volumeToken0: "1",
            volumeToken1: "2",
            volumeUSD: "2",
            txCount: "1"
          }))
        })
      )
    )
  )

  it.effect("answers blockchains and totals", () =>
    Effect.gen(function* () {
      const dex = yield* Dex
      assert.lengthOf(yield* dex.blockchains({ exchange: "uniswap-v3" }), 1)
      const { asOf, value } = yield* dex.withResponse.deployments({ ...place, block: 3 })
      assert.strictEqual(value[0]?.poolCount, "2")
      assert.strictEqual(Option.getOrThrow(asOf).number, 3n)
    }).pipe(
      Effect.provide(
        layerOf({
          head: 5,
          blockchains: [{ id: "devnet", name: "Devnet" }],
          deployments: [{ id: address(1), ...totals }]
        })
      )
    )
  )
})

describe("a Dex for tests", () => {
  it.effect("is read by streams, which fail if a reorg replaces their block", () =>
    Effect.gen(function* () {
      const pools = Array.from({ length: 9 }, (_, index) => DexTest.pool({ id: address(index) }))
      const script = { head: 100, pools }
      const request = { ...place, pageSize: 4 }
      const all = yield* Stream.runCollect(DexStream.pools(request)).pipe(Effect.provide(DexTest.layer(script)))
      assert.deepStrictEqual(
        all.map(({ id }) => id as string),
        pools.map(({ id }) => id)
      )
      const reorged = Dex.layerNoDeps.pipe(
        Layer.provide(Client.layerNoDeps({ baseUrl: "http://service.test" })),
        Layer.provide(Faults.reorg({ skip: 1, block: 100 })),
        Layer.provide(DexTest.layerHttp(script))
      )
      const error = yield* Effect.flip(Stream.runDrain(DexStream.pools(request)).pipe(Effect.provide(reorged)))
      assert.strictEqual(error._tag, "BlockReplaced")
    })
  )
})

const second = (seconds: number) => DateTime.makeUnsafe(seconds * 1000)

const trades = {
  swaps: [
    DexTest.swap({ timestamp: second(0), logIndex: "1", id: "0xaa#1" }),
    DexTest.swap({ timestamp: second(1), logIndex: "9", id: "0xbb#9" }),
    DexTest.swap({ timestamp: second(1), logIndex: "10", id: "0xbb#10" })
  ],
  mints: [DexTest.mint({ timestamp: second(2) })]
}

const totals = {
  poolCount: "2",
  txCount: "0",
  totalVolumeUSD: "0",
  untrackedVolumeUSD: "0",
  totalVolumeETH: "0",
  totalValueLockedUSD: "0",
  totalValueLockedETH: "0",
  totalFeesUSD: "0",
  totalFeesETH: "0",
  owner: address(0)
}

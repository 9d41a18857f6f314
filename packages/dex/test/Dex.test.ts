import { Client, Decimal, PoolAddress, TokenAddress } from "@chaintape/core"
import { Dex } from "@chaintape/dex"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

const address = (digit: string) => `0x${digit.repeat(40)}`

const poolToken = (id: string, symbol: string) => ({
  id,
  name: `The ${symbol}`,
  symbol,
  decimals: "18",
  supply: "1066666666666666756145152",
  totalValueLocked: "25103.544408904696997753",
  totalValueLockedUSD: "75873518.14194178930584020207309009",
  volume: "2332.357365190954226838",
  volumeUSD: "6917750.954127726073921129545465084",
  untrackedVolumeUSD: "6916746.887806289648645274628307942",
  txCount: "571",
  derivedETH: "1",
  feesUSD: "11769.06432275632490765918247000698",
  poolCount: "6"
})

const token = { ...poolToken(address("a"), "WETH"), totalValueLockedUSDUntracked: "0" }

const pool = {
  id: address("c"),
  createdAtBlockNumber: "2",
  createdAtTimestamp: "1767323045",
  feeGrowthGlobal0X128: "203896700285877372599078769559",
  feeGrowthGlobal1X128: "26426915185698401910681895499967914993",
  feeTier: "500",
  feesUSD: "1879.489823966763058083404486765559",
  liquidity: "3270857609280506592",
  liquidityProviderCount: "0",
  observationIndex: "16",
  sqrtPrice: "1441126137373005970475086940390282",
  tick: "",
  token0Price: "3022.422527514801156889149014952188",
  token1Price: "0.0003308604243438636436483072290016286",
  totalValueLockedToken0: "30923946.75432",
  totalValueLockedToken1: "-0.000000000000000001",
  totalValueLockedETH: "20121.05728870712077611371941784711",
  totalValueLockedUSD: "60814336.82680428810909509887128387",
  totalValueLockedUSDUntracked: "0",
  txCount: "108",
  volumeUSD: "3758979.64793352611616680897353111",
  volumeToken0: "3895565.411437",
  volumeToken1: "1286.839816303864469652",
  untrackedVolumeUSD: "3758979.64793352611616680897353111",
  token0: poolToken(address("a"), "WETH"),
  token1: poolToken(address("b"), "USDC")
}

const transactionId = `0x${"1".repeat(64)}`
const tradeToken = (id: string) => ({ id, name: "A token", symbol: "TKN" })
const swap = {
  id: `${transactionId}#15`,
  amount0: "-55067.789249",
  amount1: "18.223285897875345408",
  amountUSD: "55089.99921331362121548275715628055",
  logIndex: "15",
  origin: address("9"),
  timestamp: "1767323045",
  pool: { token0: tradeToken(address("a")), token1: tradeToken(address("b")) },
  transactionId,
  sender: address("8"),
  recipient: address("9"),
  sqrtPriceX96: "1441126137373005970475086940390282"
}

const deployment = {
  id: address("f"),
  poolCount: "9",
  txCount: "809",
  totalVolumeUSD: "23958381.7089067304515714082474219",
  untrackedVolumeUSD: "23957312.71025667024993642613178475",
  totalVolumeETH: "7907.031713256147678849964581708582",
  totalValueLockedUSD: "192789400.1562568521468310893376774",
  totalValueLockedETH: "63786.38274469807394870785669375656",
  totalFeesUSD: "14154.04444802269338525467865591949",
  totalFeesETH: "4.674176255811461024199749008582906",
  owner: address("e")
}

const uniswap = "/v2/dex/uniswap-v3"
const answers: Readonly<Record<string, unknown>> = {
  [uniswap]: [{ id: "devnet", name: "Devnet" }],
  [`${uniswap}/devnet`]: [deployment],
  [`${uniswap}/devnet/tokens`]: [token],
  [`${uniswap}/devnet/pools`]: [pool],
  [`${uniswap}/devnet/pool/${pool.id}`]: pool,
  [`${uniswap}/devnet/pool/${pool.id}/trades`]: { pool: pool.id, swaps: [swap] },
  [`${uniswap}/devnet/token/${token.id}/trades`]: { token: token.id, swapsAs0: [swap], swapsAs1: [] }
}

const fetch: typeof globalThis.fetch = async (input) =>
  Response.json(answers[new URL(String(input)).pathname], {
    headers: { "chaintape-source": "index", "chaintape-as-of": 'number=17, hash="0xab", finalized=?0, proven=?1' }
  })

const options = { baseUrl: "http://stub.test" }
const place = { exchange: "uniswap-v3", blockchain: "devnet" }

const layers = {
  "Dex.layer": Dex.layer(options),
  "Dex.layerNoDeps": Dex.layerNoDeps.pipe(Layer.provide(Client.layer(options))),
  "Dex.layerConfig": Dex.layerConfig().pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ CHAINTAPE_BASE_URL: options.baseUrl })))
  )
}

const over =
  (fetch: typeof globalThis.fetch, layer: Layer.Layer<Dex, unknown>) =>
  <A, E>(effect: Effect.Effect<A, E, Dex>) =>
    effect.pipe(Effect.provide(layer), Effect.provideService(FetchHttpClient.Fetch, fetch))

describe.each(Object.entries(layers))("%s", (_, layer) => {
  const provided = over(fetch, layer)

  it.effect("reads where an exchange is, and its totals", () =>
    provided(
      Effect.gen(function* () {
        const dex = yield* Dex
        const [blockchain] = yield* dex.blockchains({ exchange: "uniswap-v3" })
        assert.strictEqual(blockchain?.name, "Devnet")
        assert.deepStrictEqual<unknown>(yield* dex.deployments(place), [deployment])
      })
    )
  )

  it.effect("reads tokens and pools with every digit, and times as times", () =>
    provided(
      Effect.gen(function* () {
        const dex = yield* Dex
        const [first] = yield* dex.tokens(place)
        assert.strictEqual<unknown>(first?.totalValueLockedUSD, token.totalValueLockedUSD)
        const [found] = yield* dex.pools(place)
        const one = yield* dex.pool({ ...place, pool: PoolAddress.make(pool.id) })
        assert.deepStrictEqual(found, one)
        assert.strictEqual(Decimal.toBigInt(one.liquidity), 3_270_857_609_280_506_592n)
        assert.deepStrictEqual(one.createdAtTimestamp, DateTime.makeUnsafe("2026-01-02T03:04:05Z"))
        assert.strictEqual(one.tick, "")
      })
    )
  )

  it.effect("reads the trades of a pool and of a token; what was switched off is absent", () =>
    provided(
      Effect.gen(function* () {
        const dex = yield* Dex
        const ofPool = yield* dex.poolTrades({ ...place, pool: PoolAddress.make(pool.id), mint: false, burn: false })
        assert.deepStrictEqual(Object.keys(ofPool), ["pool", "swaps"])
        const ofToken = yield* dex.tokenTrades({ ...place, token: TokenAddress.make(token.id) })
        assert.deepStrictEqual(ofToken.swapsAs0, ofPool.swaps)
        assert.deepStrictEqual(
          ofToken.swapsAs0?.map(({ amount0 }) => Decimal.toNumber(amount0)),
          [-55_067.789249]
        )
      })
    )
  )

  it.effect("says as of which block, and from which source", () =>
    provided(
      Effect.gen(function* () {
        const { asOf, source } = yield* (yield* Dex).withResponse.pools(place)
        assert.deepStrictEqual(asOf, Option.some({ number: 17n, hash: "0xab", finalized: false, proven: true }))
        assert.deepStrictEqual(source, Option.some("index"))
      })
    )
  )
})

describe("a request", () => {
  it.effect("carries a window in milliseconds, a block, and what is switched off", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const listening: typeof globalThis.fetch = (input, init) => {
        asked.push(new URL(String(input)).search)
        return fetch(input, init)
      }
      const from = DateTime.makeUnsafe("2026-01-02T03:04:05Z")
      const request = { ...place, token: TokenAddress.make(token.id), from, block: 12, swap: false, quote: false }
      yield* over(listening, Dex.layer(options))(Effect.flatMap(Dex, (dex) => dex.tokenTrades(request)))
      const [search = ""] = asked
      assert.deepStrictEqual(Object.fromEntries(new URLSearchParams(search)), {
        from: "1767323045000",
        block: "12",
        swap: "false",
        quote: "false"
      })
    })
  )
})

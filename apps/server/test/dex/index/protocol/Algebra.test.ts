import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { encodeAbiParameters, parseAbiParameters, toEventSelector, toFunctionSelector } from "viem"
import type { ChainLog } from "../../../../src/dex/index/decode/ChainEvents.ts"
import { algebra1 } from "../../../../src/dex/index/protocol/Algebra1.ts"
import { algebra2 } from "../../../../src/dex/index/protocol/Algebra2.ts"
import { algebraIntegral } from "../../../../src/dex/index/protocol/AlgebraIntegral.ts"

const Amount = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: (1n << 128n) - 1n }))
const Fee = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 24 - 1 }))
const Tick = Schema.Int.check(Schema.isBetween({ minimum: -887_272, maximum: 887_272 }))

const position = { blockNumber: 7, transactionHash: `0x${"ab".repeat(32)}`, logIndex: 3 }
const address = `0x${"0".repeat(38)}aa`
const party = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`
const topicOf = (account: string) => `0x${account.slice(2).padStart(64, "0")}`
const tickTopic = (tick: number) => encodeAbiParameters(parseAbiParameters("int24"), [tick])

const toLog = (signature: string, topics: ReadonlyArray<string>, data: string): ChainLog => ({
  ...position,
  address,
  topics: [toEventSelector(signature), ...topics],
  data
})
const word = (value: number | bigint) => encodeAbiParameters(parseAbiParameters("uint256"), [BigInt(value)])
const words = (...values: ReadonlyArray<number | bigint>): `0x${string}` =>
  `0x${values.map((value) => word(value).slice(2)).join("")}`

/** Each release, or line of releases, of its own. */
const versions = [algebra1, algebra2, algebraIntegral]
const ofPool = { ...position, pool: address }

/** The same log with a word less, and with a topic less. */
const malformed = (log: ChainLog): ReadonlyArray<ChainLog> => [
  { ...log, data: log.data.slice(0, -64) },
  { ...log, topics: log.topics.slice(0, -1) }
]

describe("the adapters of Algebra", () => {
  it("decode the creation of a pool, whose first fee no event states", () => {
    const log = toLog("Pool(address,address,address)", [topicOf(party("1")), topicOf(party("2"))], words(0xcc))
    const created = { ...position, event: "PoolCreated", token0: party("1"), token1: party("2"), tickSpacing: 1 }
    const pool = `0x${"0".repeat(38)}cc`
    assert.deepStrictEqual(
      versions.map(({ decodeFactoryLog }) => decodeFactoryLog(log)),
      versions.map(() => ({ ...created, event: "PoolCreated" as const, pool }))
    )
    assert.deepStrictEqual(
      versions.map(({ fee }) => fee),
      [100, 100, 0]
    )
    for (const { decodeFactoryLog } of versions)
      for (const other of malformed(log)) assert.isUndefined(decodeFactoryLog(other))
    const custom = toLog(
      "CustomPool(address,address,address,address)",
      [party("9"), party("1"), party("2")].map(topicOf),
      words(0xcc)
    )
    assert.deepStrictEqual(algebraIntegral.decodeFactoryLog(custom), { ...created, event: "PoolCreated", pool })
    for (const { decodeFactoryLog } of [algebra1, algebra2]) assert.isUndefined(decodeFactoryLog(custom))
    for (const other of malformed(custom)) assert.isUndefined(algebraIntegral.decodeFactoryLog(other))
  })

  it("decode the owner of the factory", () => {
    const log = toLog("OwnershipTransferred(address,address)", [topicOf(party("1")), topicOf(party("2"))], "0x")
    const first = toLog("Owner(address)", [topicOf(party("2"))], "0x")
    for (const { decodeFactoryLog, factoryTopics } of versions) {
      const own = decodeFactoryLog === algebra1.decodeFactoryLog ? first : log
      assert.deepStrictEqual(decodeFactoryLog(own), { ...position, event: "OwnerChanged", newOwner: party("2") })
      assert.include(factoryTopics, own.topics[0] ?? "")
      assert.isUndefined(decodeFactoryLog({ ...own, topics: own.topics.slice(0, -1) }))
    }
  })

  it.prop("decode a fee", [Fee], ([fee]) => {
    const log = toLog("Fee(uint16)", [], words(fee))
    for (const { decodePoolLog, poolTopics } of versions) {
      assert.deepStrictEqual(decodePoolLog(log), { ...ofPool, event: "Fee", fee: BigInt(fee) })
      assert.include(poolTopics, log.topics[0] ?? "")
      for (const other of malformed(log)) assert.isUndefined(decodePoolLog(other))
    }
  })

  it.prop(
    "decode the fees of a swap in a log of their own, or in that of the swap",
    [Fee, Fee, Amount, Tick],
    ([override, plugin, amount, tick]) => {
      const fees = { override: BigInt(override), plugin: BigInt(plugin) }
      const own = toLog("SwapFee(address,uint24,uint24)", [topicOf(party("1"))], words(override, plugin))
      const { decodePoolLog, poolTopics } = algebraIntegral
      assert.deepStrictEqual(decodePoolLog(own), { ...ofPool, event: "SwapFee", fees })
      const list = "address,address,int256,int256,uint160,uint128,int24"
      const parties = [topicOf(party("1")), topicOf(party("2"))]
      const values = parseAbiParameters("int256,int256,uint160,uint128,int24")
      const data = encodeAbiParameters(values, [amount, -amount, amount, amount, tick])
      const swap = {
        ...ofPool,
        event: "Swap",
        sender: party("1"),
        recipient: party("2"),
        amount0: amount,
        amount1: -amount,
        sqrtPriceX96: amount,
        liquidity: amount,
        tick
      }
      const long = toLog(`Swap(${list},uint24,uint24)`, parties, `${data}${words(override, plugin).slice(2)}`)
      const short = toLog(`Swap(${list})`, parties, data)
      assert.deepStrictEqual<unknown>(decodePoolLog(long), { ...swap, fees })
      for (const adapter of versions) assert.deepStrictEqual<unknown>(adapter.decodePoolLog(short), swap)
      for (const log of [own, long, short]) {
        for (const other of malformed(log)) assert.isUndefined(decodePoolLog(other))
        assert.include(poolTopics, log.topics[0] ?? "")
      }
      for (const log of [own, long]) {
        for (const { decodePoolLog } of [algebra1, algebra2]) assert.isUndefined(decodePoolLog(log))
      }
    }
  )

  it.prop("decode a burn with the fee of the plugin", [Amount, Fee, Tick], ([amount, fee, tick]) => {
    const topics = [topicOf(party("1")), tickTopic(tick), tickTopic(tick)]
    const signature = "Burn(address,int24,int24,uint128,uint256,uint256"
    const burn = {
      ...ofPool,
      event: "Burn" as const,
      owner: party("1"),
      tickLower: tick,
      tickUpper: tick,
      amount,
      amount0: 1n,
      amount1: 2n
    }
    const long = toLog(`${signature},uint24)`, topics, words(amount, 1n, 2n, fee))
    const short = toLog(`${signature})`, topics, words(amount, 1n, 2n))
    assert.deepStrictEqual(algebraIntegral.decodePoolLog(long), burn)
    for (const { decodePoolLog } of versions) assert.deepStrictEqual(decodePoolLog(short), burn)
    assert.isUndefined(algebra2.decodePoolLog(long))
    assert.include(algebraIntegral.poolTopics, long.topics[0] ?? "")
    for (const other of malformed(long)) assert.isUndefined(algebraIntegral.decodePoolLog(other))
  })

  it("decode tokens that are distributed without a call", () => {
    const log = toLog("ExcessTokens(uint256,uint256)", [], words(1, 2))
    assert.deepStrictEqual(algebraIntegral.decodePoolLog(log), { ...ofPool, event: "ExcessTokens" })
    assert.isUndefined(algebra2.decodePoolLog(log))
    assert.include(algebraIntegral.poolTopics, log.topics[0] ?? "")
    for (const other of malformed(log)) assert.isUndefined(algebraIntegral.decodePoolLog(other))
  })

  it("read the state of a pool by its own functions, or nothing", () => {
    const names = ["globalState", "liquidity", "totalFeeGrowth0Token", "totalFeeGrowth1Token"]
    const [negative, rest] = [(1n << 256n) - 5n, [word(7), word(8), word(9), words(10, 11)]]
    const facts = { kind: "pool" as const, sqrtPrice: 3n, tick: -5, feeGrowthGlobal0X128: 8n, feeGrowthGlobal1X128: 9n }
    const holdings = { fee: 600n, liquidity: 7n, reserve0: 10n, reserve1: 11n }
    for (const { state } of versions) {
      const own = state === algebra1.state ? names : [...names, "getReserves"]
      assert.strictEqual(state.hasBalances, own === names)
      assert.deepStrictEqual(
        state.calls.map(({ selector }) => selector),
        own.map((name) => toFunctionSelector(`${name}()`))
      )
      for (const [at] of own.entries()) {
        const results = [words(3, negative, 600, 4, 5), ...rest].with(at, "0x")
        assert.isUndefined(state.read(results), names[at])
      }
    }
    const first = [words(3, negative, 600, 21), ...rest.slice(0, 3)]
    assert.deepStrictEqual(algebra1.state.read([...first, word(10), word(11)]), {
      ...facts,
      observationIndex: 21,
      holdings
    })
    // A token whose contract fails states nothing.
    for (const [result, reserve] of [
      [word(10), 10n],
      ["0x", undefined]
    ] as const) {
      assert.deepStrictEqual(algebra1.state.read([...first, result, "0x"]), {
        ...facts,
        observationIndex: 21,
        holdings: { ...holdings, reserve0: reserve, reserve1: undefined }
      })
    }
    assert.deepStrictEqual(algebra2.state.read([words(3, negative, 77, 600, 21, 150, 1), ...rest]), {
      ...facts,
      observationIndex: 21,
      holdings
    })
    assert.deepStrictEqual(algebraIntegral.state.read([words(3, negative, 600, 5, 150, 1), ...rest]), {
      ...facts,
      observationIndex: 0,
      holdings
    })
  })
})

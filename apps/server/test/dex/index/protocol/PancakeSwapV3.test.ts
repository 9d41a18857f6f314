import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { encodeAbiParameters, parseAbiParameters, toEventSelector } from "viem"
import { pancakeSwapV3 } from "../../../../src/dex/index/protocol/PancakeSwapV3.ts"
import { topics } from "../../../../src/dex/index/protocol/UniswapV3.ts"

const Amount = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: (1n << 128n) - 1n }))
const Share = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 32 - 1 }))
const Tick = Schema.Int.check(Schema.isBetween({ minimum: -887_272, maximum: 887_272 }))

const swapTopic = toEventSelector("Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)")
const feeTopic = toEventSelector("SetFeeProtocol(uint32,uint32,uint32,uint32)")

const position = { blockNumber: 7, transactionHash: `0x${"ab".repeat(32)}`, logIndex: 3 }
const address = `0x${"0".repeat(38)}aa`
const party = (digit: string) => `0x${digit.repeat(40)}`
const topicOf = (account: string) => `0x${account.slice(2).padStart(64, "0")}`

const swapLog = (values: readonly [bigint, bigint, bigint, bigint, number, bigint, bigint]) => ({
  ...position,
  address,
  topics: [swapTopic, topicOf(party("1")), topicOf(party("2"))],
  data: encodeAbiParameters(parseAbiParameters("int256,int256,uint160,uint128,int24,uint128,uint128"), values)
})

describe("the adapter of PancakeSwap V3", () => {
  it.prop("decodes a swap with the protocol's parts of its fees", [Amount, Amount, Tick, Amount], ([a, b, tick, c]) => {
    const log = swapLog([a, -b, c, b, tick, a, c])
    assert.deepStrictEqual(pancakeSwapV3.decodePoolLog(log), {
      ...position,
      event: "Swap",
      pool: address,
      sender: party("1"),
      recipient: party("2"),
      amount0: a,
      amount1: -b,
      sqrtPriceX96: c,
      liquidity: b,
      tick,
      protocolFee0: a,
      protocolFee1: c
    })
    assert.isUndefined(pancakeSwapV3.decodePoolLog({ ...log, data: log.data.slice(0, -64) }))
    assert.isUndefined(pancakeSwapV3.decodePoolLog({ ...log, topics: log.topics.slice(1) }))
  })

  it.prop("decodes shares of 32 bits", [Share, Share, Share, Share], (shares) => {
    const data = encodeAbiParameters(parseAbiParameters("uint32,uint32,uint32,uint32"), shares)
    assert.deepStrictEqual(pancakeSwapV3.decodePoolLog({ ...position, address, topics: [feeTopic], data }), {
      ...position,
      event: "SetFeeProtocol",
      pool: address,
      feeProtocol0New: shares[2],
      feeProtocol1New: shares[3]
    })
  })

  it("reads no swap and no share in the shape of Uniswap V3", () => {
    const { data, topics: given } = swapLog([1n, -1n, 1n, 1n, 0, 0n, 0n])
    const swap = { ...position, address, topics: [topics.Swap, ...given.slice(1)], data: data.slice(0, 2 + 5 * 64) }
    const shares = { ...position, address, topics: [topics.SetFeeProtocol], data: data.slice(0, 2 + 4 * 64) }
    for (const log of [swap, shares]) assert.isUndefined(pancakeSwapV3.decodePoolLog(log))
    assert.notInclude(pancakeSwapV3.poolTopics, topics.Swap)
    assert.notInclude(pancakeSwapV3.poolTopics, topics.SetFeeProtocol)
    assert.includeMembers([...pancakeSwapV3.poolTopics], [swapTopic, feeTopic, topics.Mint, topics.Flash])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { encodeAbiParameters, encodeEventTopics, parseAbi, parseAbiParameters, toEventSelector } from "viem"
import {
  decodePairCreated,
  decodePairLog,
  isSupplyChange,
  pairTopics
} from "../../../../src/dex/index/protocol/UniswapV2.ts"
import { accountOf, noAccount, transferLog } from "../decode/PairLogs.ts"

const Amount = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: (1n << 112n) - 1n }))

const signatures = {
  PairCreated: "PairCreated(address,address,address,uint256)",
  Mint: "Mint(address,uint256,uint256)",
  Burn: "Burn(address,uint256,uint256,address)",
  Swap: "Swap(address,uint256,uint256,uint256,uint256,address)",
  Sync: "Sync(uint112,uint112)",
  Transfer: "Transfer(address,address,uint256)"
}

const abi = parseAbi([
  "event PairCreated(address indexed token0, address indexed token1, address pair, uint256 count)",
  "event Mint(address indexed sender, uint256 amount0, uint256 amount1)",
  "event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)",
  "event Swap(address indexed sender, uint256 in0, uint256 in1, uint256 out0, uint256 out1, address indexed to)",
  "event Sync(uint112 reserve0, uint112 reserve1)"
])

const position = { blockNumber: 7, transactionHash: `0x${"ab".repeat(32)}`, logIndex: 3 }
const pair = accountOf("a")
const [one, two] = ["0x1111111111111111111111111111111111111111", "0x2222222222222222222222222222222222222222"] as const

const toLog = (topics: ReadonlyArray<unknown>, data: string) => ({
  ...position,
  address: pair,
  topics: topics.map(String),
  data
})

const amounts = (values: ReadonlyArray<bigint>) =>
  encodeAbiParameters(
    values.map(() => ({ type: "uint256" })),
    values
  )

describe("the logs of Uniswap V2", () => {
  it("knows the topics of the signatures", () => {
    for (const [name, topic] of Object.entries(pairTopics)) {
      assert.strictEqual(topic, toEventSelector(signatures[name as keyof typeof signatures]))
    }
  })

  it.prop("decodes what viem encodes", [Amount, Amount, Amount, Amount], ([a, b, c, d]) => {
    const at = { ...position, pool: pair }
    const swap = toLog(
      encodeEventTopics({ abi, eventName: "Swap", args: { sender: one, to: two } }),
      amounts([a, b, c, d])
    )
    assert.deepStrictEqual(decodePairLog(swap), {
      event: "PairSwap",
      ...at,
      sender: one,
      to: two,
      in0: a,
      in1: b,
      out0: c,
      out1: d
    })
    const burn = toLog(encodeEventTopics({ abi, eventName: "Burn", args: { sender: one, to: two } }), amounts([a, b]))
    assert.deepStrictEqual(decodePairLog(burn), {
      event: "PairBurn",
      ...at,
      sender: one,
      to: two,
      amount0: a,
      amount1: b
    })
    const mint = toLog(encodeEventTopics({ abi, eventName: "Mint", args: { sender: two } }), amounts([a, b]))
    assert.deepStrictEqual(decodePairLog(mint), { event: "PairMint", ...at, sender: two, amount0: a, amount1: b })
    const sync = toLog(encodeEventTopics({ abi, eventName: "Sync" }), amounts([c, d]))
    assert.deepStrictEqual(decodePairLog(sync), { event: "Sync", ...at, reserve0: c, reserve1: d })
    for (const log of [swap, burn, mint, sync]) {
      assert.isUndefined(decodePairLog({ ...log, data: log.data.slice(0, -64) }))
      assert.isUndefined(decodePairLog({ ...log, topics: [...log.topics, log.topics[0] ?? ""] }))
    }
  })

  it("decodes the creation of a pair, without fee and ticks", () => {
    const created = toLog(
      encodeEventTopics({ abi, eventName: "PairCreated", args: { token0: one, token1: two } }),
      encodeAbiParameters(parseAbiParameters("address, uint256"), ["0x3333333333333333333333333333333333333333", 9n])
    )
    assert.deepStrictEqual(decodePairCreated(created), {
      ...position,
      event: "PoolCreated",
      token0: one,
      token1: two,
      pool: accountOf("3")
    })
    assert.isUndefined(decodePairCreated({ ...created, topics: created.topics.slice(1) }))
    assert.isUndefined(decodePairCreated({ ...created, data: created.data.slice(0, -64) }))
  })

  it("takes the transfers that create and destroy LP tokens, and no others", () => {
    const at = { pair, logIndex: 3 }
    const changeOf = (from: string, to: string, amount = 5n) => {
      const log = transferLog(at, from, to, amount)
      const decoded = decodePairLog(log)
      assert.strictEqual(isSupplyChange(log), decoded !== undefined)
      return decoded?.event === "SupplyChange" ? decoded.change : undefined
    }
    assert.strictEqual(changeOf(noAccount, one), 5n)
    assert.strictEqual(changeOf(noAccount, noAccount), 5n)
    assert.strictEqual(changeOf(pair, noAccount), -5n)
    // A holder that sends LP tokens to the zero address leaves the supply as it is.
    assert.isUndefined(changeOf(one, noAccount))
    assert.isUndefined(changeOf(one, pair))
    assert.isUndefined(changeOf(pair, one))
    // Anyone may call transferFrom for no LP tokens at all, of any account.
    assert.isUndefined(changeOf(noAccount, one, 0n))
    assert.isUndefined(changeOf(pair, noAccount, 0n))
    // The identity of a token, in place of an amount.
    const log = transferLog(at, noAccount, one, 5n)
    assert.isUndefined(decodePairLog({ ...log, topics: [...log.topics, log.topics[1] ?? ""], data: "0x" }))
  })
})

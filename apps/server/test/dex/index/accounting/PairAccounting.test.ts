import { assert, describe, it } from "@effect/vitest"
import { applyBlock } from "../../../../src/dex/index/accounting/Accounting.ts"
import { toAccountingRules } from "../../../../src/dex/index/accounting/AccountingRules.ts"
import { emptyState } from "../../../../src/dex/index/accounting/AccountingState.ts"
import type { ChainLog } from "../../../../src/dex/index/decode/ChainEvents.ts"
import type { BlockFacts, PairFacts } from "../../../../src/dex/index/decode/ChainFacts.ts"
import type { IndexConfig } from "../../../../src/dex/index/IndexConfig.ts"
import { decodePairLog } from "../../../../src/dex/index/protocol/UniswapV2.ts"
import { accountOf, burnLog, mintLog, noAccount, swapLog, syncLog, transferLog } from "../decode/PairLogs.ts"

const [dollar, coin, pair] = [accountOf("1"), accountOf("2"), accountOf("a")]
const [trader, holder] = [accountOf("b"), accountOf("c")]

const config: IndexConfig = {
  key: "uniswap-v2/test",
  protocol: "uniswap-v2",
  blockchain: "test",
  rpc: [],
  finality: 0,
  factory: accountOf("f"),
  startBlock: 1,
  referenceToken: coin,
  stablePool: pair,
  whitelist: [coin, dollar],
  stablecoins: [dollar],
  minimumNativeLocked: "1"
}

const tokenOf = (symbol: string, decimals: number) => ({ name: symbol, symbol, decimals, supply: "0" })

const factsOf = (logs: ReadonlyArray<ChainLog>, stated?: PairFacts): BlockFacts => ({
  number: 7,
  hash: "0x",
  parentHash: "0x",
  timestamp: 100,
  proof: "none",
  seeds: [],
  events: logs.flatMap((log) => decodePairLog(log) ?? []),
  origins: new Map([[logs[0]?.transactionHash ?? "", trader]]),
  tokens: new Map(),
  pools: new Map(stated === undefined ? [] : [[pair, stated]]),
  owner: undefined
})

/** A pair of a dollar with 6 decimals and a coin with 18, before its first mint. */
const begin = (changes: Partial<IndexConfig> = {}) => {
  const rules = toAccountingRules({ ...config, ...changes })
  const state = emptyState()
  const creation = { event: "PoolCreated", token0: dollar, token1: coin, pool: pair } as const
  applyBlock(rules, state, {
    ...factsOf([]),
    events: [{ ...creation, blockNumber: 7, transactionHash: "0x", logIndex: 0 }],
    tokens: new Map([
      [dollar, tokenOf("USD", 6)],
      [coin, tokenOf("COIN", 18)]
    ])
  })
  const apply = (logs: ReadonlyArray<ChainLog>, stated?: PairFacts) => applyBlock(rules, state, factsOf(logs, stated))
  return { state, apply }
}

const usd = 10n ** 6n
const whole = 10n ** 18n
const at = (logIndex: number) => ({ pair, logIndex })

/** 20,000 dollars and 10 coins. */
const firstMint = [
  transferLog(at(0), noAccount, noAccount, 1000n),
  transferLog(at(1), noAccount, holder, 499_000n),
  syncLog(at(2), 20_000n * usd, 10n * whole),
  mintLog(at(3), trader, 20_000n * usd, 10n * whole)
]

describe("the accounting of pairs", () => {
  it("takes what a pair holds, its price and its supply from the events", () => {
    const { apply } = begin()
    const { block } = apply(firstMint, {
      kind: "pair",
      reserve0: 20_000n * usd,
      reserve1: 10n * whole,
      supply: 500_000n
    })
    const [pool] = block.pools
    assert.deepInclude(pool, {
      liquidity: "500000",
      feeTier: "3000",
      token0Price: "2000",
      token1Price: "0.0005",
      totalValueLockedToken0: "20000",
      totalValueLockedToken1: "10",
      totalValueLockedETH: "20",
      totalValueLockedUSD: "40000",
      txCount: "1",
      sqrtPrice: "",
      tick: ""
    })
    assert.deepStrictEqual(block.initialPrices, [{ pool: pair, sqrtPrice: "", price: "0.0005" }])
    // There is no price before the first mint: the value is 0. The first 1,000 LP tokens are not those of the provider.
    assert.deepStrictEqual(
      block.trades.map(({ kind, row }) => ({ kind, usd: row.amountUSD, liquidity: "amount" in row ? row.amount : "" })),
      [{ kind: "mint", usd: "0", liquidity: "499000" }]
    )
    assert.deepInclude(block.trades[0]?.row, { owner: holder, sender: trader, origin: trader })
    assert.deepInclude(block.trades[0], { tickLower: null, tickUpper: null })
  })

  it("values a swap at the prices before it, and states the price after it", () => {
    const { apply } = begin()
    apply(firstMint)
    const { block } = apply([
      syncLog(at(4), 22_000n * usd, 9n * whole),
      swapLog(at(5), trader, holder, [2000n * usd, 0n, 0n, whole])
    ])
    const [trade] = block.trades
    assert.deepInclude(trade?.row, {
      amount0: "2000",
      amount1: "-1",
      amountUSD: "2000",
      sender: trader,
      recipient: holder,
      sqrtPriceX96: ""
    })
    assert.deepInclude(trade, { price: "0.0004090909090909090909090909090909091" })
    assert.deepInclude(block.deployment, {
      totalVolumeUSD: "2000",
      totalFeesUSD: "6",
      totalFeesETH: "0.003",
      txCount: "2"
    })
    assert.deepInclude(block.pools[0], { token1Price: "0.0004090909090909090909090909090909091", volumeToken1: "1" })
    assert.deepStrictEqual(block.initialPrices, [])
  })

  it("subtracts what comes back of a token that is borrowed", () => {
    const { apply } = begin()
    apply(firstMint)
    const { block } = apply([
      syncLog(at(4), 20_006n * usd, 10n * whole),
      swapLog(at(5), trader, holder, [2006n * usd, 0n, 2000n * usd, 0n])
    ])
    assert.deepInclude(block.trades[0]?.row, { amount0: "6", amount1: "0", amountUSD: "3" })
  })

  it("applies reserves that no trade explains, without a record", () => {
    const { apply } = begin()
    apply(firstMint)
    const { block, contradiction } = apply([syncLog(at(4), 40_000n * usd, 10n * whole)], {
      kind: "pair",
      reserve0: 40_000n * usd,
      reserve1: 10n * whole,
      supply: 500_000n
    })
    assert.isUndefined(contradiction)
    assert.deepStrictEqual(block.trades, [])
    assert.deepInclude(block.pools[0], { token0Price: "4000", totalValueLockedUSD: "80000", txCount: "1" })
    assert.strictEqual(block.deployment?.nativeUSD, "4000")
  })

  it("counts the LP tokens of the receiver of fees in the supply, and not in the burn", () => {
    const { apply } = begin()
    apply(firstMint)
    const { block } = apply([
      transferLog(at(4), noAccount, accountOf("f"), 300n),
      transferLog(at(5), pair, noAccount, 100_000n),
      syncLog(at(6), 16_000n * usd, 8n * whole),
      burnLog(at(7), trader, holder, 4000n * usd, 2n * whole)
    ])
    assert.strictEqual(block.pools[0]?.liquidity, "400300")
    assert.deepInclude(block.trades[0]?.row, { amount: "100000", owner: trader, amountUSD: "8000" })
    assert.deepInclude(
      block.tokens.find(({ id }) => id === coin),
      { totalValueLocked: "8" }
    )
  })

  it("reports a contradiction if the contract has other reserves or another supply", () => {
    const right: PairFacts = { kind: "pair", reserve0: 20_000n * usd, reserve1: 10n * whole, supply: 500_000n }
    assert.isUndefined(begin().apply(firstMint, right).contradiction)
    for (const wrong of [
      { ...right, reserve0: right.reserve0 + 1n },
      { ...right, reserve1: right.reserve1 - 1n },
      { ...right, supply: 499_000n }
    ]) {
      assert.strictEqual(
        begin().apply(firstMint, wrong).contradiction,
        `answered with events of pool "${pair}" that lead to other reserves or another supply than its contract states in block 7`
      )
    }
    assert.match(begin().apply(firstMint.slice(0, 2)).contradiction ?? "", /are not those of whole calls$/)
  })

  it("undoes a block", () => {
    const { apply, state } = begin()
    apply(firstMint)
    const before = structuredClone([...state.pools.keys()])
    const [pool, totals] = [state.pools.get(pair), state.totals]
    const { undo } = apply([syncLog(at(4), 1n, 1n)])
    assert.notStrictEqual(state.pools.get(pair), pool)
    undo()
    assert.deepStrictEqual([...state.pools.keys()], before)
    assert.strictEqual(state.pools.get(pair), pool)
    assert.strictEqual(state.totals, totals)
  })

  it("takes the fee of a fork from the configuration", () => {
    const { apply } = begin({ fee: 2500 })
    apply(firstMint)
    const { block } = apply([
      syncLog(at(4), 22_000n * usd, 9n * whole),
      swapLog(at(5), trader, holder, [2000n * usd, 0n, 0n, whole])
    ])
    assert.strictEqual(block.pools[0]?.feeTier, "2500")
    assert.strictEqual(block.deployment?.totalFeesUSD, "5")
  })

  it("leaves out a swap that the rules skip, and takes its reserves", () => {
    const { apply } = begin({ skipSwaps: [{ pool: pair }] })
    apply(firstMint)
    const { block } = apply([
      syncLog(at(4), 22_000n * usd, 9n * whole),
      swapLog(at(5), trader, holder, [2000n * usd, 0n, 0n, whole])
    ])
    assert.deepStrictEqual(block.trades, [])
    assert.deepInclude(block.pools[0], { totalValueLockedToken0: "22000", volumeUSD: "0", txCount: "1" })
  })

  it("begins with the price before the first swap, if tokens were given before any mint", () => {
    const { apply } = begin()
    apply([syncLog(at(0), 20_000n * usd, 10n * whole)])
    const { block } = apply([
      syncLog(at(1), 22_000n * usd, 9n * whole),
      swapLog(at(2), trader, holder, [2000n * usd, 0n, 0n, whole])
    ])
    assert.deepStrictEqual(block.initialPrices, [{ pool: pair, sqrtPrice: "", price: "0.0005" }])
  })

  it("begins with the price that an older pair has, and with no other one", () => {
    const rules = toAccountingRules({ ...config, seedPools: [{ pool: pair, token0: dollar, token1: coin, fee: 3000 }] })
    const state = emptyState()
    const stated: PairFacts = { kind: "pair", reserve0: 20_000n * usd, reserve1: 10n * whole, supply: 500_000n }
    const { block } = applyBlock(rules, state, {
      ...factsOf([]),
      seeds: [
        {
          pool: pair,
          token0: dollar,
          token1: coin,
          fee: 3000,
          stated,
          liquidity: stated.supply,
          balance0: stated.reserve0,
          balance1: stated.reserve1
        }
      ],
      tokens: new Map([
        [dollar, tokenOf("USD", 6)],
        [coin, tokenOf("COIN", 18)]
      ])
    })
    assert.deepInclude(block.pools[0], {
      liquidity: "500000",
      token1Price: "0.0005",
      totalValueLockedUSD: "40000",
      tick: ""
    })
    assert.deepStrictEqual(block.initialPrices, [{ pool: pair, sqrtPrice: "", price: "0.0005" }])
    const { block: next } = applyBlock(
      rules,
      state,
      factsOf([
        transferLog(at(1), noAccount, holder, 50_000n),
        syncLog(at(2), 22_000n * usd, 11n * whole),
        mintLog(at(3), trader, 2000n * usd, whole)
      ])
    )
    assert.deepInclude(next.trades[0]?.row, { amountUSD: "4000" })
    assert.deepStrictEqual(next.initialPrices, [])
  })
})

import { Devnet } from "@chaintape/sandbox"
import type { Transaction } from "@chaintape/sandbox"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { encodeFunctionData, parseAbi } from "viem"
import type { Hex } from "viem"
import type { IndexConfig } from "../../../../../src/dex/index/IndexConfig.ts"
import { makeIndexer } from "../../../../../src/dex/index/run/Indexer.ts"
import { casesOf } from "../../../../Cases.ts"
import { withLease } from "../../../../ownership/TestLease.ts"
import { readWords } from "../../../ChainTruth.ts"
import { sumOf } from "../../RecordSums.ts"
import { makeMemoryEntityStore } from "../../store/MemoryEntityStore.ts"
import { makeDraws } from "../../synthetic/SyntheticChain.ts"
import { followToHead } from "../../synthetic/SyntheticIndex.ts"
import { countKinds, countSkims, toDonations, toRecords } from "./PairLedger.ts"
import { readPairLogs } from "./PairTruth.ts"
import type { PairLog } from "./PairTruth.ts"

const traderAbi = parseAbi([
  "function donate(address pair, uint256 amount0, uint256 amount1)",
  "function sync(address pair)",
  "function transferFrom(address from, address to, uint256 value)"
])

const noAccount = `0x${"0".repeat(40)}` as const

/** One of anvil's accounts. */
const taker = "0x90f79bf6eb2c4f870365e785982e1f101e93b906"

const least = casesOf("CHAINTAPE_PAIR_EVENTS", { few: 500, many: 2000 })
const seed = Number(process.env["CHAINTAPE_PAIR_SEED"] ?? 1)

/** An index that followed a devnet through reorgs, and the logs of the branch that is left. */
const followed = Effect.gen(function* () {
  const devnet = yield* Devnet
  const { uniswapV2 } = devnet
  if (uniswapV2 === undefined) return yield* Effect.die(new Error("the devnet has no Uniswap V2"))
  const config: IndexConfig = {
    ...uniswapV2.config,
    key: "uniswap-v2/devnet",
    protocol: "uniswap-v2",
    blockchain: "devnet",
    rpc: [devnet.rpc],
    finality: 16
  }
  const store = makeMemoryEntityStore()
  const indexer = yield* makeIndexer(config).pipe(Effect.provide(store.layer))
  const pairs = uniswapV2.pairs.map(({ address }) => address)
  const draw = makeDraws(seed)
  let reorgs = 0
  let logs: ReadonlyArray<PairLog> = []
  while (logs.filter(({ eventName }) => eventName !== "Transfer").length < least) {
    for (let step = 0; step < 10; step++) yield* devnet.chain.step
    yield* followToHead(indexer)
    yield* devnet.chain.reorg(1 + draw(9))
    reorgs += 1
    yield* followToHead(indexer)
    logs = yield* readPairLogs(devnet.rpc, pairs)
  }
  // A gift that no call takes for some blocks, until `sync()` takes it.
  const [first] = uniswapV2.pairs
  const donation = [first.address, 1_234_567n, 7n] as const
  const toTrader = (data: Hex): Transaction => ({ from: taker, to: uniswapV2.trader, data, gas: 300_000 })
  yield* devnet.chain.run([toTrader(encodeFunctionData({ abi: traderAbi, functionName: "donate", args: donation }))])
  yield* devnet.chain.mine(2)
  // Anyone may transfer no LP tokens of any account, which looks like a mint and a burn.
  const nothing = [
    [noAccount, taker, 0n],
    [first.address, noAccount, 0n]
  ] as const
  yield* devnet.chain.run([
    ...nothing.map((args) => ({
      ...toTrader(encodeFunctionData({ abi: traderAbi, functionName: "transferFrom", args })),
      to: first.address
    })),
    toTrader(encodeFunctionData({ abi: traderAbi, functionName: "sync", args: [first.address] }))
  ])
  yield* followToHead(indexer)
  logs = yield* readPairLogs(devnet.rpc, pairs)
  const index = store.index(config.key)
  return { devnet, uniswapV2, config, index, logs, reorgs, head: index.checkpoint?.number ?? 0 }
})

class World extends Context.Service<World, Effect.Success<typeof followed>>()("@chaintape/server/test/dex/UniswapV2") {
  static readonly layer = Layer.effect(World, followed).pipe(
    Layer.provideMerge(Devnet.layer({ mode: "manual", prefill: 5, seed, uniswapV2: true, activity: 4 })),
    Layer.provideMerge(FetchHttpClient.layer)
  )
}

const toRaw = (decimal: string, decimals: number): bigint => {
  const [, sign = "", whole = "", part = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
  return BigInt(`${sign}${whole}${part.padEnd(decimals, "0")}`)
}

/** The quotient of two integers to 20 digits, and those of a decimal. */
const isRatio = (price: string, dividend: bigint, divisor: bigint): boolean => {
  const digits = 10n ** 60n
  const expected = (dividend * digits) / divisor
  const found = toRaw(price.slice(0, price.indexOf(".") + 61), 60)
  const difference = expected > found ? expected - found : found - expected
  return difference * 10n ** 20n < expected
}

describe(`an index of Uniswap V2, after ${least} events and reorgs`, () => {
  layer(World.layer, { excludeTestServices: true, timeout: "10 minutes" })((it) => {
    it.effect("has seen every kind of call, and every pair", () =>
      Effect.gen(function* () {
        const { devnet, index, logs, reorgs, uniswapV2 } = yield* World
        const kinds = countKinds(logs, uniswapV2.trader)
        for (const [kind, count] of Object.entries(kinds)) assert.isAbove(count, 0, kind)
        assert.isAbove(reorgs, 2)
        assert.strictEqual(index.rewindCount, reorgs)
        assert.strictEqual((yield* devnet.chain.stats).failed, 0)
        assert.sameMembers(
          [...index.rows.pool.keys()],
          uniswapV2.pairs.map(({ address }) => address)
        )
      })
    )

    it.effect(
      "holds after every block the reserves, price, supply and balances that the contracts state",
      () =>
        Effect.gen(function* () {
          const { devnet, head, index, logs, uniswapV2 } = yield* World
          const transfers = yield* readPairLogs(
            devnet.rpc,
            devnet.tokens.map(({ address }) => address)
          )
          let compared = 0
          let donated = 0
          for (const { address, token0, token1 } of uniswapV2.pairs) {
            const versions = index.rows.pool.get(address) ?? []
            for (let block = versions[0]?.from ?? 1; block <= head; block++) {
              const [reserves = [], supply = [], [balance0] = [], [balance1] = []] = yield* readWords(
                devnet.rpc,
                block,
                [
                  { to: address, name: "getReserves" },
                  { to: address, name: "totalSupply" },
                  { to: token0.address, name: "balanceOf", account: address },
                  { to: token1.address, name: "balanceOf", account: address }
                ]
              )
              const row = versions.findLast(({ from }) => from <= block)?.row
              const what = `pair ${address} in block ${block}`
              const [reserve0 = 0n, reserve1 = 0n] = reserves
              const locked0 = toRaw(row?.totalValueLockedToken0 ?? "", token0.decimals)
              const locked1 = toRaw(row?.totalValueLockedToken1 ?? "", token1.decimals)
              assert.deepStrictEqual([locked0, locked1], [reserve0, reserve1], what)
              assert.deepStrictEqual([BigInt(row?.liquidity ?? -1)], supply, what)
              const [left0, left1] = toDonations(logs, transfers, address, [token0.address, token1.address], block)
              assert.deepStrictEqual([balance0, balance1], [locked0 + left0, locked1 + left1], what)
              if (left0 > 0n) donated += 1
              if (reserve0 === 0n) continue
              const [scale0, scale1] = [10n ** BigInt(token0.decimals), 10n ** BigInt(token1.decimals)]
              assert.isTrue(isRatio(row?.token1Price ?? "", reserve1 * scale0, reserve0 * scale1), what)
              assert.isTrue(isRatio(row?.token0Price ?? "", reserve0 * scale1, reserve1 * scale0), what)
              compared += 1
            }
          }
          assert.isAbove(compared, 4 * (head - 15))
          assert.isAbove(donated, 0)
          assert.isAbove(countSkims(logs, transfers), 0)
        }),
      600_000
    )

    it.effect("leaves out what a pair does not have", () =>
      Effect.gen(function* () {
        const { index } = yield* World
        for (const pool of index.state.pools) {
          const { feeGrowthGlobal0X128, feeGrowthGlobal1X128, feeTier, observationIndex, sqrtPrice, tick } = pool
          assert.deepStrictEqual(
            { feeGrowthGlobal0X128, feeGrowthGlobal1X128, feeTier, observationIndex, sqrtPrice, tick },
            {
              feeGrowthGlobal0X128: "",
              feeGrowthGlobal1X128: "",
              feeTier: "3000",
              observationIndex: "",
              sqrtPrice: "",
              tick: ""
            }
          )
          assert.isUndefined(pool.simulation)
        }
        assert.deepStrictEqual(index.state.ticks, [])
        assert.strictEqual(index.state.deployment?.owner, "")
      })
    )

    it.effect("has the mints, burns and swaps of the receipts", () =>
      Effect.gen(function* () {
        const { index, logs, uniswapV2 } = yield* World
        const decimalsOf = new Map<string, readonly [number, number]>(
          uniswapV2.pairs.map(({ address, token0, token1 }) => [address, [token0.decimals, token1.decimals] as const])
        )
        assert.deepStrictEqual(
          index.trades.map(({ trade: { kind, row } }) => {
            const [decimals0 = 0, decimals1 = 0] = decimalsOf.get(row.pool) ?? []
            return {
              kind,
              pool: row.pool,
              id: row.id,
              amount0: toRaw(row.amount0, decimals0),
              amount1: toRaw(row.amount1, decimals1),
              sender: "sender" in row ? row.sender : undefined,
              recipient: "recipient" in row ? row.recipient : undefined,
              owner: "owner" in row ? row.owner : undefined,
              liquidity: "amount" in row ? BigInt(row.amount) : undefined,
              sqrtPriceX96: "sqrtPriceX96" in row ? row.sqrtPriceX96 : undefined
            }
          }),
          toRecords(logs)
        )
      })
    )

    it.effect("has totals that are the sum of its records", () =>
      Effect.gen(function* () {
        const { index } = yield* World
        const { deployment, pools, tokens } = index.state
        const swaps = index.trades.flatMap(({ trade }) => (trade.kind === "swap" ? [trade.row] : []))
        assert.strictEqual(deployment?.txCount, String(index.trades.length))
        assert.strictEqual(deployment?.totalVolumeUSD, sumOf(swaps.map(({ amountUSD }) => amountUSD)))
        assert.strictEqual(deployment?.poolCount, String(pools.length))
        assert.isAbove(Number(deployment?.totalFeesUSD), 0)
        for (const pool of pools) {
          const own = swaps.filter((row) => row.pool === pool.id)
          assert.strictEqual(pool.volumeUSD, sumOf(own.map(({ amountUSD }) => amountUSD)))
          assert.strictEqual(pool.volumeToken0, sumOf(own.map(({ amount0 }) => amount0.replace("-", ""))))
          assert.strictEqual(pool.volumeToken1, sumOf(own.map(({ amount1 }) => amount1.replace("-", ""))))
          assert.strictEqual(
            pool.txCount,
            String(index.trades.filter(({ trade: { row } }) => row.pool === pool.id).length)
          )
          assert.closeTo(Number(pool.feesUSD), Number(pool.volumeUSD) * 0.003, 1e-6)
        }
        for (const token of tokens) {
          const locked = pools.flatMap((pool) => [
            ...(pool.token0 === token.id ? [pool.totalValueLockedToken0] : []),
            ...(pool.token1 === token.id ? [pool.totalValueLockedToken1] : [])
          ])
          assert.strictEqual(token.totalValueLocked, sumOf(locked))
        }
        // By the bots' prices all pairs hold some 62 million USD; a part of the tokens is worth less by now.
        assert.closeTo(Number(deployment?.totalValueLockedUSD), 62e6, 12e6)
      })
    )

    it.effect("is the same as one that never saw the other branches, whatever it reads the events from", () =>
      Effect.gen(function* () {
        const { config, index } = yield* World
        const finality = index.checkpoint?.number ?? 0
        const read = Effect.fnUntraced(function* (other: IndexConfig) {
          const fresh = makeMemoryEntityStore()
          yield* followToHead(yield* makeIndexer(other, { firstBlocks: 20 }).pipe(Effect.provide(fresh.layer)))
          return fresh.index(config.key)
        })
        assert.deepStrictEqual((yield* read(config)).contents, index.contents)
        // From receipts alone, and from eth_getLogs alone.
        for (const other of [
          { ...config, finality },
          { ...config, verify: "none" as const }
        ]) {
          const { rows, trades } = yield* read(other)
          assert.deepStrictEqual({ rows, trades }, { rows: index.rows, trades: index.trades })
        }
      })
    )

    it.effect("continues from what is stored", () =>
      Effect.gen(function* () {
        const { config, devnet, index } = yield* World
        const store = makeMemoryEntityStore()
        for (let left = 4; left > 0; left--) {
          // A new indexer loads the state from the store.
          const indexer = yield* makeIndexer(config, { firstBlocks: 15, rangesPerStep: 1 }).pipe(
            Effect.provide(store.layer)
          )
          yield* withLease(indexer.step)
        }
        yield* followToHead(yield* makeIndexer(config).pipe(Effect.provide(store.layer)))
        const { rows, trades } = store.index(config.key)
        assert.deepStrictEqual({ rows, trades }, { rows: index.rows, trades: index.trades })
        assert.isDefined(devnet.uniswapV2)
      })
    )

    it.effect("starts with what older pairs hold, if it starts after them", () =>
      Effect.gen(function* () {
        const { config, head, index, uniswapV2 } = yield* World
        const startBlock = Math.floor(head / 2)
        const seedPools = uniswapV2.pairs.map(({ address, token0, token1 }) => ({
          pool: address,
          token0: token0.address,
          token1: token1.address,
          fee: 3000
        }))
        const store = makeMemoryEntityStore()
        const late: IndexConfig = { ...config, startBlock, seedPools }
        yield* followToHead(yield* makeIndexer(late).pipe(Effect.provide(store.layer)))
        const held = (from: typeof index) =>
          from.state.pools
            .map(({ id, liquidity, token0Price, token1Price, totalValueLockedToken0, totalValueLockedToken1 }) => ({
              id,
              liquidity,
              token0Price,
              token1Price,
              totalValueLockedToken0,
              totalValueLockedToken1
            }))
            .toSorted((a, b) => a.id.localeCompare(b.id))
        assert.deepStrictEqual(held(store.index(config.key)), held(index))
      })
    )

    it.effect("is refused by name if its factory speaks another protocol than the configured one", () =>
      Effect.gen(function* () {
        const { config, devnet } = yield* World
        const failureOf = Effect.fnUntraced(function* (wrong: IndexConfig) {
          const indexer = yield* makeIndexer(wrong).pipe(Effect.provide(makeMemoryEntityStore().layer))
          return (yield* Effect.flip(indexer.step).pipe(withLease)).message
        })
        assert.match(
          yield* failureOf({ ...config, protocol: "uniswap-v3" }),
          /is one of Uniswap V2, .* Write "protocol": "uniswap-v2" in its entry/
        )
        assert.match(
          yield* failureOf({ ...config, ...devnet.config }),
          /is one of Uniswap V3, .* Write "protocol": "uniswap-v3" in its entry/
        )
      })
    )
  })
})

import { Devnet } from "@chaintape/sandbox"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, FileSystem, Layer, Random, Schema } from "effect"
import { getToken0Price } from "../../src/dex/index/accounting/Prices.ts"
import { runsMany } from "../Cases.ts"
import type { RunningService } from "../RunningService.ts"
import { eventNames, readTicks, readTruth, readWords } from "./ChainTruth.ts"
import type { PoolIdentity } from "./ChainTruth.ts"
import { answer, base, configOf, indexedService, Rows, toRows, untilIndexed } from "./IndexedService.ts"
import type { Row } from "./IndexedService.ts"
import { mixedActivity, owner } from "./MixedActivity.ts"

const seed = "against the chain"
/** With this seed, a short history also contains no failed trade of the bots. */
const [rounds, stepsOfRound, leastEvents, earlierBlocks] = runsMany ? [12, 22, 10_000, 20] : [7, 12, 2000, 6]

/** Scales the counts that 10,000 events and 21 blocks must reach. */
const least = (count: number) => (runsMany ? count : Math.floor(count / 6))

/** A devnet with a long history, its chain's state, and the blocks at which it is compared. */
class World extends Context.Service<
  World,
  {
    readonly devnet: Devnet["Service"]
    readonly truth: Effect.Success<ReturnType<typeof readTruth>>
    readonly head: number
    /** The head and some earlier ones. */
    readonly blocks: ReadonlyArray<number>
  }
>()("@chaintape/server/test/dex/World") {
  static readonly layer = Layer.effect(
    World,
    Effect.gen(function* () {
      const devnet = yield* Devnet
      const play = yield* mixedActivity(devnet)
      for (let round = 0; round < rounds; round++) {
        for (let step = 0; step < stepsOfRound; step++) yield* devnet.chain.step
        yield* play(round)
      }
      const { number: head } = yield* devnet.chain.step
      const earlier = new Set<number>()
      yield* Effect.gen(function* () {
        while (earlier.size < earlierBlocks) earlier.add(yield* Random.nextIntBetween(1, head - 1))
      }).pipe(Random.withSeed(seed))
      return World.of({
        devnet,
        truth: yield* readTruth(devnet),
        head,
        blocks: [head, ...[...earlier].toSorted((a, b) => b - a)]
      })
    })
  ).pipe(
    Layer.provide(Devnet.layer({ mode: "manual", seed, activity: 8, prefill: 20, genesisTimestamp: 1_700_000_000 }))
  )
}

const service = Layer.unwrap(
  Effect.gen(function* () {
    const { devnet } = yield* World
    const files = yield* FileSystem.FileSystem
    const dataDir = yield* files.makeTempDirectoryScoped()
    return indexedService(configOf(devnet, [devnet.rpc]), `${dataDir}/database`)
  })
)

const indexed = Effect.flatMap(World, ({ head }) => untilIndexed(head))

const world = Layer.effectDiscard(indexed).pipe(
  Layer.provideMerge(service),
  Layer.provideMerge(World.layer),
  Layer.provide(NodeServices.layer)
)

const toRow = (rows: ReadonlyArray<Row>, id: string): Row => {
  const found = rows.find((row) => row["id"] === id)
  if (found === undefined) throw new Error(`there is no row "${id}"`)
  return found
}

/** A decimal of a token in its smallest units; it must have no more digits than the token. */
const toRaw = (decimal: unknown, decimals: number): bigint => {
  const [, sign = "", whole = "", part = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(decimal)) ?? []
  assert.notStrictEqual(whole, "", `${String(decimal)} is no decimal`)
  assert.isAtMost(part.length, decimals)
  return BigInt(`${sign}${whole}${part.padEnd(decimals, "0")}`)
}

const sides = [0, 1] as const

const Trades = Schema.Struct({
  swaps: Schema.optionalKey(Rows),
  mints: Schema.optionalKey(Rows),
  burns: Schema.optionalKey(Rows)
})
const decodeTrades = Schema.decodeUnknownEffect(Trades)

const Candle = Schema.Struct({
  o: Schema.String,
  c: Schema.String,
  volumeToken0: Schema.String,
  volumeToken1: Schema.String,
  txCount: Schema.String
})
const decodeCandles = Schema.decodeUnknownEffect(Schema.Struct({ aggregates: Schema.Array(Candle) }))

/** Runs an effect for every pool of every compared block. */
const forEachPool = Effect.fnUntraced(function* (
  look: (pool: PoolIdentity, row: Row, block: number) => Effect.Effect<void, unknown, World | RunningService>
) {
  const { blocks, truth } = yield* World
  let compared = 0
  for (const block of blocks) {
    const rows = yield* toRows(`${base}/pools?limit=1000&block=${block}`)
    const pools = truth.poolsAt(block)
    assert.sameMembers(
      rows.map((row) => row["id"]),
      pools.map(({ id }) => id),
      `pools in block ${block}`
    )
    for (const pool of pools) {
      yield* look(pool, toRow(rows, pool.id), block)
      compared += 1
    }
  }
  assert.isAbove(compared, least(150))
})

/** The names of the trades and of their event, and the word of its data with the amount of token 0. */
const kinds = [
  ["swap", "Swap", 0],
  ["mint", "Mint", 2],
  ["burn", "Burn", 1]
] as const

/** All trades of one kind of a pool, newest first. */
const allTrades = Effect.fnUntraced(function* (pool: string, kind: "swap" | "mint" | "burn", block: number) {
  const others = kinds.flatMap(([other]) => (other === kind ? [] : [`${other}=false`])).join("&")
  const all: Array<Row> = []
  while (true) {
    const query = `block=${block}&limit=1000&skip=${all.length}&${others}`
    const trades = yield* decodeTrades(yield* answer(`${base}/pool/${pool}/trades?${query}`))
    const page = trades[`${kind}s`] ?? []
    all.push(...page)
    if (page.length < 1000) return all
  }
})

const ofNested = (row: Row, side: 0 | 1, field: string): unknown => Object(row[`token${side}`])[field]

describe(`after ${leastEvents} mixed events, at the head and in ${earlierBlocks} random earlier blocks`, () => {
  layer(world, { excludeTestServices: true, timeout: "5 minutes" })((it) => {
    it.effect("the events are of every kind that the factory and a pool have", () =>
      Effect.gen(function* () {
        const { blocks, truth } = yield* World
        assert.lengthOf(blocks, earlierBlocks + 1)
        assert.isAtLeast(truth.events.length, leastEvents)
        const counts = new Map(eventNames.map((name) => [name, truth.events.filter((one) => one.name === name).length]))
        for (const name of eventNames)
          assert.isAbove(counts.get(name) ?? 0, name === "FeeAmountEnabled" ? 0 : least(4), name)
        // The bots' owner keeps trying to withdraw protocol fees when the factory is no longer its own.
        assert.deepStrictEqual([...new Set(truth.reverted)], [owner])
        const swaps = truth.events.filter(({ name }) => name === "Swap")
        assert.isAbove(swaps.filter(({ words }) => (words[0] ?? 0n) >> 255n === 0n).length, least(1000))
        assert.isAbove(swaps.filter(({ words }) => (words[1] ?? 0n) >> 255n === 0n).length, least(1000))
      })
    )

    it.effect(
      "price, tick, observation index, liquidity and fee growth are those that the contract of each pool states",
      () =>
        forEachPool(
          Effect.fnUntraced(function* ({ id }, row, block) {
            const { devnet } = yield* World
            const [slot0 = [], [liquidity] = [], [growth0] = [], [growth1] = []] = yield* readWords(
              devnet.rpc,
              block,
              ["slot0", "liquidity", "feeGrowthGlobal0X128", "feeGrowthGlobal1X128"].map((name) => ({ to: id, name }))
            )
            const [sqrtPrice = 0n, tick = 0n, observationIndex] = slot0
            assert.deepInclude(
              row,
              {
                sqrtPrice: String(sqrtPrice),
                tick: sqrtPrice === 0n ? "" : String(BigInt.asIntN(256, tick)),
                observationIndex: String(observationIndex),
                liquidity: String(liquidity),
                feeGrowthGlobal0X128: String(growth0),
                feeGrowthGlobal1X128: String(growth1)
              },
              `pool ${id} in block ${block}`
            )
          })
        )
    )

    it.effect("the ticks are those that the contract of each pool states", () =>
      Effect.gen(function* () {
        let compared = 0
        yield* forEachPool(
          Effect.fnUntraced(function* ({ id }, _, block) {
            const { devnet, truth } = yield* World
            const ticks = yield* readTicks(devnet.rpc, block, id, truth.events)
            assert.deepStrictEqual(yield* toRows(`${base}/pool/${id}/ticks?block=${block}`), ticks, `${id} in ${block}`)
            compared += ticks.length
          })
        )
        assert.isAbove(compared, least(2000))
      })
    )

    it.effect("candles begin at the price of Initialize, join, end at the pool's price, and add up to its totals", () =>
      Effect.gen(function* () {
        let compared = 0
        yield* forEachPool(
          Effect.fnUntraced(function* ({ id }, row, block) {
            const { truth } = yield* World
            const own = truth.events.filter((event) => event.address === id && event.block <= block)
            const swaps = own.filter(({ name }) => name === "Swap")
            const [sqrtPrice = 0n] = own.find(({ name }) => name === "Initialize")?.words ?? []
            const [decimals0, decimals1] = sides.map((side) => Number(ofNested(row, side, "decimals")))
            for (const timeframe of ["1m", "1h"]) {
              const what = `${timeframe} of ${id} in block ${block}`
              const path = `${base}/pool/${id}/aggregates/${timeframe}?limit=1000&block=${block}`
              const { aggregates } = yield* decodeCandles(yield* answer(path))
              const total = (name: "txCount" | "volumeToken0" | "volumeToken1", decimals = 0) =>
                aggregates.reduce((sum, candle) => sum + toRaw(candle[name], decimals), 0n)
              assert.strictEqual(total("txCount"), BigInt(swaps.length), what)
              assert.strictEqual(total("volumeToken0", decimals0), toRaw(row["volumeToken0"], decimals0 ?? 0), what)
              assert.strictEqual(total("volumeToken1", decimals1), toRaw(row["volumeToken1"], decimals1 ?? 0), what)
              let before = getToken0Price(sqrtPrice, decimals0 ?? 0, decimals1 ?? 0).toText()
              for (const { c, o } of aggregates) {
                assert.strictEqual(o, before, what)
                before = c
              }
              if (aggregates.length > 0) assert.strictEqual(row["token1Price"], before, what)
              compared += aggregates.length
            }
          })
        )
        assert.isAbove(compared, least(900))
      })
    )

    it.effect("the owner is the one that the factory states", () =>
      Effect.gen(function* () {
        const { blocks, devnet, truth } = yield* World
        const owners = new Set<unknown>()
        for (const block of blocks) {
          const [totals] = yield* toRows(`${base}?block=${block}`)
          if (truth.poolsAt(block).length === 0) assert.isUndefined(totals)
          if (totals === undefined) continue
          const [[owner = 0n] = []] = yield* readWords(devnet.rpc, block, [
            { to: devnet.config.factory, name: "owner" }
          ])
          assert.strictEqual(totals["owner"], `0x${owner.toString(16).padStart(40, "0")}`, `block ${block}`)
          owners.add(totals["owner"])
        }
        assert.isAtLeast(owners.size, 2)
      })
    )

    it.effect("the supply of a token is its total supply in the block of its first pool, whatever it is later", () =>
      Effect.gen(function* () {
        const { blocks, devnet, head, truth } = yield* World
        let grown = 0
        for (const block of blocks) {
          for (const row of yield* toRows(`${base}/tokens?limit=1000&block=${block}`)) {
            const id = String(row["id"])
            const first = Math.min(
              ...truth.pools.filter(({ tokens }) => tokens.includes(id)).map((pool) => pool.created)
            )
            const ask = { to: id, name: "totalSupply" }
            const [[supply] = []] = yield* readWords(devnet.rpc, first, [ask])
            const [[present] = []] = yield* readWords(devnet.rpc, head, [ask])
            assert.strictEqual(row["supply"], String(supply), `token ${id} in block ${block}`)
            grown += Number(present !== supply)
          }
        }
        assert.isAbove(grown, least(100))
      })
    )

    it.effect(
      "balance = totalValueLocked x 10^decimals + fees of flashes - protocol fees withdrawn + tokens sent without a call",
      () =>
        Effect.gen(function* () {
          const seen = { flashed: 0, protocolFees: 0, donated: 0 }
          yield* forEachPool(
            Effect.fnUntraced(function* (pool, row, block) {
              const { devnet, truth } = yield* World
              const balances = yield* readWords(
                devnet.rpc,
                block,
                pool.tokens.map((to) => ({ to, name: "balanceOf", account: pool.id }))
              )
              for (const side of sides) {
                const { donated, flashed, protocolFees } = truth.ledger(pool, side, block)
                const decimals = Number(ofNested(row, side, "decimals"))
                const locked = toRaw(row[`totalValueLockedToken${side}`], decimals)
                assert.strictEqual(
                  balances[side]?.[0],
                  locked + flashed - protocolFees + donated,
                  `token ${side} of ${pool.id} in block ${block}`
                )
                seen.flashed += Number(flashed > 0n)
                seen.protocolFees += Number(protocolFees > 0n)
                seen.donated += Number(donated > 0n)
              }
            })
          )
          for (const [part, times] of Object.entries(seen)) assert.isAbove(times, least(50), part)
        })
    )

    it.effect(
      "totalValueLocked = minted - collected + swapped in - swapped out; volume = the sum of absolute amounts",
      () =>
        forEachPool(
          Effect.fnUntraced(function* (pool, row, block) {
            const { truth } = yield* World
            for (const side of sides) {
              const { collected, minted, swapped, volume } = truth.ledger(pool, side, block)
              const decimals = Number(ofNested(row, side, "decimals"))
              const what = `token ${side} of ${pool.id} in block ${block}`
              assert.strictEqual(
                toRaw(row[`totalValueLockedToken${side}`], decimals),
                minted - collected + swapped,
                what
              )
              assert.strictEqual(toRaw(row[`volumeToken${side}`], decimals), volume, what)
            }
            assert.strictEqual(row["txCount"], String(truth.counted(pool.id, block)))
          })
        )
    )

    it.effect("the amounts and counts of a token and of the deployment are the sums over the pools", () =>
      Effect.gen(function* () {
        const { blocks, truth } = yield* World
        for (const block of blocks) {
          const pools = truth.poolsAt(block)
          const count = (some: ReadonlyArray<PoolIdentity>) =>
            String(some.reduce((total, { id }) => total + truth.counted(id, block), 0))
          const tokens = yield* toRows(`${base}/tokens?limit=1000&block=${block}`)
          assert.sameMembers(
            tokens.map((row) => row["id"]),
            [...new Set(pools.flatMap((pool) => pool.tokens))]
          )
          for (const row of tokens) {
            const decimals = Number(row["decimals"])
            const held = pools.filter(({ tokens }) => tokens.includes(String(row["id"])))
            const ledgers = held.map((pool) => truth.ledger(pool, pool.tokens[0] === row["id"] ? 0 : 1, block))
            const locked = ledgers.reduce((sum, part) => sum + part.minted - part.collected + part.swapped, 0n)
            const volume = ledgers.reduce((sum, part) => sum + part.volume, 0n)
            const what = `token ${String(row["id"])} in block ${block}`
            assert.strictEqual(toRaw(row["totalValueLocked"], decimals), locked, what)
            assert.strictEqual(toRaw(row["volume"], decimals), volume, what)
            assert.deepInclude(row, { poolCount: String(held.length), txCount: count(held) }, what)
          }
          const [totals] = yield* toRows(`${base}?block=${block}`)
          if (pools.length === 0) assert.isUndefined(totals)
          else assert.deepInclude(totals, { poolCount: String(pools.length), txCount: count(pools) }, `block ${block}`)
        }
      })
    )

    it.effect("the trades of every pool are the mints, burns and swaps of the chain, one for one", () =>
      Effect.gen(function* () {
        const { head, truth } = yield* World
        let compared = 0
        for (const pool of truth.pools) {
          const row = toRow(yield* toRows(`${base}/pools?limit=1000&block=${head}`), pool.id)
          for (const [kind, name, first] of kinds) {
            const expected = truth.events.filter((event) => event.name === name && event.address === pool.id).reverse()
            const rows = yield* allTrades(pool.id, kind, head)
            assert.deepStrictEqual(
              rows.map((trade) => [
                trade["id"],
                ...sides.map((side) => toRaw(trade[`amount${side}`], Number(ofNested(row, side, "decimals"))))
              ]),
              expected.map(({ id, words }) => [
                id,
                ...sides.map((side) => BigInt.asIntN(256, words[first + side] ?? 0n))
              ]),
              `${kind} of ${pool.id}`
            )
            compared += rows.length
          }
        }
        assert.isAbove(compared, least(9000))
      })
    )
  })
})

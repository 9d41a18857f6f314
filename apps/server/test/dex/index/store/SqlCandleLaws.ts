import { assert } from "@effect/vitest"
import type { Vitest } from "@effect/vitest"
import { BigDecimal, Effect, Option, Random } from "effect"
import { SqlClient } from "effect/sql"
import type { CandleQuery } from "../../../../src/dex/DexQueries.ts"
import type { CandleRow } from "../../../../src/dex/DexSource.ts"
import { getToken0Price } from "../../../../src/dex/index/accounting/Prices.ts"
import type { IndexedBlock, IndexedTrade } from "../../../../src/dex/index/IndexedBlock.ts"
import { EntityStore } from "../../../../src/dex/index/store/EntityStore.ts"
import type { Lease } from "../../../../src/ownership/Lease.ts"
import { casesOf } from "../../../Cases.ts"
import { newKey, viewAt } from "./SqlHistoryLaws.ts"
import type { Index } from "./SqlHistoryLaws.ts"
import * as World from "./SqlWorld.ts"

const lengths = [60, 300, 900, 3600, 21_600, 86_400]
const [decimals0, decimals1] = [6, 18]
const genesis = 1_700_000_000
const pool = World.pool(1)

type Chain = ReadonlyArray<IndexedBlock>
type Swap = Extract<IndexedTrade, { readonly kind: "swap" }>["row"]

const decimal = Effect.map(Random.nextIntBetween(-1_000_000, 1_000_000), (value) => {
  const digits = String(Math.abs(value)).padStart(8, "0")
  return `${value < 0 ? "-" : ""}${Number(digits.slice(0, 2))}.${digits.slice(2)}`.replace(/\.?0+$/, "")
})

/** Square root prices of a pool of tokens with 6 and 18 decimals. */
const sqrtPrice = Effect.map(
  Random.nextIntBetween(1, 2 ** 31),
  (value) => (BigInt(value) ** 3n * (1n << 96n)) / 1_000_003n
)

const swapAt = Effect.fnUntraced(function* (number: number, timestamp: number, logIndex: number, id: string) {
  const row: Swap = {
    id: `${World.hash(number, 7)}#${logIndex}`,
    transactionId: World.hash(number, 7),
    amount0: yield* decimal,
    amount1: yield* decimal,
    amountUSD: (yield* decimal).replace("-", ""),
    logIndex: String(logIndex),
    origin: World.token(1),
    sender: World.token(1),
    recipient: World.token(1),
    timestamp: String(timestamp),
    pool: id,
    sqrtPriceX96: String(yield* sqrtPrice)
  }
  return { kind: "swap", row } as const satisfies IndexedTrade
})

const token = (which: number, decimals: number) => ({ ...World.tokenRow(which, which), decimals: String(decimals) })

/** A pool as it is after its block: only what candles follow from. */
const poolAfter = (sqrtPriceX96: string) => {
  const [row] = World.nextBlock(
    [],
    { gap: 0, totals: false, tokens: [], pools: [{ which: 1, seed: 1 }], trades: [] },
    1
  ).pools
  if (row === undefined) throw new Error("the world has no pool")
  return { ...row, sqrtPrice: sqrtPriceX96, token0: World.token(1), token1: World.token(2) }
}

/** The next block: with the pool if it is the first one, and with swaps. */
const nextBlock = Effect.fnUntraced(function* (chain: Chain, branch: number, swaps: number, step: number) {
  const parent = chain.at(-1)
  const number = (parent?.number ?? 100) + 1
  const timestamp = (parent?.timestamp ?? genesis) + step
  const trades: Array<IndexedTrade> = []
  for (let at = 0; at < swaps; at++) trades.push(yield* swapAt(number, timestamp, at, pool))
  const initial = String(yield* sqrtPrice)
  const newest = trades.flatMap((trade) => (trade.kind === "swap" ? [trade.row.sqrtPriceX96] : [])).at(-1)
  const block: IndexedBlock = {
    number,
    hash: World.hash(number, branch),
    parentHash: parent?.hash ?? World.hash(number - 1, branch),
    timestamp,
    proof: "none",
    deployment: undefined,
    tokens: parent === undefined ? [token(1, decimals0), token(2, decimals1)] : [],
    pools: parent === undefined || newest !== undefined ? [poolAfter(newest ?? initial)] : [],
    trades,
    initialPrices: parent === undefined ? [{ pool, sqrtPrice: initial }] : []
  }
  return block
})

const swapsOf = (chain: Chain): ReadonlyArray<Swap> =>
  chain.flatMap(({ trades }) => trades.flatMap((trade) => (trade.kind === "swap" ? [trade.row] : [])))

const price = (sqrtPriceX96: string | undefined) =>
  getToken0Price(BigInt(sqrtPriceX96 ?? "0"), decimals0, decimals1).toText()

const byValue = BigDecimal.Order

const sum = (values: ReadonlyArray<string>) =>
  BigDecimal.format(
    BigDecimal.normalize(
      values.reduce(
        (total, value) => BigDecimal.sum(total, BigDecimal.abs(BigDecimal.fromStringUnsafe(value))),
        BigDecimal.fromBigInt(0n)
      )
    )
  )

/** The candles of these swaps, by the simplest algorithm. */
const candlesOfSwaps = (
  swaps: ReadonlyArray<Pick<Swap, "amount0" | "amount1" | "amountUSD" | "sqrtPriceX96" | "timestamp">>,
  initial: string | undefined,
  seconds: number
): ReadonlyArray<CandleRow> => {
  const groups = Map.groupBy(swaps, ({ timestamp }) => Math.floor(Number(timestamp) / seconds) * seconds)
  let before = initial
  return [...groups].map(([t, own]) => {
    const prices = [before, ...own.map(({ sqrtPriceX96 }) => sqrtPriceX96)].map(price)
    const ordered = prices.toSorted((a, b) => byValue(BigDecimal.fromStringUnsafe(a), BigDecimal.fromStringUnsafe(b)))
    const open = price(before)
    before = own.at(-1)?.sqrtPriceX96
    return {
      t: String(t),
      o: open,
      h: ordered.at(-1) ?? "",
      l: ordered[0] ?? "",
      c: price(before),
      volumeToken0: sum(own.map(({ amount0 }) => amount0)),
      volumeToken1: sum(own.map(({ amount1 }) => amount1)),
      volumeUSD: sum(own.map(({ amountUSD }) => amountUSD)),
      txCount: String(own.length)
    }
  })
}

const select = (all: ReadonlyArray<CandleRow>, { from, limit, to }: CandleQuery) => {
  const found = all.filter(
    ({ t }) =>
      Number(t) >= Option.getOrElse(from, () => 0) && Number(t) <= Option.getOrElse(to, () => Number.MAX_SAFE_INTEGER)
  )
  return Option.isSome(from) ? found.slice(0, limit) : found.slice(-limit)
}

/** Rows of the trades that a read touches, in this transaction. */
const touched = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql`select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::int as rows from pg_stat_xact_user_tables
      where relname = 'dex_trade'`,
    ([row]) => Number(row?.["rows"])
  )

const anyQuery = Effect.fnUntraced(function* (chain: Chain) {
  const last = chain.at(-1)?.timestamp ?? genesis
  const time = Effect.flatMap(Random.nextBoolean, (isGiven) =>
    isGiven
      ? Effect.map(Random.nextIntBetween(genesis - 4000, last + 4000), Option.some)
      : Effect.succeed(Option.none<number>())
  )
  return {
    seconds: lengths[yield* Random.nextIntBetween(0, lengths.length - 1)] ?? 60,
    limit: [1, 2, 5, 1000][yield* Random.nextIntBetween(0, 3)] ?? 1,
    from: yield* time,
    to: yield* time
  } satisfies CandleQuery
})

const all = { from: Option.none(), to: Option.none(), limit: 1000 }

/** The laws of the candles of a pool. */
export const candleLaws = (it: Vitest.MethodsNonLive<Index | Lease>): void => {
  it.effect(
    "candles as of any block are those of the swaps up to it, digit by digit, for any window, also after reorgs",
    () =>
      Effect.gen(function* () {
        const store = yield* EntityStore
        let compared = 0
        for (let world = 0; world < casesOf("CHAINTAPE_CANDLE_WORLDS", { few: 5, many: 60 }); world++) {
          const key = newKey()
          let chain: Chain = []
          for (let turn = 0; turn < 4; turn++) {
            const back = turn === 0 ? 0 : yield* Random.nextIntBetween(0, 6)
            const common = chain.slice(0, Math.max(turn === 0 ? 0 : 1, chain.length - back))
            const fresh: Array<IndexedBlock> = []
            for (let at = 0; at < 12; at++) {
              const step = [0, 12, 700, 40_000][yield* Random.nextIntBetween(0, 3)] ?? 0
              fresh.push(yield* nextBlock([...common, ...fresh], turn, yield* Random.nextIntBetween(0, 3), step))
            }
            yield* back === 0
              ? store.append(key, fresh, 100)
              : store.rewind(key, common.at(-1)?.number ?? 100, fresh, 100)
            chain = [...common, ...fresh]
          }
          const initial = chain[0]?.initialPrices[0]?.sqrtPrice
          for (let ask = 0; ask < 30; ask++) {
            const block = chain[yield* Random.nextIntBetween(0, chain.length - 1)]?.number ?? 0
            const before = chain.filter(({ number }) => number <= block)
            const query = yield* anyQuery(before)
            const view = yield* viewAt(key, block)
            const expected = select(candlesOfSwaps(swapsOf(before), initial, query.seconds), query)
            assert.deepStrictEqual(yield* view.candles(pool, query), expected, JSON.stringify({ block, query }))
            compared += expected.length
          }
        }
        assert.isAbove(compared, 300)
      }).pipe(Random.withSeed("candles")),
    180_000
  )

  it.effect("the first candle opens with the price before its first swap, or is not known", () =>
    Effect.gen(function* () {
      const store = yield* EntityStore
      const sql = yield* SqlClient.SqlClient
      const mine = (key: string) => sql`deployment = (select id from dex_index where key = ${key})`
      for (const inOneBlock of [true, false]) {
        const key = newKey()
        const first = yield* nextBlock([], 1, inOneBlock ? 2 : 0, 12)
        const second = yield* nextBlock([first], 1, 1, 86_400)
        const third = yield* nextBlock([first, second], 1, 1, 86_400)
        const chain = [first, second, third]
        yield* store.append(key, chain, 100)
        const view = yield* viewAt(key)
        const expected = candlesOfSwaps(swapsOf(chain), first.initialPrices[0]?.sqrtPrice, 60)
        assert.deepStrictEqual(yield* view.candles(pool, { ...all, seconds: 60 }), expected)
        // As an index has it that was built before it stored them.
        yield* sql`delete from dex_initial_price where ${mine(key)}`
        assert.deepStrictEqual(yield* view.candles(pool, { ...all, seconds: 60, limit: 1 }), expected.slice(-1))
        const whole = view.candles(pool, { ...all, seconds: 60 })
        if (inOneBlock) assert.strictEqual((yield* Effect.flip(whole))._tag, "UnknownValueError")
        else assert.deepStrictEqual(yield* whole, expected)
        assert.deepStrictEqual(yield* view.candles(World.pool(4), { ...all, seconds: 60 }), [])
      }
    }).pipe(Random.withSeed("opening"))
  )

  it.effect("a reorg removes the initial prices of its blocks", () =>
    Effect.gen(function* () {
      const store = yield* EntityStore
      const key = newKey()
      yield* store.append(key, [yield* nextBlock([], 1, 2, 12)], 90)
      const other = yield* nextBlock([], 2, 3, 24)
      yield* store.rewind(key, 100, [other], 90)
      const view = yield* viewAt(key)
      const expected = candlesOfSwaps(swapsOf([other]), other.initialPrices[0]?.sqrtPrice, 3600)
      assert.deepStrictEqual(yield* view.candles(pool, { ...all, seconds: 3600 }), expected)
    }).pipe(Random.withSeed("replaced"))
  )

  it.effect(
    "reads the swaps of the requested candles, and three more for each candle, however long the history is",
    () =>
      Effect.gen(function* () {
        const store = yield* EntityStore
        const sql = yield* SqlClient.SqlClient
        const key = newKey()
        const chain: Array<IndexedBlock> = []
        for (let at = 0; at < 4000; at++) chain.push(yield* nextBlock(chain.slice(-1), 1, 2, 60))
        yield* store.append(key, chain, 100)
        yield* sql`analyze dex_trade`
        const begin = Math.ceil((genesis + 100_000) / 3600) * 3600
        const asks = [
          { block: 4000, query: { ...all, limit: 3 } },
          { block: 2100, query: { ...all, limit: 1 } },
          { block: 4000, query: { ...all, limit: 5, from: Option.some(begin) } },
          { block: 4000, query: { ...all, limit: 2, to: Option.some(begin) } },
          { block: 4000, query: { ...all, limit: 100, from: Option.some(begin), to: Option.some(begin + 7200) } },
          { block: 4000, query: { ...all, limit: 100, from: Option.some(genesis + 9_000_000) } }
        ]
        for (const { block, query } of asks) {
          const view = yield* viewAt(key, block)
          const [rows, candles] = yield* sql.withTransaction(
            Effect.gen(function* () {
              const before = yield* touched(sql)
              const found = yield* view.candles(pool, { ...query, seconds: 3600 })
              return [(yield* touched(sql)) - before, found] as const
            })
          )
          const swaps = candles.reduce((total, { txCount }) => total + Number(txCount), 0)
          assert.isAtLeast(rows, swaps)
          assert.isAtMost(rows, swaps + 3 * candles.length + 3, JSON.stringify(query))
        }
      }).pipe(Random.withSeed("bound")),
    180_000
  )
}

import { assert } from "@effect/vitest"
import type { Vitest } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Option } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { Page, TradeOrderField, TradeScope } from "../../../../src/dex/DexQueries.ts"
import { poolFields, tokenFields } from "../../../../src/dex/DexSource.ts"
import type { IndexedBlock } from "../../../../src/dex/index/IndexedBlock.ts"
import { EntityStore } from "../../../../src/dex/index/store/EntityStore.ts"
import { SwapSource } from "../../../../src/dex/live/SwapSource.ts"
import type { Lease } from "../../../../src/ownership/Lease.ts"
import { newKey, simpleBlock, simpleChain, toTrades, viewAt } from "./SqlHistoryLaws.ts"
import type { Index } from "./SqlHistoryLaws.ts"
import { byField } from "./SqlOracle.ts"
import * as World from "./SqlWorld.ts"

const directions = ["asc", "desc"] as const

const common = ["id", "amount0", "amount1", "amountUSD", "logIndex", "origin", "timestamp", "transactionId"] as const
const fieldsByKind: Record<"burn" | "mint" | "swap", ReadonlyArray<TradeOrderField>> = {
  burn: [...common, "amount", "owner"],
  mint: [...common, "amount", "owner", "sender"],
  swap: [...common, "sender", "recipient", "sqrtPriceX96"]
}

/** Pages of this size, one after the other, up to the first that is not full. */
const inPages = <A, E>(limit: number, read: (page: Page) => Effect.Effect<ReadonlyArray<A>, E>) =>
  Effect.gen(function* () {
    const all: Array<A> = []
    while (true) {
      const page = yield* read({ limit, skip: all.length })
      all.push(...page)
      if (page.length < limit) return all
    }
  })

const chain = simpleChain(30)
const someBlock = 117
const upTo = (number: number) => chain.filter((block) => block.number <= number)

/** The laws of the responses of a view. */
export const readLaws = (it: Vitest.MethodsNonLive<Index | Lease | SwapSource>): void => {
  const written = Effect.gen(function* () {
    const key = newKey()
    const store = yield* EntityStore
    for (const block of chain) yield* store.append(key, [block], 110)
    return key
  })

  it.effect(
    "pages of any size make up the whole list, for every order of pools and tokens",
    () =>
      Effect.gen(function* () {
        const key = yield* written
        const view = yield* viewAt(key, someBlock)
        const state = World.getState(upTo(someBlock))
        for (const direction of directions) {
          for (const field of [...poolFields, "token0", "token1"] as const) {
            const order = { field, direction }
            const query = { ...World.unfiltered, order: Option.some(order) }
            for (const limit of [1, 4]) {
              const pools = yield* inPages(limit, (page) => view.pools({ ...query, ...page }))
              assert.deepStrictEqual(pools, byField(state.pools, order), `${field} ${direction}`)
            }
          }
          for (const field of tokenFields) {
            const order = { field, direction }
            const query = { ...World.unfiltered, order: Option.some(order) }
            const tokens = yield* inPages(2, (page) => view.tokens({ ...query, ...page }))
            assert.deepStrictEqual(tokens, byField(state.tokens, order), `${field} ${direction}`)
          }
        }
      }),
    180_000
  )

  it.effect(
    "pages of any size make up the whole list, for every order of trades",
    () =>
      Effect.gen(function* () {
        const key = yield* written
        const view = yield* viewAt(key, someBlock)
        const scope: TradeScope = { token: World.token(2), side: 0 }
        for (const kind of ["burn", "mint", "swap"] as const) {
          const rows = toTrades(upTo(someBlock), kind, scope).map(({ row }) => row)
          assert.isAbove(rows.length, 2)
          const newest = yield* inPages(2, (page) => view.trades(kind, scope, { ...World.anyTime, ...page }))
          assert.deepStrictEqual<unknown>(newest, rows)
          for (const direction of directions) {
            for (const field of fieldsByKind[kind]) {
              const order = { field, direction }
              const query = { ...World.anyTime, order: Option.some(order) }
              const trades = yield* inPages(3, (page) => view.trades(kind, scope, { ...query, ...page }))
              assert.deepStrictEqual<unknown>(trades, byField(rows, order), `${kind} ${field} ${direction}`)
            }
          }
        }
        const odd = {
          ...World.everything,
          ...World.anyTime,
          order: Option.some({ field: "recipient", direction: "asc" } as const)
        }
        assert.deepStrictEqual<unknown>(
          yield* view.trades("burn", scope, odd),
          toTrades(upTo(someBlock), "burn", scope).map(({ row }) => row)
        )
      }),
    180_000
  )

  it.effect("pages of any size make up all ticks of a pool", () =>
    Effect.gen(function* () {
      const key = yield* written
      const view = yield* viewAt(key, someBlock)
      const ticks = World.ticksOf(World.getState(upTo(someBlock)).ticks, World.pool(1))
      assert.isAbove(ticks.length, 4)
      for (const limit of [1, 2, 1000]) {
        assert.deepStrictEqual(yield* inPages(limit, (page) => view.ticks(World.pool(1), page)), ticks)
      }
    })
  )

  it.effect("the ticks of a pool that is older than the index, or has a position without range, are not known", () =>
    Effect.gen(function* () {
      const store = yield* EntityStore
      const sql = yield* SqlClient.SqlClient
      const key = newKey()
      const block = simpleBlock([], 1)
      const older = block.pools.map((row) => (row.id === World.pool(1) ? { ...row, createdAtLogIndex: -1 } : row))
      yield* store.append(key, [{ ...block, pools: older }, simpleBlock([block], 2)], 0)
      const why = (pool: string) =>
        Effect.map(
          Effect.flip(Effect.flatMap(viewAt(key), (view) => view.ticks(pool, World.everything))),
          ({ _tag, message }) => `${_tag}: ${message}`
        )
      assert.match(yield* why(World.pool(1)), /^UnknownValueError: .* older than the first block/)
      const view = yield* viewAt(key)
      assert.isAbove((yield* view.ticks(World.pool(2), World.everything)).length, 0)
      yield* sql`update dex_trade set tick_lower = null, tick_upper = null
        where deployment = (select id from dex_index where key = ${key}) and pool = ${World.pool(2)} and kind = 'burn'`
      assert.match(yield* why(World.pool(2)), /^UnknownValueError: .* before it stored them/)
    })
  )

  it.effect("the id of a trade orders by hash, then by log index as a number", () =>
    Effect.gen(function* () {
      const store = yield* EntityStore
      const key = newKey()
      const trades = [2, 10, 1].map((logIndex) => {
        const { kind, row } = World.trade(101, logIndex, 1, 2)
        return { kind, row }
      })
      yield* store.append(key, [{ ...simpleBlock([], 1), trades: JSON.parse(JSON.stringify(trades)) }], 0)
      const view = yield* viewAt(key)
      for (const direction of directions) {
        const order = Option.some({ field: "id", direction } as const)
        const rows = yield* view.trades(
          "swap",
          { pool: World.pool(1) },
          { ...World.everything, ...World.anyTime, order }
        )
        const found = rows.map(({ logIndex }) => logIndex)
        assert.deepStrictEqual(found, direction === "asc" ? ["1", "2", "10"] : ["10", "2", "1"])
      }
    })
  )

  it.effect("a time window holds both of its ends", () =>
    Effect.gen(function* () {
      const key = yield* written
      const view = yield* viewAt(key, someBlock)
      const scope: TradeScope = { pool: World.pool(1) }
      const rows = toTrades(upTo(someBlock), "swap", scope).map(({ row }) => row)
      const times = rows.map(({ timestamp }) => Number(timestamp))
      for (const from of [undefined, ...times]) {
        for (const to of [undefined, ...times]) {
          const query = {
            ...World.everything,
            order: Option.none(),
            from: Option.fromUndefinedOr(from),
            to: Option.fromUndefinedOr(to)
          }
          assert.deepStrictEqual<unknown>(
            yield* view.trades("swap", scope, query),
            rows.filter((row) => Number(row.timestamp) >= (from ?? 0) && Number(row.timestamp) <= (to ?? Infinity))
          )
        }
      }
    })
  )

  it.effect("pages and windows beyond all rows are empty", () =>
    Effect.gen(function* () {
      const key = yield* written
      const view = yield* viewAt(key)
      const far = { limit: 1000, skip: Number.MAX_SAFE_INTEGER }
      const pool = { pool: World.pool(1) }
      assert.deepStrictEqual(yield* view.pools({ ...World.unfiltered, ...far }), [])
      assert.deepStrictEqual(yield* view.pools({ ...World.unfiltered, ...far, id: Option.some(World.pool(1)) }), [])
      assert.deepStrictEqual(yield* view.tokens({ ...World.unfiltered, ...far }), [])
      assert.deepStrictEqual(yield* view.trades("swap", pool, { ...World.anyTime, ...far }), [])
      const later = { ...World.everything, ...World.anyTime, from: Option.some(Number.MAX_SAFE_INTEGER) }
      assert.deepStrictEqual(yield* view.trades("swap", pool, later), [])
      assert.deepStrictEqual(
        yield* view.trades("swap", { pool: "0xunknown" }, { ...World.everything, ...World.anyTime }),
        []
      )
      assert.isFalse(yield* view.hasPool("0xunknown"))
      assert.isFalse(yield* view.hasToken(World.pool(1)))
    })
  )

  it.effect("name and symbol match as a whole, letter case ignored", () =>
    Effect.gen(function* () {
      const store = yield* EntityStore
      const key = newKey()
      const named = (which: number, name: string, symbol: string) => ({ ...World.tokenRow(which, which), name, symbol })
      const tokens = [
        named(1, "Ärger", "WETH"),
        named(2, "ärger", "weth"),
        named(3, "Ärgerlich", "WETH9"),
        named(4, "%", "_")
      ]
      yield* store.append(key, [{ ...simpleBlock([], 1), tokens, pools: [], trades: [] }], 0)
      const view = yield* viewAt(key)
      const found = Effect.fnUntraced(function* (filter: {
        readonly name?: string
        readonly symbol?: string
        readonly id?: string
      }) {
        const rows = yield* view.tokens({
          ...World.everything,
          order: Option.some({ field: "id", direction: "asc" }),
          name: Option.fromUndefinedOr(filter.name),
          symbol: Option.fromUndefinedOr(filter.symbol),
          id: Option.fromUndefinedOr(filter.id)
        })
        return rows.map(({ id }) => Number(id.at(-1)))
      })
      assert.deepStrictEqual(yield* found({ name: "ÄRGER" }), [1, 2])
      assert.deepStrictEqual(yield* found({ symbol: "Weth" }), [1, 2])
      assert.deepStrictEqual(yield* found({ symbol: "%" }), [])
      assert.deepStrictEqual(yield* found({ symbol: "_" }), [4])
      assert.deepStrictEqual(yield* found({ symbol: "weth", name: "ärger", id: World.token(2) }), [2])
      assert.deepStrictEqual(yield* found({ symbol: "usdc", id: World.token(2) }), [])
    })
  )

  it.effect("blocks outside of the index, and an index without blocks, are different problems", () =>
    Effect.gen(function* () {
      const key = yield* written
      assert.strictEqual((yield* Effect.flip(viewAt(newKey())))._tag, "DexSourceError")
      assert.deepInclude(yield* Effect.flip(viewAt(newKey(), 5)), { reason: "NotReady" })
      const everything = { ...World.unfiltered, ...World.everything }
      const before = yield* viewAt(key, 100)
      assert.deepStrictEqual(before.asOf, { number: 100, hash: undefined, finalized: true, proven: false })
      assert.deepStrictEqual(yield* Effect.all([before.tokens(everything), before.pools(everything)]), [[], []])
      assert.isTrue(Option.isNone(yield* before.deployment))
      for (const block of [131, 2_147_483_647, 99_999_999_999]) {
        assert.deepInclude(yield* Effect.flip(viewAt(key, block)), {
          _tag: "BlockOutOfRangeError",
          block,
          first: 101,
          head: 130
        })
      }
      const { asOf } = yield* viewAt(key)
      assert.deepStrictEqual(asOf, { number: 130, hash: World.hash(130, 1), finalized: false, proven: false })
      assert.isTrue((yield* viewAt(key, 110)).asOf.finalized)
      assert.isFalse((yield* viewAt(key, 111)).asOf.finalized)
    })
  )

  it.effect("a skipped block has the state of the newest block before it", () =>
    Effect.gen(function* () {
      const store = yield* EntityStore
      const key = newKey()
      const first = simpleBlock([], 1)
      const last = { ...simpleBlock([first], 2), number: 105, hash: World.hash(105, 1) }
      yield* store.append(key, [first, last], 103)
      assert.deepStrictEqual((yield* viewAt(key, 103)).asOf, {
        number: 101,
        hash: first.hash,
        finalized: true,
        proven: false
      })
      assert.deepStrictEqual((yield* viewAt(key, 104)).asOf, {
        number: 101,
        hash: first.hash,
        finalized: false,
        proven: false
      })
    })
  )

  it.effect("an append does not disturb a view, a reorg makes it fail as busy", () =>
    Effect.gen(function* () {
      const store = yield* EntityStore
      const key = newKey()
      yield* store.append(key, upTo(120), 110)
      const view = yield* viewAt(key)
      const all = { ...World.everything, ...World.unfiltered }
      const before = [yield* view.pools(all), yield* view.tokens(all)]
      yield* store.append(key, chain, 110)
      assert.deepStrictEqual<unknown>([yield* view.pools(all), yield* view.tokens(all)], before)
      yield* store.rewind(key, 118, simpleChain(5, upTo(118), 2).slice(18), 110)
      for (const read of [view.deployment, view.pools(all), view.tokens(all), view.hasPool(World.pool(1))]) {
        assert.deepInclude(yield* Effect.flip<unknown, unknown, never>(read), {
          _tag: "DexSourceError",
          reason: "Reorged"
        })
      }
      const again = yield* viewAt(key, 118)
      assert.lengthOf(yield* again.pools(all), 6)
    })
  )

  it.effect("a contradictory read fails as reorged after a reorg, and is a defect otherwise", () =>
    Effect.gen(function* () {
      const key = yield* written
      const sql = yield* SqlClient.SqlClient
      const view = yield* viewAt(key, someBlock)
      // A read whose second statement comes after a reorg that removed the tokens.
      yield* sql`delete from dex_token where deployment = (select id from dex_index where key = ${key})`
      const query = { ...World.everything, ...World.unfiltered }
      const broken = yield* Effect.exit(view.pools(query))
      assert.isTrue(Exit.isFailure(broken) && Cause.hasDies(broken.cause))
      yield* sql`update dex_index set rewinds = rewinds + 1 where key = ${key}`
      const error = yield* Effect.flip(view.pools(query))
      assert.deepStrictEqual([error._tag, error.reason], ["DexSourceError", "Reorged"])
    })
  )

  it.effect("a failure of the store is a defect", () =>
    Effect.gen(function* () {
      const key = yield* written
      const sql = yield* SqlClient.SqlClient
      const view = yield* viewAt(key)
      const swaps = yield* SwapSource
      const assertDefect = Effect.fnUntraced(function* <A, E, R>(table: string, read: Effect.Effect<A, E, R>) {
        // The rollback brings the table back.
        const drop = sql`drop table ${sql(table)} cascade`
        const failed = yield* Effect.exit(sql.withTransaction(Effect.andThen(drop, read)))
        const defects = Exit.isFailure(failed) ? failed.cause.reasons.filter(Cause.isDieReason) : []
        const areOfStore = defects.map(({ defect }) => SqlError.isSqlError(defect))
        assert.deepStrictEqual(areOfStore, [true], table)
      })
      yield* assertDefect("dex_index", viewAt(key))
      yield* assertDefect("dex_pool", view.pools({ ...World.everything, ...World.unfiltered }))
      yield* assertDefect("dex_index", swaps.chain(key, [], undefined))
      yield* assertDefect("dex_index", swaps.finalAt(key, 130, undefined))
      const head = { number: 130, hash: World.hash(130, 1) }
      yield* assertDefect("dex_trade", swaps.after(key, World.pool(1), { number: 0, logIndex: 0 }, head, 9))
    })
  )

  it.effect("while blocks come and go, a reader sees the state of the named block, or is busy", () =>
    Effect.gen(function* () {
      const store = yield* EntityStore
      const key = newKey()
      const all = { ...World.everything, ...World.unfiltered }
      const states = new Map<string, ReadonlyArray<IndexedBlock>>()
      const remember = (blocks: ReadonlyArray<IndexedBlock>) => {
        for (const [at, { hash }] of blocks.entries()) states.set(hash, blocks.slice(0, at + 1))
        return blocks
      }
      let current = remember(simpleChain(6))
      yield* store.append(key, current, 0)
      const outcomes = { read: 0, reorged: 0 }
      const writer = yield* Effect.forkChild(
        Effect.gen(function* () {
          for (let branch = 2; branch < 30 && (outcomes.read < 6 || outcomes.reorged < 1); branch++) {
            const kept = current.slice(0, -3)
            current = remember(simpleChain(12, kept, branch))
            yield* store.rewind(key, kept.at(-1)?.number ?? 0, current.slice(kept.length, -10), 0)
            for (const block of current.slice(-10)) yield* store.append(key, [block], 0)
          }
        })
      )
      const look = Effect.gen(function* () {
        const view = yield* viewAt(key)
        const answer = yield* Effect.all([view.pools(all), view.tokens(all)])
        const state = World.getState(states.get(view.asOf.hash ?? "") ?? [])
        const byLockedValue = { field: "totalValueLockedUSD", direction: "desc" } as const
        assert.deepStrictEqual<unknown>(answer, [
          byField(state.pools, byLockedValue),
          byField(state.tokens, byLockedValue)
        ])
        outcomes.read++
      }).pipe(
        Effect.catchTag("DexSourceError", (error) =>
          Effect.sync(() => {
            assert.strictEqual(error.reason, "Reorged")
            outcomes.reorged++
          })
        )
      )
      while (writer.pollUnsafe() === undefined) yield* look
      yield* Fiber.join(writer)
      yield* look
      assert.isAbove(outcomes.read, 3)
    })
  )
}

import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import type { Vitest } from "@effect/vitest"
import { Effect, Exit, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { TradeScope } from "../../../../src/dex/DexQueries.ts"
import { DexSource } from "../../../../src/dex/DexSource.ts"
import type { DexView } from "../../../../src/dex/DexSource.ts"
import type { IndexedBlock } from "../../../../src/dex/index/IndexedBlock.ts"
import { EntityStore } from "../../../../src/dex/index/store/EntityStore.ts"
import type { Lease } from "../../../../src/ownership/Lease.ts"
import { IndexIncidents } from "../../../../src/status/Incidents.ts"
import { casesOf, runsMany } from "../../../Cases.ts"
import { byField } from "./SqlOracle.ts"
import * as World from "./SqlWorld.ts"

type Chain = ReadonlyArray<IndexedBlock>

export type Index = DexSource | EntityStore | SqlClient.SqlClient

/** A separate deployment for every case. */
export const newKey = () => `dex/${randomUUID()}`

export const viewAt = (key: string, block?: number) =>
  Effect.flatMap(DexSource, (source) => source.view(key, Option.fromUndefinedOr(block)))

const finalized = 100

const grown = (blocks: ReadonlyArray<typeof World.Block.Type>, chain: Chain, branch: number): Chain => {
  const made: Array<IndexedBlock> = []
  for (const block of blocks) made.push(World.nextBlock([...chain, ...made], block, branch))
  return made
}

export const simpleBlock = (chain: Chain, seed: number, branch = 1): IndexedBlock =>
  World.nextBlock(
    chain,
    {
      gap: 0,
      totals: true,
      tokens: [{ which: seed % 5, seed }],
      pools: [
        { which: seed % 6, seed },
        { which: (seed + 1) % 6, seed: seed + 1 }
      ],
      trades: [0, 1, 2, 3, 4, 5].map((at) => ({ which: (seed + at) % 6, seed: seed * 5 + at * at * 7 + (seed % 4) }))
    },
    branch
  )

export const simpleChain = (length: number, before: Chain = [], branch = 1): Chain => {
  const chain: Array<IndexedBlock> = [...before]
  for (let at = 0; at < length; at++) chain.push(simpleBlock(chain, chain.length * 7 + branch, branch))
  return chain
}

const scopes: ReadonlyArray<TradeScope> = [
  { pool: World.pool(1) },
  { token: World.token(1), side: 0 },
  { token: World.token(1), side: 1 }
]

const kinds = ["burn", "mint", "swap"] as const

export const toTrades = (chain: Chain, kind: (typeof kinds)[number], scope: TradeScope) =>
  World.getState(chain)
    .trades.filter(
      (trade) =>
        trade.kind === kind &&
        ("pool" in scope ? trade.pool === scope.pool : (scope.side === 0 ? trade.token0 : trade.token1) === scope.token)
    )
    .toSorted((a, b) => b.number - a.number || Number(b.row.logIndex) - Number(a.row.logIndex))

const getTotals = (chain: Chain) => {
  const last = World.getState(chain).deployment
  if (last === undefined) return Option.none()
  const { nativeUSD: _, ...totals } = last
  return Option.some(totals)
}

/** Everything that a view returns equals the chain up to its block. */
const agrees = Effect.fnUntraced(function* (view: DexView, chain: Chain) {
  const state = World.getState(chain)
  const byLockedValue = { field: "totalValueLockedUSD", direction: "desc" } as const
  const all = { ...World.everything, ...World.unfiltered }
  assert.deepStrictEqual<unknown>(yield* view.deployment, getTotals(chain))
  assert.deepStrictEqual(yield* view.tokens(all), byField(state.tokens, byLockedValue))
  assert.deepStrictEqual(yield* view.pools(all), byField(state.pools, byLockedValue))
  for (const scope of scopes) {
    for (const kind of kinds) {
      assert.deepStrictEqual<unknown>(
        yield* view.trades(kind, scope, { ...World.everything, ...World.anyTime }),
        toTrades(chain, kind, scope).map(({ row }) => row)
      )
    }
  }
  for (const { id, name, symbol } of state.tokens) {
    const filtered = { ...all, id: Option.some(id), name: Option.some(name.toUpperCase()), symbol: Option.some(symbol) }
    assert.deepStrictEqual(
      yield* view.tokens(filtered),
      state.tokens.filter((row) => row.id === id)
    )
    assert.isTrue(yield* view.hasToken(id))
  }
  for (const { id } of state.pools) {
    assert.deepStrictEqual(
      yield* view.pools({ ...all, id: Option.some(id) }),
      state.pools.filter((row) => row.id === id)
    )
    assert.isTrue(yield* view.hasPool(id))
    assert.deepStrictEqual(yield* view.ticks(id, World.everything), World.ticksOf(state.ticks, id))
  }
})

/** The state from which the accounting continues after a block. */
const goesOn = Effect.fnUntraced(function* (key: string, block: number, chain: Chain) {
  const store = yield* EntityStore
  const state = World.getState(chain)
  const kept = yield* store.state(key, block)
  assert.deepStrictEqual(kept.ticks, state.ticks)
  assert.deepStrictEqual(kept.deployment, state.deployment)
  assert.deepStrictEqual(
    kept.tokens,
    state.tokens.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  )
  assert.deepStrictEqual(
    kept.pools,
    state.indexedPools.toSorted(
      (a, b) =>
        Number(a.createdAtBlockNumber) - Number(b.createdAtBlockNumber) || a.createdAtLogIndex - b.createdAtLogIndex
    )
  )
})

/** The store agrees with the chain at every block of its history, or at every nth and the newest. */
const holds = Effect.fnUntraced(function* (key: string, chain: Chain, oneOf = 1) {
  const store = yield* EntityStore
  const last = chain.at(-1)
  assert.deepStrictEqual(
    yield* store.checkpoint(key),
    last === undefined ? Option.none() : Option.some({ number: last.number, hash: last.hash, finalized })
  )
  assert.deepStrictEqual(
    yield* store.hashes(key, 0, last?.number ?? 0),
    chain.map(({ hash, number }) => ({ number, hash }))
  )
  for (const [at, { number }] of chain.entries()) {
    if (at % oneOf > 0 && at < chain.length - 6) continue
    const before = chain.filter((block) => block.number <= number)
    yield* agrees(yield* viewAt(key, number), before)
    yield* goesOn(key, number, before)
  }
})

const dump = Effect.fnUntraced(function* (key: string) {
  const sql = yield* SqlClient.SqlClient
  const mine = sql`deployment = (select id from dex_index where key = ${key})`
  return yield* Effect.all([
    sql`select * from dex_block where ${mine} order by number`,
    sql`select * from dex_totals where ${mine} order by valid_from`,
    sql`select * from dex_epoch where ${mine} order by entity, start`,
    sql`select * from dex_token where ${mine} order by id, valid_from`,
    sql`select * from dex_pool where ${mine} order by id, valid_from`,
    sql`select * from dex_trade where ${mine} order by block_number, log_index`,
    sql`select * from dex_initial_price where ${mine} order by pool`
  ])
})

/** The laws of every history of appends and reorgs. */
export const historyLaws = (it: Vitest.MethodsNonLive<Index | Lease>): void => {
  it.effect.prop(
    "after any history of blocks and reorgs the state at each block is that of the resulting chain",
    [World.History],
    ([history]) =>
      Effect.gen(function* () {
        const store = yield* EntityStore
        const key = newKey()
        let chain: Chain = []
        for (const [at, { again, back, blocks }] of history.entries()) {
          const kept = chain.slice(0, Math.max(0, chain.length - back))
          const fresh = grown(blocks, kept, at % 10)
          const ancestor = kept.at(-1)?.number ?? 100
          yield* back === 0 ? store.append(key, fresh, finalized) : store.rewind(key, ancestor, fresh, finalized)
          chain = [...kept, ...fresh]
          if (again) yield* store.append(key, fresh, finalized)
        }
        if (chain.length > 0) yield* holds(key, chain)
      }),
    { arbitrary: { runs: casesOf("CHAINTAPE_HISTORY_RUNS", { few: 15, many: 100 }) }, timeout: 300_000 }
  )

  it.effect("a long history continues across many epochs", () =>
    Effect.gen(function* () {
      const store = yield* EntityStore
      const key = newKey()
      const chain = simpleChain(40)
      for (const block of chain) yield* store.append(key, [block], finalized)
      yield* holds(key, chain, runsMany ? 1 : 3)
      const kept = chain.slice(0, 17)
      const other = simpleChain(9, kept, 2)
      yield* store.rewind(key, 117, other.slice(17), finalized)
      yield* holds(key, other, runsMany ? 1 : 3)
    })
  )

  it.effect("a rewind is recorded as a reorg, or as a repair if the chain has the same blocks", () =>
    Effect.gen(function* () {
      const store = yield* EntityStore
      const { newest } = yield* IndexIncidents
      const key = newKey()
      const chain = simpleChain(12)
      const last = chain.at(-1)?.number ?? 0
      yield* store.append(key, chain, finalized)
      const ofKey = Effect.map(newest(100), (all) => all.filter(({ subject }) => subject === key))
      assert.deepStrictEqual(yield* ofKey, [])
      yield* store.rewind(key, last - 3, chain.slice(-3), finalized)
      const replaced = simpleChain(1, chain.slice(0, -1), 2)
      yield* store.rewind(key, last - 1, replaced.slice(-1), finalized)
      assert.deepStrictEqual(
        (yield* ofKey).map(({ detail, kind }) => [kind, detail]),
        [
          ["reorg", `Block ${last} was replaced by another branch of the chain.`],
          ["repair", `Blocks ${last - 2} to ${last} of the same chain were read again.`]
        ]
      )
      // Nothing is above the block.
      yield* store.rewind(key, last, [], finalized)
      assert.lengthOf(yield* ofKey, 2)
    })
  )

  it.effect("writing the same blocks again changes no row", () =>
    Effect.gen(function* () {
      const store = yield* EntityStore
      const key = newKey()
      const chain = simpleChain(12)
      yield* store.append(key, chain, finalized)
      const before = yield* dump(key)
      yield* store.append(key, chain, finalized)
      yield* store.append(key, chain.slice(4, 9), finalized)
      assert.deepStrictEqual(yield* dump(key), before)
    })
  )

  it.effect("a write that fails half way, and one that is interrupted, leave the old state", () =>
    Effect.gen(function* () {
      const store = yield* EntityStore
      const sql = yield* SqlClient.SqlClient
      const key = newKey()
      const chain = simpleChain(12)
      yield* store.append(key, chain, finalized)
      const before = yield* dump(key)
      const longer = simpleChain(8, chain)
      const broken = longer.slice(12).map((block, at) => {
        const trades = block.trades.map((trade) => ({ ...trade, row: { ...trade.row, amount0: "not a number" } }))
        return at === 7 ? JSON.parse(JSON.stringify({ ...block, trades })) : block
      })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(store.append(key, broken, finalized))))
      assert.deepStrictEqual(yield* dump(key), before)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(store.rewind(key, 105, broken, finalized))))
      assert.deepStrictEqual(yield* dump(key), before)
      const lost = store.rewind(key, 105, [], finalized).pipe(Effect.andThen(Effect.interrupt), sql.withTransaction)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(lost)))
      assert.deepStrictEqual(yield* dump(key), before)
      yield* store.append(key, longer, finalized)
      yield* holds(key, longer)
    })
  )

  it.effect("a write that any of its tables refuses leaves the old state of all of them", () =>
    Effect.gen(function* () {
      const store = yield* EntityStore
      const sql = yield* SqlClient.SqlClient
      const key = newKey()
      const chain = simpleChain(12)
      yield* store.append(key, chain, finalized)
      const before = yield* dump(key)
      const longer = simpleChain(8, chain)
      yield* sql`create function refuse() returns trigger language plpgsql as ${sql.literal("'begin raise exception ''refused''; end'")}`
      for (const table of ["dex_index", "dex_block", "dex_totals", "dex_epoch", "dex_token", "dex_pool", "dex_trade"]) {
        const written = [
          store.append(key, longer, finalized),
          store.rewind(key, 105, simpleChain(8, chain.slice(0, 6), 2), finalized)
        ]
        const exits = yield* Effect.acquireUseRelease(
          sql`create trigger refusal before insert on ${sql(table)} for each statement execute function refuse()`,
          () => Effect.forEach(written, Effect.exit),
          () => Effect.orDie(sql`drop trigger refusal on ${sql(table)}`)
        )
        assert.deepStrictEqual(exits.map(Exit.isFailure), [true, true], table)
        assert.deepStrictEqual(yield* dump(key), before, table)
      }
      yield* sql`drop function refuse`
      yield* store.append(key, longer, finalized)
      yield* holds(key, longer)
    })
  )

  it.effect("a block that does not follow the checkpoint is refused", () =>
    Effect.gen(function* () {
      const store = yield* EntityStore
      const key = newKey()
      const chain = simpleChain(5)
      yield* store.append(key, chain, finalized)
      const stranger = { ...simpleBlock(chain, 3), parentHash: "0xother" }
      assert.isTrue(Exit.isFailure(yield* Effect.exit(store.append(key, [stranger], finalized))))
      yield* holds(key, chain)
    })
  )

  it.effect("deployments do not touch each other", () =>
    Effect.gen(function* () {
      const store = yield* EntityStore
      const [one, other] = [newKey(), newKey()]
      yield* store.append(one, simpleChain(9), finalized)
      yield* store.append(other, simpleChain(6, [], 3), finalized)
      yield* store.rewind(other, 103, [], finalized)
      yield* holds(one, simpleChain(9))
      yield* holds(other, simpleChain(6, [], 3).slice(0, 3))
    })
  )

  const Digits = Schema.String.check(Schema.isPattern(/^\d{1,78}$/))
  const Decimals = Schema.Array(
    Schema.Struct({ minus: Schema.Boolean, whole: Digits, part: Digits, short: Schema.Boolean })
  )

  it.effect.prop(
    "every decimal comes back digit by digit",
    [Decimals],
    ([numbers]) =>
      Effect.gen(function* () {
        const store = yield* EntityStore
        const key = newKey()
        const written = numbers.slice(0, 6).map(({ minus, part, short, whole }) => {
          const digits = whole.replace(/^0+(?=.)/, "")
          const value = short ? digits : `${digits}.${part}`
          return minus && /[1-9]/.test(value) ? `-${value}` : value
        })
        const tokens = written.map((derivedETH, at) => ({ ...World.tokenRow(at, at), derivedETH }))
        yield* store.append(key, [{ ...simpleBlock([], 1), tokens, pools: [], trades: [] }], finalized)
        assert.deepStrictEqual(
          (yield* store.state(key, finalized + 1)).tokens.map(({ derivedETH }) => derivedETH),
          written
        )
      }),
    { arbitrary: { runs: 25 } }
  )

  it.effect.prop(
    "every well-formed text comes back as it was",
    [Schema.String, Schema.String],
    ([name, symbol]) =>
      Effect.gen(function* () {
        const store = yield* EntityStore
        const key = newKey()
        const token = {
          ...World.tokenRow(1, 1),
          name: name.toWellFormed(),
          symbol: `\u0001\u0000${symbol.toWellFormed()}`
        }
        yield* store.append(key, [{ ...simpleBlock([], 1), tokens: [token], pools: [], trades: [] }], finalized)
        assert.deepStrictEqual((yield* store.state(key, finalized + 1)).tokens, [token])
        const view = yield* viewAt(key)
        const query = { ...World.everything, ...World.unfiltered, symbol: Option.some(token.symbol.toLowerCase()) }
        assert.deepStrictEqual(yield* view.tokens(query), [token])
      }),
    { arbitrary: { runs: 25 } }
  )
}

import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { decodeFirstRow, decodeOnlyRow } from "../../../internal/sql/decodeRows.ts"
import { withFence } from "../../../ownership/Lease.ts"
import type { TokenRow } from "../../DexSource.ts"
import type { IndexedBlock, IndexedPool } from "../IndexedBlock.ts"
import { EntityStore } from "./EntityStore.ts"
import {
  appendBlocks,
  blocksBetween,
  newestBlock,
  extendProof,
  readProof,
  removeBlocks,
  rewindProof,
  writeProof,
  appendInitialPrices,
  appendTrades
} from "./SqlBlocks.ts"
import { searchKey, encodeText } from "./SqlColumns.ts"
import { appendRewind } from "./SqlRewinds.ts"
import { readState } from "./SqlState.ts"
import { poolTable, sqlVersions, tokenTable } from "./SqlVersions.ts"

export interface SqlEntityStoreOptions {
  /** The minimum number of versions after which a new epoch of tokens or pools begins. */
  readonly epochSize: number
}

const decodeHead = decodeFirstRow(Schema.Struct({ number: Schema.Int, hash: Schema.String, finalized: Schema.Int }))

const findHead = (sql: SqlClient.SqlClient, key: string) =>
  Effect.map(
    decodeHead(sql`select b.number, b.hash, i.finalized from dex_index i cross join lateral (
          select number, hash from dex_block where deployment = i.id order by number desc limit 1
        ) as b where i.key = ${key}`),
    Option.fromUndefinedOr
  )

const IdRow = Schema.Struct({ id: Schema.Int })
const decodeId = decodeFirstRow(IdRow)
const decodeUpsert = decodeOnlyRow(IdRow)

const find = (sql: SqlClient.SqlClient, key: string) =>
  Effect.map(decodeId(sql`select id from dex_index where key = ${key}`), (row) => row?.id)

/** The same, in a transaction that excludes other writers. */
const findHeld = (sql: SqlClient.SqlClient, key: string) =>
  Effect.map(decodeId(sql`select id from dex_index where key = ${key} for share`), (row) => row?.id)

/** Locks the deployment's row, which blocks every other writer of the same deployment until the transaction ends. */
const lock = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, key: string, finalized: number) {
  const { id } = yield* decodeUpsert(sql`insert into dex_index (key, finalized) values (${key}, ${finalized})
      on conflict (key) do update set finalized = greatest(dex_index.finalized, excluded.finalized) returning id`)
  return id
})

const toStoredToken = (row: TokenRow) => ({
  ...row,
  name: encodeText(row.name),
  symbol: encodeText(row.symbol),
  nameKey: searchKey(row.name),
  symbolKey: searchKey(row.symbol)
})

const toStoredPool = ({ simulation, ...row }: IndexedPool) => ({ ...row, ...simulation })

const makeWrites = (sql: SqlClient.SqlClient, epochSize: number) => {
  const tokens = sqlVersions(sql, tokenTable, epochSize)
  const pools = sqlVersions(sql, poolTable, epochSize)
  return {
    /** Writes the blocks above the checkpoint: stored blocks change nothing. */
    append: Effect.fnUntraced(function* (deployment: number, blocks: ReadonlyArray<IndexedBlock>) {
      const checkpoint = yield* newestBlock(sql, deployment)
      const fresh = checkpoint === undefined ? blocks : blocks.filter(({ number }) => number > checkpoint.number)
      const [first] = fresh
      if (first === undefined) return
      if (first.number - 1 === checkpoint?.number && first.parentHash !== checkpoint.hash) {
        return yield* Effect.die(
          new Error(
            `Block ${first.number} does not follow block ${checkpoint.number} of the index, whose hash is "${checkpoint.hash}".`
          )
        )
      }
      const of = <Row>(rows: (block: IndexedBlock) => ReadonlyArray<Row>) =>
        fresh.map((block) => ({ number: block.number, rows: rows(block) }))
      yield* appendBlocks(sql, deployment, fresh)
      yield* tokens.append(
        deployment,
        of((block) => block.tokens.map(toStoredToken))
      )
      yield* pools.append(
        deployment,
        of((block) => block.pools.map(toStoredPool))
      )
      yield* appendTrades(sql, deployment, fresh)
      yield* appendInitialPrices(sql, deployment, fresh)
      yield* extendProof(sql, deployment, checkpoint, fresh)
    }),
    rewind: Effect.fnUntraced(function* (
      deployment: number,
      number: number,
      blocks: ReadonlyArray<IndexedBlock>,
      finalized: number
    ) {
      // If the chain starts over, its final block number starts over, too.
      yield* sql`update dex_index set rewinds = rewinds + 1,
        finalized = case when finalized > ${number}::int then ${finalized}::int else finalized end
        where id = ${deployment}`
      yield* appendRewind(sql, deployment, number, blocks)
      yield* removeBlocks(sql, deployment, number)
      yield* rewindProof(sql, deployment, number)
      yield* tokens.rewind(deployment, number)
      yield* pools.rewind(deployment, number)
    })
  }
}

const make = Effect.fnUntraced(function* ({ epochSize }: SqlEntityStoreOptions) {
  const sql = yield* SqlClient.SqlClient
  const write = makeWrites(sql, epochSize)
  const nothing = { deployment: undefined, tokens: [], pools: [], ticks: [] }
  return EntityStore.of({
    checkpoint: Effect.fn("SqlEntityStore.checkpoint")((key) => findHead(sql, key)),
    state: Effect.fn("SqlEntityStore.state")((key, block) =>
      sql.withTransaction(
        Effect.flatMap(findHeld(sql, key), (deployment) =>
          deployment === undefined ? Effect.succeed(nothing) : readState(sql, deployment, block)
        )
      )
    ),
    append: Effect.fn("SqlEntityStore.append")((key, blocks, finalized) =>
      withFence(
        sql,
        Effect.flatMap(lock(sql, key, finalized), (deployment) => write.append(deployment, blocks))
      )
    ),
    rewind: Effect.fn("SqlEntityStore.rewind")((key, number, blocks, finalized) =>
      withFence(
        sql,
        Effect.gen(function* () {
          const deployment = yield* lock(sql, key, finalized)
          const other = blocks.filter((block) => block.number > number)
          yield* write.rewind(deployment, number, other, finalized)
          yield* write.append(deployment, other)
        })
      )
    ),
    proof: Effect.fn("SqlEntityStore.proof")(function* (key, limit) {
      const deployment = yield* find(sql, key)
      return deployment === undefined ? Option.none() : yield* readProof(sql, deployment, limit)
    }),
    prove: Effect.fn("SqlEntityStore.prove")((key, block, rewindCount) =>
      withFence(
        sql,
        Effect.flatMap(find(sql, key), (deployment) =>
          deployment === undefined ? Effect.void : Effect.asVoid(writeProof(sql, deployment, block, rewindCount))
        )
      )
    ),
    hashes: Effect.fn("SqlEntityStore.hashes")(function* (key, from, to) {
      const deployment = yield* find(sql, key)
      return deployment === undefined ? [] : yield* blocksBetween(sql, deployment, from, to)
    })
  })
})

export const layerWith = (options: SqlEntityStoreOptions) => Layer.effect(EntityStore, make(options))

/**
 * The index in the store. Every write locks the deployment, so that two indexers that overlap for a moment write one
 * after the other. Hash and time of every appended block are stored.
 */
export const layer = layerWith({ epochSize: 2000 })

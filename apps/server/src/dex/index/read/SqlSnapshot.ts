import { Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { decodeFirstRow } from "../../../internal/sql/decodeRows.ts"
import { BlockOutOfRangeError, DexSourceError } from "../../DexSource.ts"
import type { DexAsOf } from "../../DexSource.ts"
import { currentVersion, poolTable, tokenTable } from "../store/SqlVersions.ts"

/** The location of a block's state in the tables. */
export interface SqlSnapshot {
  readonly deployment: number
  readonly block: number
  /** The time of the newest block up to it with a change. */
  readonly timestamp: number
  readonly tokenEpoch: number
  readonly poolEpoch: number
  readonly rewindCount: number
  readonly asOf: DexAsOf
}

const SnapshotRow = Schema.Struct({
  deployment: Schema.Int,
  finalized: Schema.Int,
  rewindCount: Schema.Int,
  proven: Schema.NullOr(Schema.Int),
  first: Schema.NullOr(Schema.Int),
  head: Schema.NullOr(Schema.Int),
  number: Schema.NullOr(Schema.Int),
  hash: Schema.NullOr(Schema.String),
  timestamp: Schema.NullOr(Schema.NumberFromString),
  tokenEpoch: Schema.Int,
  poolEpoch: Schema.Int
})

const decodeRewindCount = decodeFirstRow(Schema.Struct({ rewindCount: Schema.Int }))

const decodeSnapshot = decodeFirstRow(SnapshotRow)

const find = (sql: SqlClient.SqlClient, key: string, block: number | null) => {
  const epoch = (entity: string) =>
    sql`coalesce(
      (select max(start) from dex_epoch where deployment = i.id and entity = ${entity} and start <= i.at), -1)`
  return decodeSnapshot(sql`with known as materialized (
        select id, finalized, rewinds, proven,
          (select min(number) from dex_block where deployment = dex_index.id) as first,
          (select max(number) from dex_block where deployment = dex_index.id) as head
        from dex_index where key = ${key}
      ), i as materialized (
        select known.*, coalesce(${block}::int, head) as at,
          (select max(number) from dex_block
            where deployment = known.id and number <= coalesce(${block}::int, head)) as stored
        from known
      )
      select i.id as deployment, i.finalized, i.rewinds as "rewindCount", i.proven, i.first, i.head, b.number, b.hash, b.timestamp::text as timestamp,
        ${epoch(tokenTable.name)} as "tokenEpoch", ${epoch(poolTable.name)} as "poolEpoch"
      from i left join dex_block b on b.deployment = i.id and b.number = i.stored`)
}

/** The chain replaced the blocks whose state is read. */
export const toReorged = (what: string): DexSourceError =>
  new DexSourceError({
    source: "index",
    reason: "Reorged",
    message: `The chain replaced blocks while ${what} read. Ask again.`
  })

/** The index has not stored a block yet. */
export const notReady = (key: string) =>
  new DexSourceError({
    source: "index",
    reason: "NotReady",
    message: `The index of "${key}" has no block yet. Ask again later.`
  })

/**
 * The requested block may lie between two blocks with changes; hash and time are stored only for those. Number and hash
 * of the response are then those of the block before it, whose state is the same: they identify one existing block. Before
 * the first stored block the index has nothing, and proves nothing.
 */
export const openSnapshot = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  key: string,
  block: Option.Option<number>
) {
  const asked = Option.getOrNull(block)
  const row = yield* find(sql, key, asked === null ? null : Math.min(asked, currentVersion))
  if (row === undefined || row.first === null || row.head === null) {
    return yield* notReady(key)
  }
  const at = asked ?? row.head
  if (at > row.head) return yield* new BlockOutOfRangeError({ block: at, first: row.first, head: row.head })
  return {
    deployment: row.deployment,
    block: at,
    timestamp: row.timestamp ?? 0,
    tokenEpoch: row.tokenEpoch,
    poolEpoch: row.poolEpoch,
    rewindCount: row.rewindCount,
    asOf: {
      number: row.number ?? at,
      hash: row.hash ?? undefined,
      finalized: at <= row.finalized,
      proven: at >= row.first && at <= (row.proven ?? -1)
    }
  } satisfies SqlSnapshot
})

/**
 * Whether no reorg was written since the snapshot was opened. Every statement that began before this check has seen the
 * state without one.
 */
export const isUnchanged = (sql: SqlClient.SqlClient, { deployment, rewindCount }: SqlSnapshot) =>
  Effect.map(
    decodeRewindCount(sql`select rewinds as "rewindCount" from dex_index where id = ${deployment}`),
    (row) => row?.rewindCount === rewindCount
  )

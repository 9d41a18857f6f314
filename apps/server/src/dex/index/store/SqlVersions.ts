import { Array as Arr, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { decodeFirstRow, decodeOnlyRow } from "../../../internal/sql/decodeRows.ts"
import {
  toInsertColumns,
  poolColumns,
  poolOrderColumns,
  simulationColumns,
  tokenColumns,
  tokenKeyColumns
} from "./SqlColumns.ts"
import type { SqlColumn } from "./SqlColumns.ts"

/** The `valid_to` of a current version. */
export const currentVersion = 2_147_483_647

interface VersionedTable {
  readonly name: "dex_pool" | "dex_token"
  readonly columns: Record<string, SqlColumn>
}

export const poolTable: VersionedTable = {
  name: "dex_pool",
  columns: { ...poolColumns, ...poolOrderColumns, ...simulationColumns }
}
export const tokenTable: VersionedTable = { name: "dex_token", columns: { ...tokenColumns, ...tokenKeyColumns } }

type StoredRow = { readonly [field: string]: string | number | null } & { readonly id: string }

interface Changes<Row> {
  readonly number: number
  readonly rows: ReadonlyArray<Row>
}

const EpochRow = Schema.Struct({ start: Schema.Int, size: Schema.Int, versions: Schema.Int })
const CountRow = Schema.Struct({ count: Schema.Int })

const decodeEpoch = decodeFirstRow(EpochRow)
const decodeCount = decodeOnlyRow(CountRow)

const rowsInStatement = 2000

export const toPieces = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Arr.chunksOf(all, rowsInStatement)

/** The versions that the changes create, and for each changed entity where its previous version ends. */
const toVersions = (changes: ReadonlyArray<Changes<StoredRow>>) => {
  const ends = new Map<string, number>()
  const newest = new Map<string, { validTo: number }>()
  const versions: Array<StoredRow & { validFrom: number; validTo: number }> = []
  for (const { number, rows } of changes) {
    for (const row of rows) {
      const version = { ...row, validFrom: number, validTo: currentVersion }
      const before = newest.get(row.id)
      if (before === undefined) ends.set(row.id, number)
      else before.validTo = number
      newest.set(row.id, version)
      versions.push(version)
    }
  }
  return { ends, versions }
}

/** Epochs of the versions of one table: a range of blocks in which each entity that lives has a version of its own. */
const sqlEpochs = (sql: SqlClient.SqlClient, table: VersionedTable, epochSize: number) => {
  const into = sql.literal(table.name)
  const columns = sql.literal(toInsertColumns(table.columns).columns)

  const findNewest = (deployment: number) =>
    decodeEpoch(sql`select start, size, versions from dex_epoch
        where deployment = ${deployment} and entity = ${table.name} order by start desc limit 1`)

  const insertEpoch = Effect.fnUntraced(function* (deployment: number, start: number, live: number) {
    yield* sql`insert into dex_epoch (deployment, entity, start, size, versions)
      values (${deployment}, ${table.name}, ${start}, ${Math.max(epochSize, live)}, 0)`
    return start
  })

  /** Closes every current version at `start` and reopens it there, except for entities that change at `start`. */
  const splitEpoch = Effect.fnUntraced(function* (
    deployment: number,
    epoch: number,
    start: number,
    changed: Array<string>
  ) {
    yield* sql`update ${into} set valid_to = ${start}
      where deployment = ${deployment} and epoch = ${epoch} and valid_to = ${currentVersion}`
    const copied = yield* decodeCount(sql`with copied as (
        insert into ${into} (deployment, epoch, valid_from, valid_to, ${columns})
        select deployment, ${start}::int, ${start}::int, ${currentVersion}::int, ${columns} from ${into}
        where deployment = ${deployment} and epoch = ${epoch} and valid_to = ${start} and id <> all(${changed}::text[])
        returning 1
      ) select count(*)::int as count from copied`)
    return yield* insertEpoch(deployment, start, copied.count)
  })

  return {
    /** The start of the epoch to which versions from `start` on belong: a new one if the newest is full. */
    open: Effect.fnUntraced(function* (deployment: number, start: number, changed: Array<string>) {
      const newest = yield* findNewest(deployment)
      if (newest === undefined) return yield* insertEpoch(deployment, start, 0)
      if (newest.versions < newest.size) return newest.start
      return yield* splitEpoch(deployment, newest.start, start, changed)
    }),
    count: (deployment: number, epoch: number, versions: number) =>
      sql`update dex_epoch set versions = versions + ${versions}
        where deployment = ${deployment} and entity = ${table.name} and start = ${epoch}`,
    /** The start of the epoch of a block, -1 if there is none. */
    startAt: (deployment: number, number: number) =>
      sql`coalesce((select max(start) from dex_epoch
        where deployment = ${deployment} and entity = ${table.name} and start <= ${number}), -1)`,
    /** Removes those that start above `number`. */
    rewind: (deployment: number, number: number) =>
      sql`delete from dex_epoch where deployment = ${deployment} and entity = ${table.name} and start > ${number}`
  }
}

/** Versions `[valid_from, valid_to)` of the entities of one table. Every effect must run in a transaction. */
export const sqlVersions = (sql: SqlClient.SqlClient, table: VersionedTable, epochSize: number) => {
  const epochs = sqlEpochs(sql, table, epochSize)
  const into = sql.literal(table.name)
  const fields = toInsertColumns(table.columns)

  const close = (deployment: number, ends: ReadonlyMap<string, number>) =>
    sql`with ended as materialized (
        select e.id, e.at, (select max(valid_from) from ${into} where deployment = ${deployment} and id = e.id) as since
        from unnest(${[...ends.keys()]}::text[], ${`{${[...ends.values()].join(",")}}`}::int[]) as e(id, at)
      )
      update ${into} v set valid_to = ended.at from ended
      where v.deployment = ${deployment} and v.id = ended.id and v.valid_from = ended.since and v.valid_to = ${currentVersion}`

  const insert = (deployment: number, epoch: number, versions: ReadonlyArray<StoredRow>) =>
    sql`insert into ${into} (deployment, epoch, valid_from, valid_to, ${sql.literal(fields.columns)})
      select ${deployment}::int, ${epoch}::int, r."validFrom", r."validTo", ${sql.literal(fields.values)}
      from json_to_recordset(${JSON.stringify(versions)}::text::json)
        as r("validFrom" int, "validTo" int, ${sql.literal(fields.type)})`

  return {
    /** Writes changes that lie above everything written so far. */
    append: Effect.fnUntraced(function* (deployment: number, changes: ReadonlyArray<Changes<StoredRow>>) {
      const [first] = changes
      const { ends, versions } = toVersions(changes)
      if (first === undefined || versions.length === 0) return
      const epoch = yield* epochs.open(
        deployment,
        first.number,
        first.rows.map(({ id }) => id)
      )
      yield* close(deployment, ends)
      for (const piece of toPieces(versions)) yield* insert(deployment, epoch, piece)
      yield* epochs.count(deployment, epoch, versions.length)
    }),

    /** Removes every change above `number`. */
    rewind: Effect.fnUntraced(function* (deployment: number, number: number) {
      const epoch = epochs.startAt(deployment, number)
      yield* sql`delete from ${into} where deployment = ${deployment} and epoch >= ${epoch} and valid_from > ${number}`
      yield* sql`update ${into} set valid_to = ${currentVersion}
        where deployment = ${deployment} and epoch = ${epoch} and valid_to > ${number} and valid_to < ${currentVersion}`
      yield* epochs.rewind(deployment, number)
    })
  }
}

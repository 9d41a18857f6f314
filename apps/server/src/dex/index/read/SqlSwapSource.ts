import { Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { decodeFirstRow, decodeRows } from "../../../internal/sql/decodeRows.ts"
import { storeDefects } from "../../../internal/StoreError.ts"
import type { BlockId } from "../../../live/Reorg.ts"
import { SwapSource } from "../../live/SwapSource.ts"
import { indexTopic } from "../store/EntityStore.ts"
import { columnsByKind, toSelectColumns } from "../store/SqlColumns.ts"
import { isUnchanged, notReady, openSnapshot, toReorged } from "./SqlSnapshot.ts"
import { getTradePools, Swap } from "./SqlTradeReads.ts"

const Block = Schema.Struct({ number: Schema.Int, hash: Schema.String })
const decodeBlocks = decodeRows(Block)
const decodeBlock = decodeFirstRow(Block)

const Chain = Schema.Struct({
  number: Schema.Int,
  hash: Schema.String,
  common: Schema.NullOr(Block),
  rewindId: Schema.Int
})
const decodeChain = decodeFirstRow(Chain)

const SwapRow = Schema.Struct({ ...Swap.fields, blockNumber: Schema.Int, blockHash: Schema.String })
const decodeSwaps = decodeRows(SwapRow)

/** The number of blocks by which a reader later detects a reorg. */
const trail = 64

const reorged = toReorged("its swaps were")

const findChain = (sql: SqlClient.SqlClient, key: string, known: ReadonlyArray<BlockId>, since: number | undefined) =>
  decodeChain(sql`with known as (
          select number, hash from json_to_recordset(${JSON.stringify(known)}::text::json) as k(number int, hash text)
        ), i as materialized (select id from dex_index where key = ${key})
        select head.number, head.hash, (
          select json_build_object('number', b.number, 'hash', b.hash) from known k
          join dex_block b on b.deployment = i.id and b.number = k.number and b.hash = k.hash
          where not exists (
            select from dex_rewind r
            where r.deployment = i.id and r.id > ${since ?? null}::bigint and r.ancestor < b.number
          )
          order by b.number desc limit 1
        ) as common, coalesce((select max(id) from dex_rewind where deployment = i.id), 0)::float8 as "rewindId"
        from i cross join lateral (
          select number, hash from dex_block where deployment = i.id order by number desc limit 1
        ) as head`)

/** The index may lag behind the chain: a block that is final today may not have been. */
const findFinal = (sql: SqlClient.SqlClient, key: string, head: number, finality: number, since: number | undefined) =>
  Effect.map(
    decodeBlock(sql`select b.number, b.hash from dex_index i cross join lateral (
          select max(number) as head from dex_block where deployment = i.id
        ) as now cross join lateral (
          select number, hash from dex_block where deployment = i.id and number <= least(
            i.finalized, ${head}::int - greatest(${finality}::int, now.head - i.finalized),
            (select min(ancestor) from dex_rewind where deployment = i.id and id > ${since ?? null}::bigint)
          )
          order by number desc limit 1
        ) as b where i.key = ${key}`),
    Option.fromUndefinedOr
  )

/**
 * Block times never decrease, so the time of a block bounds what follows it, and lets the index by pool serve the
 * query.
 */
const swapsAfter = (
  sql: SqlClient.SqlClient,
  deployment: number,
  pool: string,
  position: { readonly number: number; readonly logIndex: number },
  head: number,
  max: number
) =>
  decodeSwaps(sql`select transaction_id || '#' || log_index as id, dex_trade.token0, dex_trade.token1,
        dex_trade.block_number as "blockNumber", b.hash as "blockHash",
        ${sql.literal(toSelectColumns(Struct.omit(columnsByKind.swap, ["pool", "timestamp"])))},
        dex_trade.timestamp::text as "timestamp"
      from dex_trade
      join dex_block b on b.deployment = dex_trade.deployment and b.number = dex_trade.block_number
      where dex_trade.deployment = ${deployment} and pool = ${pool} and kind = 'swap'
        and dex_trade.timestamp >= coalesce((
          select timestamp from dex_block where deployment = ${deployment} and number <= ${position.number}::int
          order by number desc limit 1
        ), 0)
        and (block_number, log_index) > (${position.number}::int, ${position.logIndex}::int) and block_number <= ${head}::int
      order by dex_trade.timestamp, block_number, log_index limit ${max}::bigint`)

const blocksUpTo = (sql: SqlClient.SqlClient, deployment: number, above: number, head: number) =>
  decodeBlocks(sql`select number, hash from (
        select number, hash from dex_block where deployment = ${deployment} and number > ${above}::int
          and number <= ${head}::int order by number desc limit ${trail}::int
      ) as newest order by number`)

/** Reads the swaps of indexes in the store. `indexes` states the depth below the head from which blocks are final. */
export const layer = (
  indexes: ReadonlyArray<{ readonly key: string; readonly finality: number }>
): Layer.Layer<SwapSource, never, SqlClient.SqlClient> =>
  Layer.effect(
    SwapSource,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const finalities = new Map(indexes.map(({ finality, key }) => [key, finality]))
      return SwapSource.of({
        topic: indexTopic,
        follows: (key) => finalities.has(key),
        chain: Effect.fn("SqlSwapSource.chain")(function* (key, known, since) {
          const row = yield* findChain(sql, key, known, since)
          if (row === undefined) return yield* notReady(key)
          return {
            head: { number: row.number, hash: row.hash },
            common: row.common ?? undefined,
            rewindId: row.rewindId
          }
        }, Effect.catchTags(storeDefects)),
        finalAt: Effect.fn("SqlSwapSource.finalAt")(
          (key, head, since) => findFinal(sql, key, head, finalities.get(key) ?? 0, since),
          Effect.catchTags(storeDefects)
        ),
        after: Effect.fn("SqlSwapSource.after")(function* (key, pool, position, head, max) {
          const at = yield* Effect.catchTag(
            openSnapshot(sql, key, Option.some(head.number)),
            "BlockOutOfRangeError",
            () => Effect.fail(reorged)
          )
          if (at.asOf.hash !== head.hash) return yield* reorged
          const { deployment } = at
          const rows = yield* swapsAfter(sql, deployment, pool, position, head.number, max)
          const blocks = yield* blocksUpTo(sql, deployment, position.number, head.number)
          const toPool = yield* getTradePools(sql, at, rows)
          if (!(yield* isUnchanged(sql, at))) return yield* reorged
          const swaps = rows.map(({ blockHash, blockNumber, token0, token1, ...row }) => ({
            block: { number: blockNumber, hash: blockHash },
            logIndex: Number(row.logIndex),
            row: { ...row, pool: toPool({ token0, token1 }) }
          }))
          return { swaps, blocks }
        }, Effect.catchTags(storeDefects))
      })
    })
  )

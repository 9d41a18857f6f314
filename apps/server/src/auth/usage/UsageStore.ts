import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import { decodeRows } from "../../internal/sql/decodeRows.ts"
import type { StoreError } from "../../internal/StoreError.ts"

/** The usage of a key on one UTC day. */
export const UsageRow = Schema.Struct({
  key: Schema.String,
  /** `YYYY-MM-DD`. */
  day: Schema.String,
  requests: Schema.Int,
  /** The requests of these that a limit rejected. */
  refused: Schema.Int,
  /** The cost charged for them. */
  cost: Schema.Int
})

export type UsageRow = typeof UsageRow.Type

/** The requests of an operation. */
export const OperationUse = Schema.Struct({
  /** `group.name`. */
  operation: Schema.String,
  requests: Schema.Int,
  refused: Schema.Int
})

export type OperationUse = typeof OperationUse.Type

const Addition = Schema.Struct({
  ...UsageRow.fields,
  operation: Schema.String,
  /** The newest use, in Unix milliseconds. */
  at: Schema.Int
})

/** One write: the usage of a key on one UTC day by one operation. */
export type UsageAddition = typeof Addition.Type

const encodeAdditions = Schema.encodeSync(Schema.fromJsonString(Schema.Array(Addition)))

const encodeKeys = Schema.encodeSync(Schema.fromJsonString(Schema.Array(Schema.String)))

const decodeUsage = decodeRows(UsageRow)
const decodeOperations = decodeRows(OperationUse)

/** The stored usage of keys, by UTC day. */
export class UsageStore extends Context.Service<
  UsageStore,
  {
    /** Keys that no longer exist are skipped. */
    readonly add: (rows: ReadonlyArray<UsageAddition>) => Effect.Effect<void, SqlError.SqlError>
    /** Since a day, in no particular order. */
    readonly since: (keys: ReadonlyArray<string>, day: string) => Effect.Effect<ReadonlyArray<UsageRow>, StoreError>
    /** The sums of these keys since a day, one row per operation, in no particular order. */
    readonly operationsSince: (
      keys: ReadonlyArray<string>,
      day: string
    ) => Effect.Effect<ReadonlyArray<OperationUse>, StoreError>
  }
>()("@chaintape/server/auth/usage/UsageStore") {
  static readonly layer = Layer.effect(
    UsageStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const isWanted = (keys: ReadonlyArray<string>, day: string) =>
        sql`day >= ${day}::text::date and key in (select jsonb_array_elements_text(${encodeKeys(keys)}::text::jsonb))`
      return UsageStore.of({
        add: (rows) =>
          sql`with given as (
              select key, day, operation, requests, refused, cost, to_timestamp(at / 1000.0) as at
              from jsonb_to_recordset(${encodeAdditions(rows)}::text::jsonb)
                as g (key text, day date, operation text, requests bigint, refused bigint, cost bigint, at bigint)
            ), used as (
              update api_key set last_used_at = greatest(api_key.last_used_at, latest.at)
              from (select key, max(at) as at from given group by key) latest where api_key.id = latest.key
            ), by_operation as (
              insert into api_usage_operation (key, day, operation, requests, refused)
              select given.key, day, operation, requests, refused from given join api_key on api_key.id = given.key
              on conflict (key, day, operation) do update set
                requests = api_usage_operation.requests + excluded.requests,
                refused = api_usage_operation.refused + excluded.refused
            )
            insert into api_usage (key, day, requests, refused, cost)
            select given.key, day, sum(requests), sum(refused), sum(cost)
            from given join api_key on api_key.id = given.key group by given.key, day
            on conflict (key, day) do update set requests = api_usage.requests + excluded.requests,
              refused = api_usage.refused + excluded.refused, cost = api_usage.cost + excluded.cost`.pipe(
            Effect.asVoid
          ),
        since: (keys, day) =>
          decodeUsage(
            sql`select key, to_char(day, 'YYYY-MM-DD') as day, requests::float8 as requests, refused::float8 as refused,
              cost::float8 as cost
            from api_usage where ${isWanted(keys, day)}`
          ),
        operationsSince: (keys, day) =>
          decodeOperations(
            sql`select operation, sum(requests)::float8 as requests, sum(refused)::float8 as refused
            from api_usage_operation where ${isWanted(keys, day)} group by operation`
          )
      })
    })
  )
}

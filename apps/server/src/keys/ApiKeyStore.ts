import { Context, Effect, Layer, Schema } from "effect"
import type { Option } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { SqlError } from "effect/sql"

/** What is stored of a key. */
export const ApiKeyRow = Schema.Struct({
  id: Schema.String,
  digest: Schema.String,
  name: Schema.String,
  usable: Schema.Boolean
})

export type ApiKeyRow = typeof ApiKeyRow.Type

/** The keys that callers may use. */
export class ApiKeyStore extends Context.Service<
  ApiKeyStore,
  {
    readonly find: (id: string) => Effect.Effect<Option.Option<ApiKeyRow>, SqlError.SqlError | Schema.SchemaError>
    /** Makes `key` the only one with its name. */
    readonly replaceByName: (key: {
      readonly id: string
      readonly digest: string
      readonly name: string
    }) => Effect.Effect<void, SqlError.SqlError>
    /** Whether a key with this name is stored. */
    readonly hasName: (name: string) => Effect.Effect<boolean, SqlError.SqlError>
    /** Fails where the store does not answer. */
    readonly check: Effect.Effect<void, SqlError.SqlError>
  }
>()("@chaintape/server/keys/ApiKeyStore") {
  static readonly layer = Layer.effect(
    ApiKeyStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return ApiKeyStore.of({
        find: SqlSchema.findOneOption({
          Request: Schema.String,
          Result: ApiKeyRow,
          execute: (id) =>
            sql`select id, digest, name,
              revoked_at is null and (expires_at is null or expires_at > now()) as usable
              from api_key where id = ${id}`
        }),
        replaceByName: ({ digest, id, name }) =>
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`delete from api_key where name = ${name}`
              yield* sql`insert into api_key (id, digest, name) values (${id}, ${digest}, ${name})
              on conflict (id) do update set name = excluded.name, revoked_at = null, expires_at = null`
            })
          ),
        hasName: (name) => Effect.map(sql`select 1 from api_key where name = ${name}`, (rows) => rows.length > 0),
        check: Effect.asVoid(sql`select 1`)
      })
    })
  )
}

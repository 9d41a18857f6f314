import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import { decodeFirstRow, hasRow } from "../internal/sql/decodeRows.ts"
import type { StoreError } from "../internal/StoreError.ts"

const AccountRow = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  /** The hash. */
  password: Schema.String,
  isDisabled: Schema.Boolean
})

export type AccountRow = typeof AccountRow.Type

const decodeAccount = decodeFirstRow(AccountRow)

/** The stored accounts. Only this service writes their table. */
export class AccountStore extends Context.Service<
  AccountStore,
  {
    readonly find: (id: string) => Effect.Effect<Option.Option<AccountRow>, StoreError>
    readonly findByEmail: (email: string) => Effect.Effect<Option.Option<AccountRow>, StoreError>
    /** False if the e-mail address has an account. */
    readonly insert: (
      account: Pick<AccountRow, "id" | "email" | "password">,
      createdAt: Date
    ) => Effect.Effect<boolean, SqlError.SqlError>
    /** False if the account is disabled, does not exist, or has another hash than `before` if it is given. */
    readonly replacePassword: (id: string, after: string, before?: string) => Effect.Effect<boolean, SqlError.SqlError>
    /** Null enables the account. False if it does not exist. */
    readonly setDisabledAt: (id: string, at: Date | null) => Effect.Effect<boolean, SqlError.SqlError>
    /** Deletes the account with its sessions, keys and reset codes. */
    readonly remove: (id: string) => Effect.Effect<void, SqlError.SqlError>
    /** All or nothing, with the changes of other stores and of the audit log. */
    readonly withTransaction: SqlClient.SqlClient["withTransaction"]
  }
>()("@chaintape/server/accounts/AccountStore") {
  static readonly layer = Layer.effect(
    AccountStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(`id, email, password, disabled_at is not null as "isDisabled"`)
      const findBy = (column: "id" | "email") => (value: string) =>
        Effect.map(
          decodeAccount(sql`select ${columns} from account where ${sql(column)} = ${value}`),
          Option.fromUndefinedOr
        )
      return AccountStore.of({
        find: Effect.fn("AccountStore.find")(findBy("id")),
        findByEmail: Effect.fn("AccountStore.findByEmail")(findBy("email")),
        insert: Effect.fn("AccountStore.insert")((account, createdAt) =>
          hasRow(sql`insert into account ${sql.insert({ ...account, created_at: createdAt })}
            on conflict (email) do nothing returning id`)
        ),
        replacePassword: Effect.fn("AccountStore.replacePassword")((id, after, before) =>
          hasRow(sql`update account set password = ${after} where id = ${id} and disabled_at is null
            and password = coalesce(${before ?? null}::text, password) returning id`)
        ),
        setDisabledAt: Effect.fn("AccountStore.setDisabledAt")((id, at) =>
          hasRow(sql`update account set disabled_at = ${at} where id = ${id} returning id`)
        ),
        remove: Effect.fn("AccountStore.remove")(function* (id) {
          yield* sql`delete from account where id = ${id}`
        }),
        withTransaction: sql.withTransaction
      })
    })
  )
}

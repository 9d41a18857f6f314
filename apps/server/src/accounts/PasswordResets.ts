import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import { AuditLog } from "../auth/AuditLog.ts"
import { decodeFirstRow } from "../internal/sql/decodeRows.ts"
import type { StoreError } from "../internal/StoreError.ts"
import { AccountStore } from "./AccountStore.ts"
import type { Credentials } from "./Credentials.ts"
import { Passwords } from "./Passwords.ts"
import type { PasswordsBusyError } from "./Passwords.ts"
import { hashToken, newToken } from "./SecretToken.ts"
import { Sessions } from "./Sessions.ts"

export interface ResetForm extends Credentials {
  readonly code: string
}

const decodeAccount = decodeFirstRow(Schema.Struct({ account: Schema.String }))

/** Codes by the operator, with each of which the holder of one account replaces a lost password, once. */
export class PasswordResets extends Context.Service<
  PasswordResets,
  {
    /** The code, which is not stored. Earlier codes of the account are revoked. None if the account is disabled. */
    readonly create: (
      account: string,
      expiresAt: DateTime.Utc
    ) => Effect.Effect<Option.Option<string>, SqlError.SqlError>
    /** Uses the code and ends every session. Returns the account, if the code belongs to it and is valid. */
    readonly use: (form: ResetForm) => Effect.Effect<Option.Option<string>, PasswordsBusyError | StoreError>
    /** Revokes the codes of the account. */
    readonly revoke: (account: string) => Effect.Effect<void, SqlError.SqlError>
  }
>()("@chaintape/server/accounts/PasswordResets") {
  static readonly layer = Layer.effect(
    PasswordResets,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const passwords = yield* Passwords
      const sessions = yield* Sessions
      const store = yield* AccountStore

      const create = Effect.fnUntraced(function* (account: string, expiresAt: DateTime.Utc) {
        const code = yield* newToken
        const now = yield* DateTime.nowAsDate
        yield* sql`delete from password_reset where account = ${account} or expires_at <= ${now}`
        // The lock lets no account be disabled before this transaction ends.
        const made = yield* sql`insert into password_reset (digest, account, created_at, expires_at)
          select ${hashToken(code)}, id, ${now}::timestamptz, ${DateTime.toDate(expiresAt)}::timestamptz
          from account where id = ${account} and disabled_at is null for share
          returning 1`
        if (made.length === 0) return Option.none<string>()
        yield* audit.record({ kind: "password-reset-created", actor: "operator", account })
        return Option.some(code)
      })

      const replace = Effect.fnUntraced(function* (account: string, digest: string, hash: string, address: string) {
        // Only the request that deletes the row has used the code.
        const used = yield* sql`delete from password_reset where digest = ${digest} returning 1`
        if (used.length === 0) return Option.none<string>()
        if (!(yield* store.replacePassword(account, hash))) return Option.none<string>()
        yield* sessions.endAll(account)
        const event = { actor: "account", account, address } as const
        yield* audit.record({ ...event, kind: "password-reset" })
        return Option.some(account)
      })

      return PasswordResets.of({
        create: Effect.fn("PasswordResets.create")((account, expiresAt) =>
          sql.withTransaction(create(account, expiresAt))
        ),
        use: Effect.fn("PasswordResets.use")(function* ({ address, code, email, password }) {
          const digest = hashToken(code.trim())
          const now = yield* DateTime.nowAsDate
          const found = yield* decodeAccount(
            sql`select account.id as account from password_reset join account on account.id = password_reset.account
              where digest = ${digest} and email = ${email} and expires_at > ${now} and disabled_at is null`
          )
          if (found === undefined) return Option.none<string>()
          const hash = yield* passwords.hash(password)
          return yield* sql.withTransaction(replace(found.account, digest, hash, address))
        }),
        revoke: Effect.fn("PasswordResets.revoke")(function* (account) {
          yield* sql`delete from password_reset where account = ${account}`
        })
      })
    })
  )
}

import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import { hasRow } from "../internal/sql/decodeRows.ts"
import { hashToken, newToken } from "./SecretToken.ts"

export interface NewInvitation {
  /** The recipient, for the operator's own records. */
  readonly note: string
  readonly expiresAt: DateTime.Utc | undefined
}

/** Invitations by the operator, each for one account. */
export class Invitations extends Context.Service<
  Invitations,
  {
    /** The code, which is not stored. */
    readonly create: (wanted: NewInvitation) => Effect.Effect<string, SqlError.SqlError>
    /** Whether the code is valid now. */
    readonly isOpen: (code: string) => Effect.Effect<boolean, SqlError.SqlError>
    /** Marks the code as used by an existing account. False if it was not valid. */
    readonly use: (code: string, account: string) => Effect.Effect<boolean, SqlError.SqlError>
    /** Erases the note of the invitation that the account used. */
    readonly eraseNote: (account: string) => Effect.Effect<void, SqlError.SqlError>
  }
>()("@chaintape/server/accounts/Invitations") {
  static readonly layer = Layer.effect(
    Invitations,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return Invitations.of({
        create: Effect.fn("Invitations.create")(function* ({ expiresAt, note }) {
          const code = yield* newToken
          const row = {
            digest: hashToken(code),
            note,
            created_at: yield* DateTime.nowAsDate,
            expires_at: expiresAt === undefined ? null : DateTime.toDate(expiresAt)
          }
          yield* sql`insert into invitation ${sql.insert(row)}`
          return code
        }),
        isOpen: Effect.fn("Invitations.isOpen")(function* (code) {
          const now = yield* DateTime.nowAsDate
          return yield* hasRow(sql`select 1 from invitation where digest = ${hashToken(code.trim())}
            and used_at is null and (expires_at is null or expires_at > ${now})`)
        }),
        use: Effect.fn("Invitations.use")(function* (code, account) {
          const now = yield* DateTime.nowAsDate
          return yield* hasRow(sql`update invitation set used_at = ${now}, account = ${account}
            where digest = ${hashToken(code.trim())} and used_at is null
            and (expires_at is null or expires_at > ${now}) returning 1`)
        }),
        eraseNote: Effect.fn("Invitations.eraseNote")(function* (account) {
          yield* sql`update invitation set note = '' where account = ${account}`
        })
      })
    })
  )
}

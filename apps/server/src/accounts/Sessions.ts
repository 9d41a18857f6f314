import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { decodeFirstRow } from "../internal/sql/decodeRows.ts"
import type { StoreError } from "../internal/StoreError.ts"
import { hashToken, isToken, newToken } from "./SecretToken.ts"

const lifetime = Duration.days(14)

/** The maximum number of sessions of an account: beyond it the oldest session ends. */
const maxSessions = 20

const decodeSession = decodeFirstRow(Schema.Struct({ account: Schema.String, email: Schema.String }))

export interface Session {
  readonly account: string
  readonly email: string
  /** The token in the browser's cookie. */
  readonly token: string
}

/** Signed-in browsers. The store holds the digest of the cookie's token. */
export class Sessions extends Context.Service<
  Sessions,
  {
    /**
     * Starts a session with a new random token. The session of `previous` ends. For an account that was disabled
     * meanwhile, or that has another hash than `password` if it is given, there is no session: the token opens none.
     */
    readonly begin: (
      account: string,
      previous: string | undefined,
      password?: string
    ) => Effect.Effect<string, StoreError>
    /** The session of a token, unless it has ended or its account is disabled. */
    readonly find: (token: string) => Effect.Effect<Option.Option<Session>, StoreError>
    readonly end: (token: string) => Effect.Effect<void, StoreError>
    readonly endAll: (account: string) => Effect.Effect<void, StoreError>
  }
>()("@chaintape/server/accounts/Sessions") {
  static readonly lifetime = lifetime

  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const end = Effect.fn("Sessions.end")(function* (token: string) {
        yield* sql`delete from account_session where digest = ${hashToken(token)}`
      })
      // The newest session may not have the latest time: the clock may have been set back.
      const tidy = Effect.fnUntraced(function* (account: string, newest: string, now: Date) {
        yield* sql`delete from account_session where expires_at <= ${now}`
        yield* sql`delete from account_session where digest in (
          select digest from account_session where account = ${account}
          order by digest = ${newest} desc, created_at desc, digest offset ${maxSessions})`
      })
      const begin = Effect.fn("Sessions.begin")(function* (
        account: string,
        previous: string | undefined,
        password?: string
      ) {
        const now = yield* DateTime.now
        const token = yield* newToken
        const expiresAt = DateTime.toDate(DateTime.addDuration(now, lifetime))
        if (previous !== undefined) yield* end(previous)
        // The lock lets no account be disabled, and no password be changed, before this transaction ends.
        yield* sql`insert into account_session (digest, account, created_at, expires_at)
          select ${hashToken(token)}, id, ${DateTime.toDate(now)}::timestamptz, ${expiresAt}::timestamptz
          from account where id = ${account} and disabled_at is null
            and password = coalesce(${password ?? null}::text, password) for share`
        yield* tidy(account, hashToken(token), DateTime.toDate(now))
        return token
      })
      const find = Effect.fn("Sessions.find")(function* (token: string) {
        if (!isToken(token)) return Option.none<Session>()
        const now = yield* DateTime.nowAsDate
        const found = yield* decodeSession(
          sql`select account.id as account, account.email from account_session
            join account on account.id = account_session.account
            where digest = ${hashToken(token)} and expires_at > ${now} and disabled_at is null`
        )
        return found === undefined ? Option.none() : Option.some({ ...found, token })
      })
      return Sessions.of({
        begin: (account, previous, password) => sql.withTransaction(begin(account, previous, password)),
        find,
        end,
        endAll: (account) => Effect.asVoid(sql`delete from account_session where account = ${account}`)
      })
    })
  )
}

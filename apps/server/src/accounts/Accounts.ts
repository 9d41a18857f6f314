import { randomUUID } from "node:crypto"
import { Context, Data, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { AuditLog } from "../auth/AuditLog.ts"
import type { StoreError } from "../internal/StoreError.ts"
import { Invitations } from "./Invitations.ts"
import { PasswordResets } from "./PasswordResets.ts"
import { Passwords } from "./Passwords.ts"
import type { PasswordsBusy } from "./Passwords.ts"
import { Sessions } from "./Sessions.ts"

export type SignUpPolicy = "open" | "invitation" | "closed"

export interface NewAccount {
  /** Normalized. */
  readonly email: string
  readonly password: string
  readonly invitation: string
  /** The address of the request. */
  readonly address: string
}

export interface Credentials {
  readonly email: string
  readonly password: string
  readonly address: string
}

export class SignUpRefused extends Data.TaggedError("SignUpRefused")<{
  readonly reason: "closed" | "invitation" | "email"
}> {}

const Row = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  password: Schema.String,
  disabled_at: Schema.NullOr(Schema.Date)
})

/** An account whose password was verified. */
export interface VerifiedAccount {
  readonly id: string
  /** The hash that was verified. */
  readonly password: string
}

/** The accounts of people. */
export class Accounts extends Context.Service<
  Accounts,
  {
    readonly policy: SignUpPolicy
    /** The id of the new account. */
    readonly signUp: (wanted: NewAccount) => Effect.Effect<string, SignUpRefused | PasswordsBusy | StoreError>
    /** The account, if the password is correct. Unknown and disabled accounts take the same time. */
    readonly verify: (given: Credentials) => Effect.Effect<Option.Option<VerifiedAccount>, PasswordsBusy | StoreError>
    readonly findByEmail: (email: string) => Effect.Effect<Option.Option<string>, StoreError>
    /**
     * Ends its sessions, revokes its reset code, and disables its keys until it is enabled again. False if the account
     * does not exist.
     */
    readonly disable: (account: string) => Effect.Effect<boolean, StoreError>
    readonly enable: (account: string) => Effect.Effect<boolean, StoreError>
  }
>()("@chaintape/server/accounts/Accounts") {
  static readonly layer = (policy: SignUpPolicy = "open") =>
    Layer.effect(
      Accounts,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const audit = yield* AuditLog
        const invitations = yield* Invitations
        const passwords = yield* Passwords
        const resets = yield* PasswordResets
        const sessions = yield* Sessions
        const find = SqlSchema.findOneOption({
          Request: Schema.String,
          Result: Row,
          execute: (email) => sql`select id, email, password, disabled_at from account where email = ${email}`
        })
        const now = Effect.map(DateTime.now, DateTime.toDate)

        /** All or nothing: an invitation is used only by an account that is created. */
        const insert = Effect.fnUntraced(function* (wanted: NewAccount, password: string) {
          const id = randomUUID()
          const row = { id, email: wanted.email, password, created_at: yield* now }
          const rows = yield* sql`insert into account ${sql.insert(row)} on conflict (email) do nothing returning id`
          if (rows.length === 0) return yield* new SignUpRefused({ reason: "email" })
          if (policy === "invitation") {
            if (!(yield* invitations.use(wanted.invitation, id)))
              return yield* new SignUpRefused({ reason: "invitation" })
          }
          const event = { actor: "account", account: id, address: wanted.address } as const
          yield* audit.record({ ...event, kind: "account-created", detail: wanted.email })
          if (policy === "invitation") yield* audit.record({ ...event, kind: "invitation-used", detail: wanted.email })
          return id
        })

        const setDisabledAt = Effect.fnUntraced(function* (account: string, disabledAt: Date | null) {
          const rows = yield* sql`update account set disabled_at = ${disabledAt} where id = ${account} returning id`
          if (rows.length === 0) return false
          yield* resets.revoke(account)
          yield* sessions.endAll(account)
          yield* audit.record({
            kind: disabledAt === null ? "account-enabled" : "account-disabled",
            actor: "operator",
            account
          })
          return true
        })

        /** Unless the password was changed while this one was verified. Returns the hash that is stored if it was not. */
        const renewHash = Effect.fnUntraced(function* (row: typeof Row.Type, password: string) {
          if (!passwords.isOutdated(row.password)) return row.password
          const renewed = yield* passwords.hash(password)
          yield* sql`update account set password = ${renewed} where id = ${row.id} and password = ${row.password}`
          return renewed
        })

        return Accounts.of({
          policy,
          signUp: Effect.fn("Accounts.signUp")(function* (wanted) {
            if (policy === "closed") return yield* new SignUpRefused({ reason: "closed" })
            // Checked before anything depends on the e-mail address: only invited people may learn whether it exists.
            if (policy === "invitation" && !(yield* invitations.isOpen(wanted.invitation)))
              return yield* new SignUpRefused({ reason: "invitation" })
            const password = yield* passwords.hash(wanted.password)
            return yield* sql.withTransaction(insert(wanted, password))
          }),
          verify: Effect.fn("Accounts.verify")(function* ({ address, email, password }) {
            const row = yield* find(email)
            const same = yield* passwords.matches(
              password,
              Option.getOrUndefined(Option.map(row, (found) => found.password))
            )
            const found = Option.filter(row, ({ disabled_at }) => same && disabled_at === null)
            const account = Option.getOrUndefined(Option.map(row, ({ id }) => id))
            const isGood = Option.isSome(found)
            yield* audit.record({
              kind: isGood ? "signed-in" : "sign-in-failed",
              actor: isGood ? "account" : "nobody",
              account,
              address,
              detail: account === undefined ? "unknown e-mail address" : ""
            })
            if (!isGood) return Option.none<VerifiedAccount>()
            return Option.some({ id: found.value.id, password: yield* renewHash(found.value, password) })
          }),
          findByEmail: (email) =>
            Effect.map(
              find(email),
              Option.map(({ id }) => id)
            ),
          disable: (account) => Effect.flatMap(now, (at) => sql.withTransaction(setDisabledAt(account, at))),
          enable: (account) => sql.withTransaction(setDisabledAt(account, null))
        })
      })
    )
}

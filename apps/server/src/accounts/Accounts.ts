import { randomUUID } from "node:crypto"
import { Context, Data, DateTime, Effect, Layer, Option } from "effect"
import { AuditLog } from "../auth/AuditLog.ts"
import type { StoreError } from "../internal/StoreError.ts"
import { AccountStore } from "./AccountStore.ts"
import type { AccountRow } from "./AccountStore.ts"
import type { Credentials } from "./Credentials.ts"
import { Invitations } from "./Invitations.ts"
import { PasswordResets } from "./PasswordResets.ts"
import { Passwords } from "./Passwords.ts"
import type { PasswordsBusyError } from "./Passwords.ts"
import { Sessions } from "./Sessions.ts"

export type SignUpPolicy = "open" | "invitation" | "closed"

export interface NewAccount extends Credentials {
  readonly invitation: string
}

const signUpMessages = {
  closed: "This service creates no new accounts.",
  invitation: "The invitation is unknown, used or too old.",
  email: "The email address has an account already."
}

/** The account was not created. */
export class SignUpError extends Data.TaggedError("SignUpError")<{
  readonly reason: keyof typeof signUpMessages
}> {
  override get message(): string {
    return signUpMessages[this.reason]
  }
}

/** An account whose password was verified. */
export interface VerifiedAccount {
  readonly id: string
  /** The hash that was verified. */
  readonly password: string
}

const makeSignUp = (policy: SignUpPolicy) =>
  Effect.gen(function* () {
    const audit = yield* AuditLog
    const invitations = yield* Invitations
    const passwords = yield* Passwords
    const store = yield* AccountStore

    /** All or nothing: an invitation is used only by an account that is created. */
    const insert = Effect.fnUntraced(function* (wanted: NewAccount, password: string) {
      const id = randomUUID()
      if (!(yield* store.insert({ id, email: wanted.email, password }, yield* DateTime.nowAsDate)))
        return yield* new SignUpError({ reason: "email" })
      if (policy === "invitation") {
        if (!(yield* invitations.use(wanted.invitation, id))) return yield* new SignUpError({ reason: "invitation" })
      }
      const event = { actor: "account", account: id, address: wanted.address } as const
      yield* audit.record({ ...event, kind: "account-created", detail: wanted.email })
      if (policy === "invitation") yield* audit.record({ ...event, kind: "invitation-used", detail: wanted.email })
      return id
    })

    return Effect.fn("Accounts.signUp")(function* (wanted: NewAccount) {
      if (policy === "closed") return yield* new SignUpError({ reason: "closed" })
      // Checked before anything depends on the e-mail address: only invited people may learn whether it exists.
      if (policy === "invitation" && !(yield* invitations.isOpen(wanted.invitation)))
        return yield* new SignUpError({ reason: "invitation" })
      const password = yield* passwords.hash(wanted.password)
      return yield* store.withTransaction(insert(wanted, password))
    })
  })

const makeVerify = Effect.gen(function* () {
  const audit = yield* AuditLog
  const passwords = yield* Passwords
  const store = yield* AccountStore

  /** Unless the account changed while its password was verified. Returns the hash that is stored if it did not. */
  const renewHash = Effect.fnUntraced(function* (row: AccountRow, password: string) {
    if (!passwords.isOutdated(row.password)) return row.password
    const renewed = yield* passwords.hash(password)
    yield* store.replacePassword(row.id, renewed, row.password)
    return renewed
  })

  return Effect.fn("Accounts.verify")(function* ({ address, email, password }: Credentials) {
    const row = yield* store.findByEmail(email)
    const same = yield* passwords.matches(password, Option.getOrUndefined(row)?.password)
    const found = Option.filter(row, ({ isDisabled }) => same && !isDisabled)
    const account = Option.getOrUndefined(row)?.id
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
  })
})

const makeSetDisabledAt = Effect.gen(function* () {
  const audit = yield* AuditLog
  const resets = yield* PasswordResets
  const sessions = yield* Sessions
  const store = yield* AccountStore
  return Effect.fnUntraced(function* (account: string, disabledAt: Date | null) {
    if (!(yield* store.setDisabledAt(account, disabledAt))) return false
    yield* resets.revoke(account)
    yield* sessions.endAll(account)
    yield* audit.record({
      kind: disabledAt === null ? "account-enabled" : "account-disabled",
      actor: "operator",
      account
    })
    return true
  }, store.withTransaction)
})

/** The accounts of people. */
export class Accounts extends Context.Service<
  Accounts,
  {
    readonly policy: SignUpPolicy
    /** The id of the new account. */
    readonly signUp: (wanted: NewAccount) => Effect.Effect<string, SignUpError | PasswordsBusyError | StoreError>
    /** The account, if the password is correct. Unknown and disabled accounts take the same time. */
    readonly verify: (
      given: Credentials
    ) => Effect.Effect<Option.Option<VerifiedAccount>, PasswordsBusyError | StoreError>
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
        const store = yield* AccountStore
        const setDisabledAt = yield* makeSetDisabledAt
        return Accounts.of({
          policy,
          signUp: yield* makeSignUp(policy),
          verify: yield* makeVerify,
          findByEmail: Effect.fn("Accounts.findByEmail")(function* (email) {
            return Option.map(yield* store.findByEmail(email), ({ id }) => id)
          }),
          disable: Effect.fn("Accounts.disable")(function* (account) {
            return yield* setDisabledAt(account, yield* DateTime.nowAsDate)
          }),
          enable: Effect.fn("Accounts.enable")((account) => setDisabledAt(account, null))
        })
      })
    )
}

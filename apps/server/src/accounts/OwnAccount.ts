import { Context, Effect, Layer, Option } from "effect"
import type { AuditKind } from "../auth/AuditLog.ts"
import { AuditLog } from "../auth/AuditLog.ts"
import type { Holder } from "../auth/keys/AccountKeys.ts"
import { AccountKeys } from "../auth/keys/AccountKeys.ts"
import type { StoreError } from "../internal/StoreError.ts"
import { AccountStore } from "./AccountStore.ts"
import type { AccountRow } from "./AccountStore.ts"
import { Invitations } from "./Invitations.ts"
import { PasswordResets } from "./PasswordResets.ts"
import { Passwords } from "./Passwords.ts"
import type { PasswordsBusyError } from "./Passwords.ts"
import { Sessions } from "./Sessions.ts"

/**
 * Operations of the account holder on the account. Those that take over or delete the account require the password, so
 * that a browser that was left open is not enough.
 */
export class OwnAccount extends Context.Service<
  OwnAccount,
  {
    /** Ends every session of the account, and the open resets. False if `current` is not its password. */
    readonly changePassword: (
      holder: Holder,
      current: string,
      next: string
    ) => Effect.Effect<boolean, PasswordsBusyError | StoreError>
    readonly signOutEverywhere: (holder: Holder) => Effect.Effect<void, StoreError>
    /**
     * Revokes the keys at once, and deletes the account with all its data. The audit log remains, without the e-mail
     * address. False if `password` is not its password.
     */
    readonly remove: (holder: Holder, password: string) => Effect.Effect<boolean, PasswordsBusyError | StoreError>
  }
>()("@chaintape/server/accounts/OwnAccount") {
  static readonly layer = Layer.effect(
    OwnAccount,
    Effect.gen(function* () {
      const audit = yield* AuditLog
      const invitations = yield* Invitations
      const keys = yield* AccountKeys
      const passwords = yield* Passwords
      const resets = yield* PasswordResets
      const sessions = yield* Sessions
      const store = yield* AccountStore

      const note = (kind: AuditKind, { account, address }: Holder) =>
        audit.record({ kind, actor: "account", account, address })

      /** The stored account, if the password is correct. */
      const confirmed = Effect.fnUntraced(function* (holder: Holder, password: string) {
        const row = Option.filter(yield* store.find(holder.account), ({ isDisabled }) => !isDisabled)
        const same = yield* passwords.matches(password, Option.getOrUndefined(row)?.password)
        if (same) return row
        yield* note("password-refused", holder)
        return Option.none<AccountRow>()
      })

      /** Unless the password was changed in the meantime. */
      const replace = Effect.fnUntraced(function* (holder: Holder, before: string, after: string) {
        const { account } = holder
        if (!(yield* store.replacePassword(account, after, before))) return false
        yield* resets.revoke(account)
        yield* sessions.endAll(account)
        yield* note("password-changed", holder)
        return true
      })

      const erase = Effect.fnUntraced(function* (holder: Holder, email: string) {
        const { account } = holder
        yield* audit.erase(account, email)
        yield* invitations.eraseNote(account)
        yield* store.remove(account)
        yield* note("account-deleted", holder)
      })

      return OwnAccount.of({
        changePassword: Effect.fn("OwnAccount.changePassword")(function* (holder, current, next) {
          const row = yield* confirmed(holder, current)
          if (Option.isNone(row)) return false
          const hash = yield* passwords.hash(next)
          return yield* store.withTransaction(replace(holder, row.value.password, hash))
        }),
        signOutEverywhere: Effect.fn("OwnAccount.signOutEverywhere")((holder) =>
          store.withTransaction(Effect.andThen(sessions.endAll(holder.account), note("signed-out-everywhere", holder)))
        ),
        remove: Effect.fn("OwnAccount.remove")(function* (holder, password) {
          const row = yield* confirmed(holder, password)
          if (Option.isNone(row)) return false
          // First, and in its own transaction: other instances are notified of what is already stored.
          yield* keys.revokeAll(holder)
          yield* store.withTransaction(erase(holder, row.value.email))
          return true
        })
      })
    })
  )
}

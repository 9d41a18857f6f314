import { Context, Schema, SchemaTransformation } from "effect"
import type { DateTime, Effect, Option, Redacted } from "effect"
import type { StoreError } from "../../internal/StoreError.ts"
import type { OperationUse, UsageRow } from "../usage/UsageStore.ts"

/** The groups of operations that a key may be restricted to. */
export const keyScopes = ["cex", "dex", "blocks"] as const

export type KeyScope = (typeof keyScopes)[number]

const KeyScope = Schema.Literals(keyScopes)

/**
 * The scopes of a stored key. A newer version may have stored others: here they allow nothing, and a key that has no
 * other scope is still restricted.
 */
export const StoredScopes = Schema.Array(Schema.String).pipe(
  Schema.decodeTo(
    Schema.Array(KeyScope),
    SchemaTransformation.transform<ReadonlyArray<KeyScope>, ReadonlyArray<string>>({
      decode: (scopes) => scopes.filter(Schema.is(KeyScope)),
      encode: (scopes) => scopes
    })
  )
)

/** A key as its owner sees it, without the key itself. */
export interface AccountKey {
  readonly id: string
  readonly name: string
  /** How people recognize it: its beginning and its last four characters. */
  readonly shown: string
  /** Undefined: all of them. */
  readonly scopes: ReadonlyArray<KeyScope> | undefined
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc | undefined
  readonly revokedAt: DateTime.Utc | undefined
  readonly lastUsedAt: DateTime.Utc | undefined
  readonly requestsToday: number
}

export interface NewAccountKey {
  readonly name: string
  readonly scopes: ReadonlyArray<KeyScope> | undefined
  readonly expiresAt: DateTime.Utc | undefined
}

/** The usage of an account's keys on one UTC day. */
export type UsageOfDay = Pick<UsageRow, "day" | "requests" | "refused">

/** The requests of an account's keys by operation. */
export type UsageOfOperation = OperationUse

/** Who changes keys: the signed-in account, and the address of the request, for the audit log. */
export interface Holder {
  readonly account: string
  readonly address: string
}

/**
 * The keys of accounts. Every operation takes the account and sees only its keys: another account's key does not exist
 * for it (none).
 */
export class AccountKeys extends Context.Service<
  AccountKeys,
  {
    /** Newest first, revoked ones after the others. */
    readonly list: (account: string) => Effect.Effect<ReadonlyArray<AccountKey>, StoreError>
    /** Returns the key, which is not stored. `none` if the account has the maximum number of keys. */
    readonly create: (
      holder: Holder,
      wanted: NewAccountKey
    ) => Effect.Effect<Option.Option<{ readonly stored: AccountKey; readonly key: Redacted.Redacted }>, StoreError>
    /** A second key with the same name, scopes, expiry and plan; the first one stays valid until it is revoked. */
    readonly rotate: (
      holder: Holder,
      id: string
    ) => Effect.Effect<Option.Option<{ readonly stored: AccountKey; readonly key: Redacted.Redacted }>, StoreError>
    readonly revoke: (holder: Holder, id: string) => Effect.Effect<Option.Option<AccountKey>, StoreError>
    /** All of them at once, when the account is deleted. */
    readonly revokeAll: (holder: Holder) => Effect.Effect<void, StoreError>
    /** The last `days` UTC days, oldest first, one row per day. */
    readonly usage: (account: string, days: number) => Effect.Effect<ReadonlyArray<UsageOfDay>, StoreError>
    /** In the last `days` UTC days, most requests first. Operations without a request are left out. */
    readonly operations: (account: string, days: number) => Effect.Effect<ReadonlyArray<UsageOfOperation>, StoreError>
  }
>()("@chaintape/server/auth/keys/AccountKeys") {}

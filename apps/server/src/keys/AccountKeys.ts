import { Context } from "effect"
import type { DateTime, Effect, Option, Redacted, Schema } from "effect"
import type { SqlError } from "effect/sql"

/** The groups of operations that a key may be limited to. */
export const keyScopes = ["cex", "dex", "blocks"] as const

export type KeyScope = (typeof keyScopes)[number]

/** A key as its owner sees it. The key itself is nowhere. */
export interface AccountKey {
  readonly id: string
  readonly name: string
  /** What people recognise it by: its beginning and its last four characters. */
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

/** What the keys of an account were used for on one UTC day. */
export interface UsageOfDay {
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly requests: number
  /** Of these, the requests that a limit turned away. */
  readonly refused: number
}

export type KeyStoreError = SqlError.SqlError | Schema.SchemaError

/**
 * The keys of accounts. Every operation names the account and sees its keys alone: another account's key is to it as one
 * that does not exist (none).
 */
export class AccountKeys extends Context.Service<
  AccountKeys,
  {
    /** Newest first, revoked ones after the others. */
    readonly list: (account: string) => Effect.Effect<ReadonlyArray<AccountKey>, KeyStoreError>
    /** The key is in the answer and nowhere else. `none` where the account has as many keys as it may have. */
    readonly create: (
      account: string,
      wanted: NewAccountKey
    ) => Effect.Effect<Option.Option<{ readonly stored: AccountKey; readonly key: Redacted.Redacted }>, KeyStoreError>
    /** A second key with the same name, scopes, expiry and plan; the first one goes on until it is revoked. */
    readonly rotate: (
      account: string,
      id: string
    ) => Effect.Effect<Option.Option<{ readonly stored: AccountKey; readonly key: Redacted.Redacted }>, KeyStoreError>
    readonly revoke: (account: string, id: string) => Effect.Effect<Option.Option<AccountKey>, KeyStoreError>
    /** All of them at once: the account ends. */
    readonly revokeAll: (account: string) => Effect.Effect<void, KeyStoreError>
    /** The last `days` UTC days, oldest first, with a row for each day. */
    readonly usage: (account: string, days: number) => Effect.Effect<ReadonlyArray<UsageOfDay>, KeyStoreError>
  }
>()("@chaintape/server/keys/AccountKeys") {}

import { Context } from "effect"
import type { Effect, Option, Scope } from "effect"
import type { Lease, LeaseLost } from "./Lease.ts"
import type { OwningRole, Role } from "./Roles.ts"

/** A piece of work that has begun. */
export interface Undertaking<R> {
  /** Goes on until it is interrupted, or fails because the lease was taken over. What it writes, it writes under the lease. */
  readonly run: Effect.Effect<void, LeaseLost, Lease | R>
  /** How it is doing, as JSON for the other instances. */
  readonly status: Effect.Effect<unknown>
}

/** A piece of work that exactly one of the instances does. */
export interface Work<R> {
  /** The same on all instances. */
  readonly name: string
  /** Only instances with this role do it. */
  readonly role: OwningRole
  /** Makes the work of one owner, which knows nothing of an earlier one. */
  readonly begin: Effect.Effect<Undertaking<R>, never, R>
}

/** What the owner of a piece of work has told last. */
export interface Told {
  readonly status: unknown
  /** How long ago, in milliseconds by the clock of the database. */
  readonly ageMs: number
}

/** Which instance does which work. */
export class Ownership extends Context.Service<
  Ownership,
  {
    /** Tells this instance from all others. */
    readonly instance: string
    readonly roles: ReadonlyArray<Role>
    /** Does the work whenever it falls to this instance, as long as the scope. */
    readonly own: <R>(work: Work<R>) => Effect.Effect<void, never, R | Scope.Scope>
    /** The names of what this instance does. */
    readonly owned: Effect.Effect<ReadonlyArray<string>>
    /** What another instance tells of its work. */
    readonly told: (name: string) => Effect.Effect<Option.Option<Told>>
    /** Gives all work up, so that others have it at once. There is no way back. */
    readonly end: Effect.Effect<void>
  }
>()("@chaintape/server/ownership/Ownership") {}

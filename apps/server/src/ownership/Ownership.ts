import { Context } from "effect"
import type { Effect, Option, Scope } from "effect"
import type { Lease, LeaseLostError } from "./Lease.ts"
import type { OwningRole, Role } from "./Roles.ts"

/** A piece of work that has started. */
export interface RunningTask<R, A = unknown> {
  /** Runs until interrupted, or fails because the lease was taken over. All of its writes are under the lease. */
  readonly run: Effect.Effect<void, LeaseLostError, Lease | R>
  /** Its status as JSON, for the other instances. */
  readonly status: Effect.Effect<A>
}

/** A piece of work that exactly one of the instances does. */
export interface Work<R> {
  /** Equal on all instances. */
  readonly name: string
  /** Only instances with this role do it. */
  readonly role: OwningRole
  /** Creates the work of one owner, without the state of an earlier owner. */
  readonly begin: Effect.Effect<RunningTask<R>, never, R>
}

/** The latest status published by the owner of a piece of work. */
export interface PublishedStatus<A = unknown> {
  readonly status: A
  /** Its age in milliseconds, by the clock of the database. */
  readonly ageMs: number
}

/** Assigns work to instances. */
export class Ownership extends Context.Service<
  Ownership,
  {
    /** The unique id of this instance. */
    readonly instance: string
    readonly roles: ReadonlyArray<Role>
    /** Does the work whenever it is assigned to this instance, until the scope ends. */
    readonly own: <R>(work: Work<R>) => Effect.Effect<void, never, R | Scope.Scope>
    /** The names of this instance's work. */
    readonly owned: Effect.Effect<ReadonlyArray<string>>
    /** The published status of another instance's work. */
    readonly published: (name: string) => Effect.Effect<Option.Option<PublishedStatus>>
    /** Gives up all work at once, so that other instances take it. Irreversible. */
    readonly end: Effect.Effect<void>
  }
>()("@chaintape/server/ownership/Ownership") {}

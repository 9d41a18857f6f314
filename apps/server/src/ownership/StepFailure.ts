import { Cause, Effect, Option, Predicate, Result } from "effect"
import { SqlError } from "effect/sql"
import { toDatabaseCause } from "../internal/StoreError.ts"
import type { LeaseLostError } from "./Lease.ts"

/** An error with which a step can fail. */
export interface StepError {
  /** A sentence. */
  readonly message: string
  /** How long the failed source asks to wait, if it does. */
  readonly retryAfterMs?: number | undefined
}

/** Why a step of owned work failed. */
export interface Failure<E> {
  /** Absent for a defect. */
  readonly error: E | undefined
  /** A sentence. */
  readonly message: string
  /** How long the failed source asks to wait. */
  readonly retryAfterMs: number | undefined
}

const isLeaseLost = <E>(error: E | undefined): error is Extract<E, LeaseLostError> =>
  Predicate.isTagged(error, "LeaseLostError")

/**
 * The message of a cause, be it an error or a defect. Only the database knows why it refused a statement, such as a full disk.
 * The reason of a failed connection may contain the address of the server, and statuses are public.
 */
const toCauseMessage = (cause: Cause.Cause<unknown>): string => {
  const thrown = Cause.squash(cause)
  if (SqlError.isSqlError(thrown) && thrown.reason._tag !== "ConnectionError")
    return `The store failed: ${toDatabaseCause(thrown).message}.`
  return Predicate.hasProperty(thrown, "message") ? String(thrown.message) : String(thrown)
}

/** Handles every error and every defect, except the two that end owned work: an interruption and the loss of the lease. */
export const catchFailure = <A, E extends StepError, R, B, E2, R2>(
  step: Effect.Effect<A, E, R>,
  handle: (failure: Failure<E>) => Effect.Effect<B, E2, R2>
): Effect.Effect<A | B, E2 | Extract<E, LeaseLostError>, R | R2> =>
  Effect.catchCause(step, (cause): Effect.Effect<B, E2 | Extract<E, LeaseLostError>, R2> => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
    const error = Option.getOrUndefined(Cause.findErrorOption(cause))
    if (isLeaseLost(error)) return Effect.fail(error)
    return handle({ error, message: toCauseMessage(cause), retryAfterMs: error?.retryAfterMs })
  })

/** The success of a step, or its failure as by `catchFailure`. */
export const toResult = <A, E extends StepError, R>(
  step: Effect.Effect<A, E, R>
): Effect.Effect<Result.Result<A, Failure<E>>, Extract<E, LeaseLostError>, R> =>
  catchFailure(Effect.map(step, Result.succeed), (failure) => Effect.succeed(Result.fail(failure)))

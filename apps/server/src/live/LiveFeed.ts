import { Data } from "effect"
import type { Effect, Scope } from "effect"
import type { eventNames } from "./LiveEvents.ts"

/** An event of a feed. */
export interface LiveEvent {
  readonly name: Exclude<(typeof eventNames)[keyof typeof eventNames][number], "open" | "end">
  /** The position after it, from which a stream resumes. */
  readonly cursor: string
  /** One line of JSON. */
  readonly data: string
}

/** The start of a stream: now, after a cursor, or at a time (Unix ms). */
export type Start = { readonly from: "now" } | { readonly after: string } | { readonly since: number }

/**
 * The feed cannot be read at the moment. It has no reason, because all causes have one consequence: the client opens the
 * stream again, after its last event if it has one.
 */
export class LiveError extends Data.TaggedError("LiveError")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** The cursor does not belong to this feed. */
export class UnknownCursorError extends Data.TaggedError("UnknownCursorError")<{
  /** Completes the sentence "the cursor ...". */
  readonly what: string
}> {
  override get message(): string {
    return `The cursor ${this.what}.`
  }
}

/** A reader of a feed with a position that advances. Only one `next` runs at a time. */
export interface LiveReader {
  /** The position after everything that was emitted. */
  readonly cursor: () => string
  /** The next events, about `max` at most; none if there are none yet. A failure leaves the position unchanged. */
  readonly next: (max: number) => Effect.Effect<ReadonlyArray<LiveEvent>, LiveError>
}

/** The events of one market, pool or blockchain. */
export interface LiveFeed {
  readonly name: string
  readonly open: (start: Start) => Effect.Effect<LiveReader, LiveError | UnknownCursorError>
  /** An effect that completes when there may be new events, including events from before it ran. */
  readonly watch: Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
}

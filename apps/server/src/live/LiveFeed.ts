import { Data } from "effect"
import type { Effect, Scope } from "effect"

/** One thing that happened. */
export interface LiveEvent {
  readonly name: "trade" | "gap" | "swap" | "block" | "reorg"
  /** The position behind it, from which a stream goes on without it. */
  readonly cursor: string
  /** One line of JSON. */
  readonly data: string
}

/** Where a stream begins: with what happens from now on, behind a cursor, or at a time (Unix ms). */
export type Start = { readonly from: "now" } | { readonly after: string } | { readonly since: number }

/** What is read cannot be read at the moment. */
export class LiveFailure extends Data.TaggedError("LiveFailure")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** The cursor is none of this feed. */
export class UnknownCursor extends Data.TaggedError("UnknownCursor")<{
  /** Completes the sentence "the cursor ...". */
  readonly message: string
}> {}

/** A place in a feed that moves on with what is read. Only one `next` runs at a time. */
export interface LiveReader {
  /** Where it stands: behind everything that it has told. */
  readonly cursor: () => string
  /** What follows, about `most` events at most; none where nothing has happened since. A failure leaves the place as it was. */
  readonly next: (most: number) => Effect.Effect<ReadonlyArray<LiveEvent>, LiveFailure>
}

/** What happens at one place: a market, a pool or a blockchain. */
export interface LiveFeed {
  readonly name: string
  readonly open: (start: Start) => Effect.Effect<LiveReader, LiveFailure | UnknownCursor>
  /** An effect that completes when there may be something new, even if that was so before it ran. */
  readonly watch: Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
}

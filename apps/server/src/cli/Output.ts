import { Effect, Ref, Schema, Stdio, Stream } from "effect"
import type { Failure } from "./Failure.ts"
import { failed } from "./Failure.ts"
import type { FileFormat } from "./FileFormat.ts"
import { headOf } from "./FileFormat.ts"
import { Proof, proven } from "./Proof.ts"

/** How far a download is. */
export const Reached = Schema.Struct({
  rows: Schema.Int,
  /** The newest time that was written (Unix milliseconds), and the ids of all trades of that millisecond. */
  last: Schema.NullOr(Schema.Struct({ timestamp: Schema.Int, ids: Schema.Array(Schema.String) })),
  proof: Proof
})

export type Reached = typeof Reached.Type

export const atStart: Reached = { rows: 0, last: null, proof: proven }

/** Where the rows go. */
export interface Output {
  /** How far an earlier run came. */
  readonly reached: Reached
  /** Unix milliseconds: the range of the earlier run, whose words may mean another time by now. */
  readonly range: { readonly since: number; readonly until: number }
  /** Writes the lines of one page; once it has returned, an interrupted download goes on after them. */
  readonly append: (lines: string, reached: Reached) => Effect.Effect<void, Failure>
  /** After the last page. */
  readonly finish: Effect.Effect<void, Failure>
  /** How far it is by now. */
  readonly reachedNow: Effect.Effect<Reached>
  /** After a failure: leaves nothing where there is nothing to go on with. */
  readonly abandon: Effect.Effect<void>
}

/** The standard output, which nothing can go on with. */
export const standardOutput = Effect.fn("standardOutput")(function* (format: FileFormat, range: Output["range"]) {
  const stdio = yield* Stdio.Stdio
  const reachedNow = yield* Ref.make(atStart)
  const write = (text: string) =>
    Stream.make(text).pipe(
      Stream.run(stdio.stdout()),
      Effect.mapError(() => failed("The standard output was closed before everything was written."))
    )
  yield* write(headOf[format])
  return {
    reached: atStart,
    range,
    append: (lines, reached) => Effect.andThen(write(lines), Ref.set(reachedNow, reached)),
    finish: Effect.void,
    reachedNow: Ref.get(reachedNow),
    abandon: Effect.void
  } satisfies Output
})

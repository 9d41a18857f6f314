import { Effect, Ref, Schema, Stdio, Stream } from "effect"
import { hasCode } from "../../internal/files/hasCode.ts"
import { toMessage } from "../../internal/toMessage.ts"
import type { CommandError } from "../terminal/CommandError.ts"
import { toFailure } from "../terminal/CommandError.ts"
import type { FileFormat } from "./FileFormat.ts"
import { getHead } from "./FileFormat.ts"
import { Proof, proven } from "./Proof.ts"
import type { Column } from "./Row.ts"

/** The progress of a download. */
export const DownloadProgress = Schema.Struct({
  rows: Schema.Int,
  /** The newest written time (Unix milliseconds), and the ids of all rows of that time. */
  last: Schema.NullOr(Schema.Struct({ timestamp: Schema.Int, ids: Schema.Array(Schema.String) })),
  proof: Proof
})

export type DownloadProgress = typeof DownloadProgress.Type

export const atStart: DownloadProgress = { rows: 0, last: null, proof: proven }

/** The destination of the rows. */
export interface Output {
  /** The progress of an earlier run. */
  readonly reached: DownloadProgress
  /** Unix milliseconds: the range of the earlier run, because relative times may now mean other times. */
  readonly range: { readonly since: number; readonly until: number }
  /** Writes the lines of one page; an interrupted download resumes after the last written page. */
  readonly append: (lines: string, reached: DownloadProgress) => Effect.Effect<void, CommandError>
  /** Called after the last page. */
  readonly finish: Effect.Effect<void, CommandError>
  /** The current progress. */
  readonly reachedNow: Effect.Effect<DownloadProgress>
  /** Called after a failure: removes what cannot be resumed. */
  readonly abandon: Effect.Effect<void>
}

/** Standard output, which cannot be resumed. */
export const standardOutput = Effect.fn("Output.openStandard")(function* (
  format: FileFormat,
  columns: ReadonlyArray<Column>,
  range: Output["range"]
) {
  const stdio = yield* Stdio.Stdio
  const reachedNow = yield* Ref.make(atStart)
  const write = (text: string) =>
    Stream.make(text).pipe(
      Stream.run(stdio.stdout()),
      Effect.mapError(({ cause, message }) =>
        toFailure(
          hasCode(cause, "EPIPE")
            ? "The standard output was closed before everything was written."
            : `The standard output cannot be written: ${cause === undefined ? message : toMessage(cause)}.`
        )
      )
    )
  yield* write(getHead(format, columns))
  return {
    reached: atStart,
    range,
    append: (lines, reached) => Effect.andThen(write(lines), Ref.set(reachedNow, reached)),
    finish: Effect.void,
    reachedNow: Ref.get(reachedNow),
    abandon: Effect.void
  } satisfies Output
})

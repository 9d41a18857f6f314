import { Effect, Stdio, Stream } from "effect"
import { toFailure } from "./CommandError.ts"

/** Writes a line to the standard output, and fails if that is impossible: for what is shown only once. */
export const writeLine = Effect.fnUntraced(function* (line: string, lost: string) {
  const stdio = yield* Stdio.Stdio
  yield* Stream.make(`${line}\n`).pipe(
    Stream.run(stdio.stdout()),
    Effect.mapError(() => toFailure(`The standard output cannot be written: ${lost}`))
  )
})

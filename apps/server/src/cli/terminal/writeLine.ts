import { Effect, Stdio, Stream } from "effect"
import { hasCode } from "../../internal/files/hasCode.ts"
import { toMessage } from "../../internal/toMessage.ts"
import { toFailure } from "./CommandError.ts"

const write = (text: string) =>
  Effect.flatMap(Stdio.Stdio, (stdio) => Stream.run(Stream.make(`${text}\n`), stdio.stdout()))

/** Writes a line to the standard output, and fails if that is impossible: for what is shown only once. */
export const writeLine = (line: string, lost: string) =>
  write(line).pipe(Effect.mapError(() => toFailure(`The standard output cannot be written: ${lost}`)))

/** Writes the result of a command to the standard output. A reader such as `head` may close it early. */
export const writeResult = (text: string) =>
  write(text).pipe(
    Effect.catchIf(
      ({ cause }) => hasCode(cause, "EPIPE"),
      () => Effect.void
    ),
    Effect.mapError((error) =>
      toFailure(
        `The command is done, but its result cannot be written to the standard output: ${toMessage(error.cause ?? error)}.`
      )
    )
  )

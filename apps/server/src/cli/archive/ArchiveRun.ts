import { Console, Effect, Predicate } from "effect"
import { PlatformError } from "effect/PlatformError"
import type { Manifest } from "../../archives/ArchiveFormat.ts"
import type { ArchiveReport } from "../../archives/WriteDays.ts"
import { hasCode } from "../../internal/files/hasCode.ts"
import { isDiskFull } from "../../internal/files/isDiskFull.ts"
import { groupDigits } from "../../internal/groupDigits.ts"
import { toMessage } from "../../internal/toMessage.ts"
import { toFailure } from "../terminal/CommandError.ts"
import { printable } from "../terminal/printable.ts"
import { Progress } from "../terminal/Progress.ts"
import { writeResult } from "../terminal/writeLine.ts"

/** The message of an error of the platform names only the call. */
const getReason = (error: { readonly message: string }): string =>
  error instanceof PlatformError && error.cause !== undefined ? toMessage(error.cause) : error.message

/** Whether a file is in the place of a directory. */
const isNoDirectory = (error: object): boolean =>
  Predicate.hasProperty(error, "cause") && ["ENOTDIR", "EEXIST"].some((code) => hasCode(error.cause, code))

const toAdvice = (error: object): string | undefined => {
  if (isDiskFull(error)) return "The disk of the archive is full: free space, and give the command again."
  return isNoDirectory(error) ? "The archive is no directory: give the directory of one, or another --out." : undefined
}

const toArchiveFailure = (error: { readonly message: string }) => {
  const advice = toAdvice(error)
  return toFailure(advice === undefined ? getReason(error) : `${advice} (${getReason(error)})`)
}

/** Runs work on the days of an archive, shows how many are done, and states each failure as a message for the user. */
export const runArchive = <A, E extends { readonly message: string }, R>(
  work: (onDay: (done: number, days: number) => Effect.Effect<void>) => Effect.Effect<A, E, R>
) =>
  Effect.flatMap(Progress, (progress) =>
    work((done, days) =>
      done === 0
        ? progress.begin({ since: 0, until: days, position: 0, rows: 0, unit: "days" })
        : progress.advance(done, done)
    )
  ).pipe(Effect.mapError(toArchiveFailure), Effect.provide(Progress.layer))

/**
 * Prints the result of a run: the number of written rows, which `name` names, and the chain of the last day. Fails if files
 * are lost.
 */
export const printReport = Effect.fnUntraced(function* (
  { changed, lost, manifest: { days }, written }: ArchiveReport<unknown, Manifest<unknown>>,
  name: string,
  out: string
) {
  const rows = written.reduce((sum, day) => sum + day.rows, 0)
  yield* writeResult(
    printable(
      `${written.length} of ${days.length} days were written, with ${groupDigits(rows)} ${name}, to ${out}. ` +
        `Chain: ${days.at(-1)?.chain ?? "none yet"}`
    )
  )
  for (const sentence of [...changed, ...lost]) yield* Console.error(printable(sentence))
  if (lost.length > 0) return yield* toFailure("", "different")
})

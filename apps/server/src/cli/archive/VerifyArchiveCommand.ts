import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { exitCodes, CommandFailure } from "../terminal/CommandFailure.ts"
import { printable } from "../terminal/printable.ts"
import { Progress } from "../terminal/Progress.ts"
import { withFailureText, showDays } from "./ArchiveProgress.ts"

/** Its modules are loaded only here: other commands do not need them. */
export const verify = Command.make(
  "verify",
  { directory: Argument.String("directory").pipe(Argument.withDescription("Directory of the archive")) },
  Effect.fnUntraced(function* ({ directory }) {
    const { verifyDirectory } = yield* Effect.promise(() => import("./VerifyDirectory.ts"))
    const run = Effect.gen(function* () {
      return yield* verifyDirectory(directory, yield* showDays)
    }).pipe(withFailureText, Effect.provide(Progress.layer), Effect.scoped)
    const { chain, days, proven, title, wrong } = yield* run
    for (const sentence of wrong) yield* Console.error(printable(sentence))
    if (wrong.length > 0) return yield* new CommandFailure({ message: "", code: exitCodes.different })
    yield* Console.log(
      printable(
        `Every file of ${title} is as it was written: ${days} days, ${proven} of them proven complete. ` +
          `Chain: ${chain ?? "none yet"}`
      )
    )
  })
).pipe(
  Command.withShortDescription("Compare the files of an archive with its manifest"),
  Command.withDescription(
    "Computes the hash of each file and of each entry of the manifest, and names what is not as it was written. " +
      "The chain of the last day covers every day before it."
  )
)

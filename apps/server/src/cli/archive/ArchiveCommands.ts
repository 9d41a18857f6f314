import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { toFailure } from "../terminal/CommandError.ts"
import { printable } from "../terminal/printable.ts"
import { writeResult } from "../terminal/writeLine.ts"
import { runArchive } from "./ArchiveRun.ts"
import { writeBlocks, writeDex } from "./WriteIndexCommands.ts"
import { writeTrades } from "./WriteTradesCommand.ts"

/** Its modules are loaded only here: other commands do not need them. */
const verify = Command.make(
  "verify",
  { directory: Argument.String("directory").pipe(Argument.withDescription("Directory of the archive")) },
  Effect.fnUntraced(function* ({ directory }) {
    const { verifyDirectory } = yield* Effect.promise(() => import("./VerifyDirectory.ts"))
    const found = yield* runArchive((onDay) => verifyDirectory(directory, onDay))
    const { chain, days, proven, title, wrong } = found
    for (const sentence of wrong) yield* Console.error(printable(sentence))
    if (wrong.length > 0) return yield* toFailure("", "different")
    yield* writeResult(
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

export const archive = Command.make("archive").pipe(
  Command.withShortDescription("Write and verify Parquet archives of trades, dex trades and blocks"),
  Command.withDescription(
    "Writes recorded trades, and the trades and blocks of an index, as Parquet files with a manifest, and verifies them."
  ),
  Command.withSubcommands([writeTrades, writeDex, writeBlocks, verify])
)

import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withStore } from "../store/withStore.ts"
import { printable } from "../terminal/printable.ts"
import { printReport, runArchive } from "./ArchiveRun.ts"

const config = {
  exchange: Argument.String("exchange").pipe(
    Argument.withDescription("Id of the decentralized exchange, such as uniswap-v3")
  ),
  blockchain: Argument.String("blockchain").pipe(Argument.withDescription("Id of its blockchain, such as ethereum")),
  out: Flag.String("out").pipe(
    Flag.withMetavar("DIR"),
    Flag.withDescription("Directory of the archive, one for each deployment and command")
  ),
  unproven: Flag.Boolean("unproven").pipe(
    Flag.withDescription("Also write days that are final and not proven; they are written again once they are proven"),
    Flag.withDefault(false)
  )
}

type Input = Command.Command.Config.Infer<typeof config>

/** The modules of an archive are loaded only here: other commands do not need them. */
const write = Effect.fnUntraced(function* (kind: "trades" | "blocks", { blockchain, exchange, out, unproven }: Input) {
  const { writers } = yield* Effect.promise(() => import("../../dex/index/archive/WriteIndexArchive.ts"))
  const request = { exchange, blockchain, directory: out, isProofRequired: !unproven }
  const report = yield* withStore(runArchive((onDay) => writers[kind](request, onDay)))
  const { extent } = report
  for (const { day, proven } of report.manifest.days) {
    if (!proven) yield* Console.error(printable(`${day} is not proven.`))
  }
  if (extent.proven < extent.finalized) {
    yield* Console.error(
      printable(
        `The index is final up to block ${extent.finalized}, and proven up to ${extent.proven < 0 ? "none" : `block ${extent.proven}`}` +
          `: later days ${unproven ? "are written again" : "are written"} once they are proven${unproven ? "" : ", or with --unproven"}.`
      )
    )
  }
  yield* printReport(report, kind, out)
})

const closedDays =
  "A day is closed once a block of a later day is final and proven. Decimals are text with every digit. The embedded store is " +
  "for one process at a time: stop the service before."

export const writeDex = Command.make("write-dex", config, (input) => write("trades", input)).pipe(
  Command.withShortDescription("Write the swaps, mints and burns of an index as Parquet files"),
  Command.withDescription(
    "Writes the trades of each closed UTC day of a decentralized exchange that the index has and the archive lacks as a Parquet " +
      `file, and a manifest with the hash of each file, chained from day to day. ${closedDays}`
  ),
  Command.withExamples([
    {
      command: "chaintape archive write-dex uniswap-v3 ethereum --out archive/uniswap-v3-ethereum",
      description: "The same command adds the new days later"
    }
  ])
)

export const writeBlocks = Command.make("write-blocks", config, (input) => write("blocks", input)).pipe(
  Command.withShortDescription("Write the blocks of an index as Parquet files"),
  Command.withDescription(
    "Writes the blocks of each closed UTC day that the index of a decentralized exchange has and the archive lacks as a Parquet " +
      `file, with a manifest as \`write-dex\` does. ${closedDays}`
  ),
  Command.withExamples([
    {
      command: "chaintape archive write-blocks uniswap-v3 ethereum --out archive/blocks-ethereum",
      description: "The same command adds the new days later"
    }
  ])
)

import { Command } from "effect/cli"
import { verify } from "./VerifyArchiveCommand.ts"
import { writeBlocks, writeDex } from "./WriteIndexCommands.ts"
import { writeTrades } from "./WriteTradesCommand.ts"

export const archive = Command.make("archive").pipe(
  Command.withShortDescription("Write and verify Parquet archives of trades, dex trades and blocks"),
  Command.withDescription(
    "Writes recorded trades, and the trades and blocks of an index, as Parquet files with a manifest, and verifies them."
  ),
  Command.withSubcommands([writeTrades, writeDex, writeBlocks, verify])
)

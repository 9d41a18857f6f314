import { Command } from "effect/cli"
import { verify } from "./VerifyCommand.ts"
import { writeTrades } from "./WriteTradesCommand.ts"

export const archive = Command.make("archive").pipe(
  Command.withShortDescription("Write and verify Parquet archives of recorded trades"),
  Command.withDescription("Writes recorded trades as Parquet files with a manifest, and verifies them."),
  Command.withSubcommands([writeTrades, verify])
)

import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import { archive } from "./archive/ArchiveCommands.ts"
import { importTrades } from "./import/ImportCommand.ts"
import { candles } from "./market/CandlesCommand.ts"
import { trades } from "./market/TradesCommand.ts"
import { accounts } from "./operator/AccountsCommand.ts"
import { backup, restore } from "./operator/BackupCommands.ts"
import { keys } from "./operator/KeysCommand.ts"
import { poolCandles } from "./pool/PoolCandlesCommand.ts"
import { poolTrades } from "./pool/PoolTradesCommand.ts"
import { wrongUsage } from "./terminal/CommandError.ts"
import { printable } from "./terminal/printable.ts"
import { version } from "./terminal/version.ts"
import { verify } from "./verify/VerifyCommand.ts"

const chaintape = Command.make("chaintape").pipe(
  Command.withDescription(
    "Reads data from a running Chaintape service, and manages its store. Without any argument it starts the service."
  ),
  Command.withSubcommands([
    trades,
    candles,
    poolTrades,
    poolCandles,
    verify,
    importTrades,
    archive,
    keys,
    accounts,
    backup,
    restore
  ])
)

/** A malformed command prints its mistakes, one per line, not the whole help. */
const presenter: CliOutput.Presenter = {
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Console.error(
          [...event.errors.map(({ message }) => message), `See \`${event.commandPath.join(" ")} --help\`.`].join("\n")
        )
      : CliOutput.defaultPresenter.present(event)
}

/**
 * The command line: `chaintape trades ...`, `chaintape keys ...`. Messages go to standard error, exit codes are in
 * `exitCodes`.
 */
export const commandLine = Command.run(chaintape, { version }).pipe(
  Effect.catchIf(CliError.isCliError, () => Effect.fail(wrongUsage(""))),
  Effect.tapErrorTag("CommandError", ({ message }) =>
    message === "" ? Effect.void : Console.error(printable(message))
  ),
  Effect.provide([
    NodeServices.layer,
    CliOutput.layerPresenter(presenter),
    CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] })
  ])
)

import { Parameter } from "@chaintape/core/operations"
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { parseMarket } from "../../cex/ExchangeSource.ts"
import { withStore } from "../store/withStore.ts"
import { toFailure } from "../terminal/CommandError.ts"
import { printable } from "../terminal/printable.ts"
import { Progress } from "../terminal/Progress.ts"
import { toDetails, toSummary } from "./ImportSummary.ts"

const config = {
  exchange: Argument.String("exchange").pipe(
    Argument.withDescription("Id of the exchange, of the catalog or of the configuration file, such as binance")
  ),
  market: Argument.String("market").pipe(
    Argument.withDescription("Market, BASE-QUOTE, such as BTC-USDT"),
    Argument.withSchema(Parameter.market.schema)
  ),
  files: Argument.String("file").pipe(
    Argument.withDescription("Files of trades as the exchange publishes them: csv, zip or gz"),
    Argument.atLeast(1)
  ),
  fill: Flag.Boolean("fill").pipe(
    Flag.withDescription("Request the trades that the files lack from the exchange"),
    Flag.withDefault(false)
  ),
  config: Flag.String("config").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription(
      "The configuration file of the service; if absent CHAINTAPE_CONFIG, chaintape.config.json, or that of the running sandbox"
    ),
    Flag.optional
  )
}

export const importTrades = Command.make(
  "import",
  config,
  Effect.fnUntraced(function* ({ config, exchange, files, fill, market }) {
    // Its modules are loaded only here: other commands need neither the store nor the exchanges.
    const { findExchange } = yield* Effect.promise(() => import("./ImportTarget.ts"))
    const { runImport } = yield* Effect.promise(() => import("./ImportRun.ts"))
    const target = yield* findExchange(exchange, config)
    const request = { target, market: parseMarket(market), files, isFilled: fill }
    const report = yield* withStore(Effect.scoped(Effect.provide(runImport(request), Progress.layer)))
    for (const line of toDetails(report)) yield* Console.error(printable(line))
    yield* Console.log(printable(toSummary(report, exchange, market)))
    if (report.counts.different > 0) return yield* toFailure("", "different")
    if (report.gaps.length > 0) return yield* toFailure("", "incomplete")
  })
).pipe(
  Command.withShortDescription("Import published files of trades into the tape"),
  Command.withDescription(
    "Imports the trades of files that exchanges publish into the tape of the service's store, which CHAINTAPE_DATA_DIR or " +
      "DATABASE_URL names. Every file is checked before anything is changed; consecutive ids prove what is complete, and " +
      "gaps are listed. The same command continues an interrupted import. The embedded store is for one process at a time: " +
      "stop the service before."
  ),
  Command.withExamples([
    {
      command: "chaintape import binance BTC-USDT BTCUSDT-aggTrades-2025-01-*.zip",
      description: "The days of a month; checksum files are found beside them"
    },
    { command: "chaintape import sandbox BTC-USD day.csv --fill", description: "A download of `chaintape trades`" }
  ])
)

import { Parameter } from "@chaintape/core/operations"
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withStore } from "../store/withStore.ts"
import { printable } from "../terminal/printable.ts"
import { printReport, runArchive } from "./ArchiveRun.ts"

/** The modules of an archive are loaded only here: other commands do not need them. */
export const writeTrades = Command.make(
  "write",
  {
    exchange: Argument.String("exchange").pipe(Argument.withDescription("Id of the exchange, such as binance")),
    market: Argument.String("market").pipe(
      Argument.withDescription("Market, BASE-QUOTE, such as BTC-USDT"),
      Argument.withSchema(Parameter.market.schema)
    ),
    directory: Flag.String("out").pipe(
      Flag.withMetavar("DIR"),
      Flag.withDescription("Directory of the archive, one for each market")
    )
  },
  Effect.fnUntraced(function* (input) {
    const { writeArchive } = yield* Effect.promise(() => import("../../cex/archive/WriteArchive.ts"))
    const { layer } = yield* Effect.promise(() => import("../../cex/archive/SqlTapeLayer.ts"))
    const { isComplete } = yield* Effect.promise(() => import("../../cex/archive/TradesArchive.ts"))
    const run = runArchive((onDay) => writeArchive(input, onDay))
    const report = yield* withStore(Effect.provide(run, layer))
    const { manifest } = report
    for (const day of manifest.days) {
      if (!isComplete(manifest, day)) yield* Console.error(printable(`${day.day} is not proven to be complete.`))
    }
    if (manifest.days.length === 0) {
      yield* Console.error("No day is closed yet: a day is, once the store has a trade of a later one.")
    }
    yield* printReport(report, "trades", input.directory)
  })
).pipe(
  Command.withShortDescription("Write the closed days of a recorded market as Parquet files"),
  Command.withDescription(
    "Writes each closed UTC day of a market that the store has and the archive lacks, or whose gaps have changed since, as a " +
      "Parquet file, and a manifest with the hash of each file, chained from day to day. Decimals are text with every " +
      "digit. The embedded store is for one process at a time: stop the service before."
  ),
  Command.withExamples([
    {
      command: "chaintape archive write binance BTC-USDT --out archive/binance-BTC-USDT",
      description: "The same command adds the new days later"
    },
    {
      command: "chaintape import binance BTC-USDT archive/binance-BTC-USDT/*.parquet",
      description: "Restores the trades into another store"
    }
  ])
)

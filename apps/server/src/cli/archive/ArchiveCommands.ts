import { Parameter } from "@chaintape/core/operations"
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withStore } from "../operator/Store.ts"
import { exitCodes, Failure, toFailure } from "../terminal/Failure.ts"
import { printable } from "../terminal/printable.ts"
import { Progress } from "../terminal/Progress.ts"
import { groupDigits } from "../terminal/ProgressLine.ts"

const directory = "Directory of the archive, one for each market"

const showDays = Effect.gen(function* () {
  const progress = yield* Progress
  return (done: number, days: number) =>
    done === 0
      ? progress.begin({ since: 0, until: days, position: 0, rows: 0, unit: "days" })
      : progress.advance(done, done)
})

const inWords = <A, R>(effect: Effect.Effect<A, { readonly message: string }, R>) =>
  Effect.mapError(effect, ({ message }) => toFailure(message))

/** The modules of an archive are loaded only here: other commands do not need them. */
const write = Command.make(
  "write",
  {
    exchange: Argument.String("exchange").pipe(Argument.withDescription("Id of the exchange, such as binance")),
    market: Argument.String("market").pipe(
      Argument.withDescription("Market, BASE-QUOTE, such as BTC-USDT"),
      Argument.withSchema(Parameter.market.schema)
    ),
    out: Flag.String("out").pipe(Flag.withMetavar("DIR"), Flag.withDescription(directory))
  },
  Effect.fnUntraced(function* ({ exchange, market, out }) {
    const { writeArchive } = yield* Effect.promise(() => import("../../cex/archive/WriteArchive.ts"))
    const { layer } = yield* Effect.promise(() => import("../../cex/archive/TapeOfStore.ts"))
    const { isComplete } = yield* Effect.promise(() => import("../../cex/archive/ArchiveManifest.ts"))
    const run = Effect.gen(function* () {
      return yield* writeArchive({ exchange, market, directory: out }, yield* showDays)
    }).pipe(inWords, Effect.provide([layer, Progress.layer]), Effect.scoped)
    const { manifest, written } = yield* withStore(run)
    const rows = written.reduce((sum, day) => sum + day.rows, 0)
    for (const day of manifest.days) {
      if (!isComplete(manifest, day)) yield* Console.error(printable(`${day.day} is not proven to be complete.`))
    }
    const last = manifest.days.at(-1)
    yield* Console.log(
      printable(
        `${written.length} of ${manifest.days.length} days were written, with ${groupDigits(rows)} trades, to ${out}. ` +
          `Chain: ${last?.chain ?? "none yet"}`
      )
    )
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

const verify = Command.make(
  "verify",
  { directory: Argument.String("directory").pipe(Argument.withDescription(directory)) },
  Effect.fnUntraced(function* ({ directory }) {
    const { verifyArchive } = yield* Effect.promise(() => import("../../cex/archive/ReadArchive.ts"))
    const { isComplete } = yield* Effect.promise(() => import("../../cex/archive/ArchiveManifest.ts"))
    const run = Effect.gen(function* () {
      return yield* verifyArchive(directory, yield* showDays)
    }).pipe(inWords, Effect.provide(Progress.layer), Effect.scoped)
    const { manifest, wrong } = yield* run
    for (const sentence of wrong) yield* Console.error(printable(sentence))
    if (wrong.length > 0) return yield* new Failure({ message: "", code: exitCodes.different })
    const { days, exchange, market } = manifest
    const complete = days.filter((day) => isComplete(manifest, day)).length
    yield* Console.log(
      printable(
        `Every file of ${market} on ${exchange} is as it was written: ${days.length} days, ${complete} of them proven ` +
          `complete. Chain: ${days.at(-1)?.chain ?? "none yet"}`
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
  Command.withShortDescription("Write and verify Parquet archives of recorded trades"),
  Command.withDescription("Writes recorded trades as Parquet files with a manifest, and verifies them."),
  Command.withSubcommands([write, verify])
)

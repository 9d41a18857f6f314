import { Parameter } from "@chaintape/core/operations"
import { Console, Effect, Layer, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { accessKey } from "../service/AccessKey.ts"
import { serviceFlags, serviceUrl } from "../service/ServiceFlags.ts"
import { exitCodes, Failure } from "../terminal/Failure.ts"
import { toIso } from "../terminal/Moment.ts"
import { Progress } from "../terminal/Progress.ts"
import { groupDigits } from "../terminal/ProgressLine.ts"
import type { Downloaded } from "./Download.ts"
import { download } from "./Download.ts"
import { fileFormats } from "./FileFormat.ts"
import type { Output } from "./Output.ts"
import { standardOutput } from "./Output.ts"
import { partFile } from "./PartFile.ts"
import { judge } from "./Proof.ts"
import { TradePages } from "./TradePages.ts"
import type { TradesRequest } from "./TradesRequest.ts"
import { largestPage, tradesRequest } from "./TradesRequest.ts"

const rows = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: largestPage }))

const config = {
  exchange: Argument.String("exchange").pipe(Argument.withDescription("Id of the exchange, such as sandbox or kraken")),
  market: Argument.String("market").pipe(
    Argument.withDescription("Market, BASE-QUOTE, such as BTC-USD"),
    Argument.withSchema(Parameter.market.schema)
  ),
  since: Flag.String("since").pipe(
    Flag.withMetavar("TIME"),
    Flag.withDescription("First time: ISO 8601, Unix milliseconds, or a duration back from now such as 24h"),
    Flag.optional
  ),
  until: Flag.String("until").pipe(
    Flag.withMetavar("TIME"),
    Flag.withDescription("Last time, inclusive; now if absent"),
    Flag.optional
  ),
  last: Flag.Int("last").pipe(
    Flag.withMetavar("N"),
    Flag.withDescription("The latest N trades, at most 50000, in place of --since"),
    Flag.withSchema(rows),
    Flag.optional
  ),
  out: Flag.String("out").pipe(
    Flag.withAlias("o"),
    Flag.withMetavar("FILE"),
    Flag.withDescription("Where to write: a name that ends in .csv, .ndjson or .jsonl, or - for the standard output")
  ),
  format: Flag.Literals("format", fileFormats).pipe(
    Flag.withDescription("Format, where the name of the file does not say it"),
    Flag.optional
  ),
  ...serviceFlags,
  page: Flag.Int("page").pipe(
    Flag.withMetavar("N"),
    Flag.withDescription("Trades of one request, at most 50000"),
    Flag.withSchema(rows),
    Flag.withDefault(largestPage)
  ),
  force: Flag.Boolean("force").pipe(Flag.withDescription("Replace FILE if it exists"), Flag.withDefault(false))
}

const emptyRange = { since: 0, until: 0 }

const readOutput = (request: TradesRequest) => {
  const range = request.range._tag === "Between" ? request.range : emptyRange
  return Option.match(request.file, {
    onNone: () => standardOutput(request.format, range),
    onSome: (file) => partFile(request, file, { since: range.since, until: range.until })
  })
}

const toDestination = ({ file }: TradesRequest): string => Option.getOrElse(file, () => "the standard output")

const goesOn = ({ range, reached }: Output, request: TradesRequest) =>
  reached.rows === 0
    ? Effect.void
    : Effect.flatMap(Progress, ({ say }) =>
        say(
          `Going on after the ${groupDigits(reached.rows)} trades in ${toDestination(request)}.part, ` +
            `which is to hold ${toIso(range.since)} to ${toIso(range.until)}.`
        )
      )

/** How to resume an interrupted or failed download. */
const sayHowToContinue = Effect.fnUntraced(function* (output: Output, request: TradesRequest) {
  const { say } = yield* Progress
  yield* output.abandon
  const reached = yield* output.reachedNow
  if (reached.rows === 0) return
  yield* Option.isSome(request.file)
    ? say(
        `The file is incomplete. Its first ${groupDigits(reached.rows)} trades are in ${request.file.value}.part. ` +
          "To continue, run the same command again."
      )
    : say("The output is incomplete.")
})

const toSummary = ({ endsEarly, proof, rows, span }: Downloaded, request: TradesRequest): string => {
  const where = `${request.market} on ${request.exchange}`
  if (Option.isNone(span)) return `${where} has no trade yet: there is none in ${toDestination(request)}.`
  const { from, to } = span.value
  return (
    `${groupDigits(rows)} trades of ${where}, ${toIso(from)} to ${toIso(to)}, in ${toDestination(request)}: ` +
    `${judge(proof)}.${endsEarly ? " There was no later trade yet." : ""}`
  )
}

const run = Effect.fnUntraced(function* (request: TradesRequest) {
  yield* Effect.flatMap(TradePages, ({ check }) => check(request.exchange))
  const output = yield* readOutput(request)
  yield* goesOn(output, request)
  const downloaded = yield* download(request, output).pipe(Effect.onError(() => sayHowToContinue(output, request)))
  yield* output.finish
  return { downloaded, summary: toSummary(downloaded, request) }
})

export const trades = Command.make(
  "trades",
  config,
  Effect.fnUntraced(function* (input) {
    const request = yield* tradesRequest(input)
    const url = yield* serviceUrl(input.url)
    const key = yield* accessKey(input.key, url)
    const layer = TradePages.layer(url, key).pipe(Layer.provideMerge(Progress.layer))
    const { downloaded, summary } = yield* Effect.scoped(Effect.provide(run(request), layer))
    yield* Option.isSome(request.file) ? Console.log(summary) : Console.error(summary)
    if (downloaded.proof.state === "incomplete") {
      return yield* new Failure({ message: "", code: exitCodes.incomplete })
    }
  })
).pipe(
  Command.withShortDescription("Write the trades of a market into a file"),
  Command.withDescription(
    "Writes the trades of a market into a file, with the digits of the exchange, and says what is proven about them. " +
      "The same command continues an interrupted download."
  ),
  Command.withExamples([
    { command: "chaintape trades sandbox BTC-USD --since 24h --out trades.csv", description: "The trades of a day" },
    {
      command: "chaintape trades kraken BTC-USD --since 2026-11-01 --until 2026-11-08 --out week.ndjson",
      description: "Those between two times"
    },
    {
      command: "chaintape trades sandbox BTC-USD --last 1000 --out - --format csv | head",
      description: "The latest 1,000 to another program"
    }
  ])
)

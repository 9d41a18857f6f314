import { Console, Effect, Layer, Option, Schema } from "effect"
import { Flag } from "effect/cli"
import { groupDigits } from "../../internal/groupDigits.ts"
import type { AccessKey } from "../service/AccessKey.ts"
import { accessKey } from "../service/AccessKey.ts"
import { serviceFlags, serviceUrl } from "../service/ServiceFlags.ts"
import { toFailure } from "../terminal/CommandError.ts"
import type { CommandError } from "../terminal/CommandError.ts"
import { Progress } from "../terminal/Progress.ts"
import { toIso } from "../terminal/TimeArgument.ts"
import { writeResult } from "../terminal/writeLine.ts"
import type { Downloaded } from "./Download.ts"
import { download } from "./Download.ts"
import type { DownloadRequest } from "./DownloadRequest.ts"
import { toContent } from "./DownloadRequest.ts"
import { fileFormats, suffixesText } from "./FileFormat.ts"
import type { Output } from "./Output.ts"
import { standardOutput } from "./Output.ts"
import { Pages } from "./Pages.ts"
import { partFile } from "./PartFile.ts"
import { judge } from "./Proof.ts"

/** The flags of a command that downloads rows. */
export const downloadFlags = (unit: string, maxPage: number) => {
  const rows = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxPage }))
  return {
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
      Flag.withDescription(`The latest N ${unit}, at most ${maxPage}, in place of --since`),
      Flag.withSchema(rows),
      Flag.optional
    ),
    out: Flag.String("out").pipe(
      Flag.withAlias("o"),
      Flag.withMetavar("FILE"),
      Flag.withDescription(`Where to write: a name that ends in ${suffixesText}, or - for the standard output`)
    ),
    format: Flag.Literals("format", fileFormats).pipe(
      Flag.withDescription("Format, where the name of the file does not say it"),
      Flag.optional
    ),
    ...serviceFlags,
    page: Flag.Int("page").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription(`Rows of one request, at most ${maxPage}`),
      Flag.withSchema(rows),
      Flag.withDefault(maxPage)
    ),
    force: Flag.Boolean("force").pipe(Flag.withDescription("Replace FILE if it exists"), Flag.withDefault(false))
  }
}

const emptyRange = { since: 0, until: 0 }

const readOutput = (request: DownloadRequest, service: string) => {
  const range = request.range._tag === "Between" ? request.range : emptyRange
  return Option.match(request.file, {
    onNone: () => standardOutput(request.format, request.subject.shape.columns, range),
    onSome: (file) => partFile(request, service, file, { since: range.since, until: range.until })
  })
}

const toDestination = ({ file }: DownloadRequest): string => Option.getOrElse(file, () => "the standard output")

const reportResume = ({ range, reached }: Output, request: DownloadRequest) =>
  reached.rows === 0
    ? Effect.void
    : Effect.flatMap(Progress, ({ say }) =>
        say(
          `Going on after the ${groupDigits(reached.rows)} ${request.subject.unit} in ${toDestination(request)}.part, ` +
            `which is to hold ${toIso(range.since)} to ${toIso(range.until)}.`
        )
      )

/** How to resume an interrupted or failed download. */
const printHowToContinue = Effect.fnUntraced(function* (output: Output, request: DownloadRequest) {
  const { say } = yield* Progress
  yield* output.abandon
  const reached = yield* output.reachedNow
  if (reached.rows === 0) return
  yield* Option.isSome(request.file)
    ? say(
        `The file is incomplete. Its first ${groupDigits(reached.rows)} ${request.subject.unit} are in ` +
          `${request.file.value}.part. To continue, run the same command again.`
      )
    : say("The output is incomplete.")
})

const toSummary = ({ endsEarly, proof, rows, span }: Downloaded, request: DownloadRequest): string => {
  const { name, unit } = request.subject
  if (Option.isNone(span)) return `${name} has no ${unit} yet: there are none in ${toDestination(request)}.`
  const { from, to } = span.value
  return (
    `${groupDigits(rows)} ${toContent(request.subject)}, ${toIso(from)} to ${toIso(to)}, in ${toDestination(request)}: ` +
    `${judge(proof)}.${endsEarly ? ` There were no later ${unit} yet.` : ""}`
  )
}

const run = Effect.fnUntraced(function* (request: DownloadRequest, service: string) {
  yield* Effect.flatMap(Pages, ({ check }) => check)
  const output = yield* readOutput(request, service)
  yield* reportResume(output, request)
  const downloaded = yield* download(request, output).pipe(Effect.onError(() => printHowToContinue(output, request)))
  yield* output.finish
  return { downloaded, summary: toSummary(downloaded, request) }
})

/** Downloads what is requested, and reports what is proven about it. */
export const runDownload = Effect.fnUntraced(function* (
  request: DownloadRequest,
  input: { readonly url: Option.Option<string>; readonly key: Parameters<typeof accessKey>[0] },
  pages: (url: URL, key: Option.Option<AccessKey>) => Layer.Layer<Pages, CommandError, Progress>
) {
  const url = yield* serviceUrl(input.url)
  const key = yield* accessKey(input.key, url)
  const layer = pages(url, key).pipe(Layer.provideMerge(Progress.layer))
  const { downloaded, summary } = yield* Effect.scoped(Effect.provide(run(request, url.origin + url.pathname), layer))
  yield* Option.isSome(request.file) ? writeResult(summary) : Console.error(summary)
  if (downloaded.proof.state === "incomplete") {
    return yield* toFailure("", "incomplete")
  }
})

import { Clock, Effect, Option, Path } from "effect"
import { wrongUsage } from "../terminal/CommandError.ts"
import { toIso, looksLikeSeconds, parseTimeArgument } from "../terminal/TimeArgument.ts"
import type { FileFormat } from "./FileFormat.ts"
import { getContainer, suffixesText, toFormat } from "./FileFormat.ts"
import type { Shape } from "./Row.ts"

/** The data to download. */
export interface Subject {
  /** The rows, such as `trades`. */
  readonly unit: string
  /** Such as `BTC/USD on kraken`. */
  readonly name: string
  readonly shape: Shape
  /** The maximum `limit` of a request to the service. */
  readonly maxPage: number
  /** Whether no two rows are of the same time: a page then begins after the newest row, and otherwise with it. */
  readonly hasUniqueTimes: boolean
  /** Whether a page that is not full has every row up to `until`. */
  readonly isBounded: boolean
}

/** The content of a file in words. */
export const toContent = ({ name, unit }: Subject): string => `${unit} of ${name}`

/** The command as typed. */
export interface DownloadInput {
  readonly since: Option.Option<string>
  readonly until: Option.Option<string>
  readonly last: Option.Option<number>
  readonly out: string
  readonly format: Option.Option<FileFormat>
  readonly page: number
  readonly force: boolean
}

/** Unix milliseconds, both inclusive. */
export interface Between {
  readonly _tag: "Between"
  readonly since: number
  readonly until: number
}

export interface Latest {
  readonly _tag: "Latest"
  readonly count: number
  /** Unix milliseconds, inclusive. */
  readonly until: number
}

export interface DownloadRequest {
  readonly subject: Subject
  readonly format: FileFormat
  /** The absolute path of the file; none for the standard output. */
  readonly file: Option.Option<string>
  /** Rows per request to the service. */
  readonly page: number
  readonly force: boolean
  readonly range: Between | Latest
  /** The range as typed; empty if there was none. */
  readonly asked: { readonly since: string; readonly until: string; readonly last: string }
}

const wrongTime = (name: string, text: string): string =>
  `--${name} is "${text}": it must be a time such as 2026-11-20T09:30:00Z, Unix milliseconds, or a duration back from ` +
  "now such as 24h."

const getTime = Effect.fnUntraced(function* (name: string, text: string, now: number) {
  if (looksLikeSeconds(text)) {
    return yield* wrongUsage(`--${name} is "${text}", which are seconds: Unix milliseconds are ${text}000.`)
  }
  const ms = parseTimeArgument(text, now)
  if (Option.isNone(ms)) return yield* wrongUsage(wrongTime(name, text))
  if (ms.value > now) {
    return yield* wrongUsage(`--${name} is ${toIso(ms.value)}, which is to come: it is ${toIso(now)} now.`)
  }
  return ms.value
})

const readBounds = Effect.fnUntraced(function* (since: string, until: Option.Option<string>, now: number) {
  const from = yield* getTime("since", since, now)
  const to = Option.isNone(until) ? now : yield* getTime("until", until.value, now)
  if (from > to) return yield* wrongUsage(`--since is ${toIso(from)}, which is after --until, ${toIso(to)}.`)
  return { _tag: "Between", since: from, until: to } as const
})

const getRange = Effect.fnUntraced(function* ({ last, since, until }: DownloadInput, unit: string) {
  const now = yield* Clock.currentTimeMillis
  if (Option.isSome(last)) {
    if (Option.isSome(since) || Option.isSome(until)) {
      return yield* wrongUsage("--last excludes --since and --until: give either --last, or --since and --until.")
    }
    return { _tag: "Latest", count: last.value, until: now } as const
  }
  if (Option.isNone(since)) {
    return yield* wrongUsage(
      `Which ${unit}? Give --since TIME, such as --since 24h, or --last N for the latest N ${unit}.`
    )
  }
  return yield* readBounds(since.value, until, now)
})

const toFileFormat = Effect.fnUntraced(function* ({ format, out }: DownloadInput) {
  const known = Option.getOrElse(format, () => toFormat(out))
  if (known !== undefined && out === "-" && getContainer(known) !== "text") {
    return yield* wrongUsage("Parquet cannot go to the standard output: give --out FILE.parquet.")
  }
  if (known !== undefined) return known
  return yield* wrongUsage(
    out === "-"
      ? "Which format? Give --format csv or --format ndjson with --out -."
      : `The name "${out}" says no format: end it in ${suffixesText}, or give --format.`
  )
})

/** Fails with a message if an argument is invalid. */
export const downloadRequest = Effect.fn("DownloadRequest.make")(function* (input: DownloadInput, subject: Subject) {
  const path = yield* Path.Path
  const { force, out, page } = input
  return {
    subject,
    page,
    force,
    format: yield* toFileFormat(input),
    file: out === "-" ? Option.none<string>() : Option.some(path.resolve(out)),
    range: yield* getRange(input, subject.unit),
    asked: {
      since: Option.getOrElse(input.since, () => ""),
      until: Option.getOrElse(input.until, () => ""),
      last: Option.match(input.last, { onNone: () => "", onSome: String })
    }
  } satisfies DownloadRequest
})

import { Schema } from "effect"
import { toIso } from "../terminal/TimeArgument.ts"
import type { DownloadRequest, Subject } from "./DownloadRequest.ts"
import { toContent } from "./DownloadRequest.ts"
import { fileFormats } from "./FileFormat.ts"
import { DownloadProgress } from "./Output.ts"

/** The state beside a part file: its request, and how much of the file is complete. */
export const PartState = Schema.Struct({
  version: Schema.Literal(4),
  /** The address of the service whose rows it has. */
  service: Schema.String,
  /** Such as `trades of BTC/USD on kraken`. */
  content: Schema.String,
  /** The names of the columns of its rows: a later version of the program may write others. */
  columns: Schema.Array(Schema.String),
  format: Schema.Literals(fileFormats),
  /** The range as typed; empty if there was none. */
  asked: Schema.Struct({ since: Schema.String, until: Schema.String, last: Schema.String }),
  /** Unix milliseconds, both inclusive. */
  since: Schema.Int,
  until: Schema.Int,
  /** The length of the part file after its last complete page. */
  bytes: Schema.Int,
  reached: DownloadProgress
})

export type PartState = typeof PartState.Type

export const partStateText = Schema.fromJsonString(PartState)

export const toColumnNames = ({ shape }: Pick<Subject, "shape">): ReadonlyArray<string> =>
  shape.columns.map(({ name }) => name)

/** Whether the rows of this subject fit below those of the part. */
export const hasSameColumns = ({ columns }: Pick<PartState, "columns">, subject: Pick<Subject, "shape">): boolean => {
  const names = toColumnNames(subject)
  return columns.length === names.length && columns.every((name, index) => name === names[index])
}

const isSameMoment = (asked: string, ms: number, wasAsked: string, was: number): boolean =>
  asked === wasAsked || ms === was

/** Equal words mean the same request: `24h` of an interrupted download is the day before its first start. */
export const isSameRequest = (
  state: PartState,
  { asked, format, subject }: Pick<DownloadRequest, "asked" | "format" | "subject">,
  service: string,
  range: { readonly since: number; readonly until: number }
): boolean =>
  state.service === service &&
  state.content === toContent(subject) &&
  state.format === format &&
  state.asked.last === asked.last &&
  isSameMoment(asked.since, range.since, state.asked.since, state.since) &&
  isSameMoment(asked.until, range.until, state.asked.until, state.until)

/** The request of a part in words. */
export const toRequest = ({ asked, content, format, since, until }: PartState): string =>
  asked.last === ""
    ? `${content} from ${toIso(since)} to ${toIso(until)} as ${format}`
    : `the latest ${asked.last} ${content} as ${format}`

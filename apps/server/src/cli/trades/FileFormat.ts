import { toIso } from "../terminal/Moment.ts"
import type { TradeText } from "./TradeText.ts"

export const fileFormats = ["csv", "ndjson"] as const

export type FileFormat = (typeof fileFormats)[number]

const suffixes: Readonly<Record<string, FileFormat>> = { csv: "csv", ndjson: "ndjson", jsonl: "ndjson" }

/** The format of a file name's suffix. */
export const toFormat = (file: string): FileFormat | undefined =>
  suffixes[/\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? ""]

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A spreadsheet takes a cell that begins so for a formula: the apostrophe makes it text. */
const inert = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

const getLine = {
  csv: ({ cost, id, price, side, size, timestamp }: TradeText) =>
    `${quoted(inert(id))},${timestamp},${toIso(timestamp)},${price},${size},${cost},${side}\n`,
  ndjson: ({ json }: TradeText) => `${json}\n`
} satisfies Record<FileFormat, (trade: TradeText) => string>

/** The header of a file. */
export const getHead = {
  csv: "id,timestamp,time,price,size,cost,side\n",
  ndjson: ""
} satisfies Record<FileFormat, string>

export const toLines = (format: FileFormat, trades: ReadonlyArray<TradeText>): string => {
  const line = getLine[format]
  let text = ""
  for (const trade of trades) text += line(trade)
  return text
}

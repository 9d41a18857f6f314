import { isoOf } from "./Moment.ts"
import type { TradeText } from "./TradeText.ts"

export const fileFormats = ["csv", "ndjson"] as const

export type FileFormat = (typeof fileFormats)[number]

const suffixes: Readonly<Record<string, FileFormat>> = { csv: "csv", ndjson: "ndjson", jsonl: "ndjson" }

/** The format that the suffix of a file name says. */
export const formatOf = (file: string): FileFormat | undefined =>
  suffixes[/\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? ""]

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const lineOf = {
  csv: ({ cost, id, price, side, size, timestamp }: TradeText) =>
    `${quoted(id)},${timestamp},${isoOf(timestamp)},${price},${size},${cost},${side}\n`,
  ndjson: ({ json }: TradeText) => `${json}\n`
} satisfies Record<FileFormat, (trade: TradeText) => string>

/** What a file begins with. */
export const headOf = {
  csv: "id,timestamp,time,price,size,cost,side\n",
  ndjson: ""
} satisfies Record<FileFormat, string>

export const linesOf = (format: FileFormat, trades: ReadonlyArray<TradeText>): string => {
  const line = lineOf[format]
  let text = ""
  for (const trade of trades) text += line(trade)
  return text
}

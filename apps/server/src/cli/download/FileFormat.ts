import { toIso } from "../terminal/TypedTime.ts"
import type { Column, Row } from "./Row.ts"
import { isTime } from "./Row.ts"

export const fileFormats = ["csv", "ndjson", "parquet"] as const

export type FileFormat = (typeof fileFormats)[number]

const suffixes: Readonly<Record<string, FileFormat>> = {
  csv: "csv",
  ndjson: "ndjson",
  jsonl: "ndjson",
  parquet: "parquet"
}

/** The format of a file name's suffix. */
export const toFormat = (file: string): FileFormat | undefined =>
  suffixes[/\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? ""]

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A spreadsheet takes a cell that begins so for a formula: the apostrophe makes it text. */
const escapeFormula = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

const toCell = (column: Column, value: string): string => {
  if (isTime(column)) return `${value},${toIso(Number(value))}`
  return column.type === "text" ? quoted(escapeFormula(value)) : value
}

/** A Parquet file is made of its part when that is complete: until then each line is the array of a row's values. */
const getLine = {
  csv: ({ values }: Row, columns: ReadonlyArray<Column>) =>
    `${columns.map((column, index) => toCell(column, values[index] ?? "")).join(",")}\n`,
  ndjson: ({ json }: Row) => `${json}\n`,
  parquet: ({ values }: Row) => `${JSON.stringify(values)}\n`
} satisfies Record<FileFormat, (row: Row, columns: ReadonlyArray<Column>) => string>

/** The header of a file. */
export const getHead = (format: FileFormat, columns: ReadonlyArray<Column>): string =>
  format === "csv"
    ? `${columns.map((column) => (isTime(column) ? `${column.name},time` : column.name)).join(",")}\n`
    : ""

export const toLines = (format: FileFormat, columns: ReadonlyArray<Column>, rows: ReadonlyArray<Row>): string => {
  const line = getLine[format]
  let text = ""
  for (const row of rows) text += line(row, columns)
  return text
}

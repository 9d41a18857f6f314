import { toIso } from "../terminal/TimeArgument.ts"
import type { Column, Row } from "./Row.ts"
import { isTime } from "./Row.ts"

export const fileFormats = ["csv", "ndjson", "parquet"] as const

export type FileFormat = (typeof fileFormats)[number]

type Columns = ReadonlyArray<Column>

interface Format {
  /** Of file names, without the dot. */
  readonly suffixes: ReadonlyArray<string>
  /** A file of text is the lines; another one is made of them when they are complete, and cannot be the standard output. */
  readonly container: "text" | "parquet"
  readonly getHead: (columns: Columns) => string
  readonly getLine: (row: Row, columns: Columns) => string
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A spreadsheet takes a cell that begins so for a formula: the apostrophe makes it text. */
const escapeFormula = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

const toCell = (column: Column, value: string): string => {
  if (isTime(column)) return `${value},${toIso(Number(value))}`
  return column.type === "text" ? quoted(escapeFormula(value)) : value
}

const formats: Readonly<Record<FileFormat, Format>> = {
  csv: {
    suffixes: ["csv"],
    container: "text",
    getHead: (columns) =>
      `${columns.map((column) => (isTime(column) ? `${column.name},time` : column.name)).join(",")}\n`,
    getLine: ({ values }, columns) =>
      `${columns.map((column, index) => toCell(column, values[index] ?? "")).join(",")}\n`
  },
  ndjson: {
    suffixes: ["ndjson", "jsonl"],
    container: "text",
    getHead: () => "",
    getLine: ({ json }) => `${json}\n`
  },
  // The file is made of its part when that is complete: until then each line is the array of a row's values.
  parquet: {
    suffixes: ["parquet"],
    container: "parquet",
    getHead: () => "",
    getLine: ({ values }) => `${JSON.stringify(values)}\n`
  }
}

/** ".csv, .ndjson, .jsonl or .parquet". */
export const suffixesText = fileFormats
  .flatMap((format) => formats[format].suffixes.map((suffix) => `.${suffix}`))
  .join(", ")
  .replace(/, ([^,]+)$/, " or $1")

/** The format of a file name's suffix. */
export const toFormat = (file: string): FileFormat | undefined => {
  const suffix = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase()
  return suffix === undefined ? undefined : fileFormats.find((format) => formats[format].suffixes.includes(suffix))
}

export const getContainer = (format: FileFormat): Format["container"] => formats[format].container

/** The header of a file. */
export const getHead = (format: FileFormat, columns: Columns): string => formats[format].getHead(columns)

export const toLines = (format: FileFormat, columns: Columns, rows: ReadonlyArray<Row>): string => {
  const { getLine } = formats[format]
  let text = ""
  for (const row of rows) text += getLine(row, columns)
  return text
}

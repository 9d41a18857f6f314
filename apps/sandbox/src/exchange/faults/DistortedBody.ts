import { Predicate } from "effect"
import type { Fault, FaultOf } from "./Fault.ts"
import type { AppliedFaults } from "./FaultBoard.ts"

type Row = unknown
type Fields = Readonly<Record<string, unknown>>

const isRows = (value: unknown): value is ReadonlyArray<Row> => Array.isArray(value)

const columns = ["time", "low", "high", "open", "close", "volume"]

/** Applies the faults of a response's content to its body. `draw` returns a random value of the fault, 0 to 1. */
export const distort = (body: string, applied: AppliedFaults, draw: (fault: Fault) => number): string => {
  if (!applied.some(({ kind }) => kind === "duplicate" || kind === "out-of-order" || kind === "changed-shape"))
    return body
  let value: unknown = JSON.parse(body)
  for (const fault of applied) {
    if (fault.kind === "duplicate") value = duplicate(value, fault, draw)
    if (fault.kind === "out-of-order") value = shuffle(value, fault, draw)
    if (fault.kind === "changed-shape") value = reshape(value, fault)
  }
  return JSON.stringify(value)
}

const duplicate = (value: unknown, fault: FaultOf<"duplicate">, draw: (fault: Fault) => number): unknown => {
  if (!isRows(value) || value.length === 0) return value
  const at = Math.floor(draw(fault) * value.length)
  const row = value[at]
  return value.toSpliced(at + 1, 0, fault.content === "same" ? row : alter(row))
}

/** The same row with another content: a candle with another volume, a trade with another price, else another status. */
const alter = (row: Row): Row => {
  if (isRows(row)) return row.map((cell, index) => (columns[index] === "volume" ? Number(cell) + 1 : cell))
  if (!Predicate.isObject(row)) return row
  const price = row["price"]
  return typeof price === "string" ? { ...row, price: otherPrice(price) } : { ...row, status: "offline" }
}

/** A price with another first digit, so that no rounding restores it. */
export const otherPrice = (price: string): string => {
  const at = price.search(/[1-9]/)
  const digit = price[at] === "9" ? "8" : `${Number(price[at] ?? "0") + 1}`
  return `${price.slice(0, at)}${digit}${price.slice(at + 1)}`
}

const shuffle = (value: unknown, fault: Fault, draw: (fault: Fault) => number): unknown => {
  if (!isRows(value)) return value
  const rows = [...value]
  for (let last = rows.length - 1; last > 0; last--) {
    const other = Math.floor(draw(fault) * (last + 1))
    const moved = rows[last]
    rows[last] = rows[other]
    rows[other] = moved
  }
  return rows
}

const reshape = (value: unknown, { change }: FaultOf<"changed-shape">): unknown => {
  if (change === "list-moved") return { data: value }
  return isRows(value) ? value.map((row) => changeRow(row, change)) : changeRow(value, change)
}

type RowChange = Exclude<FaultOf<"changed-shape">["change"], "list-moved">

const changeRow = (row: Row, change: RowChange): Row => {
  if (isRows(row)) return changeCandle(row, change)
  return Predicate.isObject(row) ? changeFields(row, change) : row
}

const changeCandle = (row: ReadonlyArray<unknown>, change: RowChange): Row => {
  if (change === "renamed-field")
    return Object.fromEntries(row.map((cell, index) => [columns[index] ?? `${index}`, cell]))
  if (change === "null-price") return row.map((cell, index) => (columns[index] === "close" ? null : cell))
  return row.map((cell, index) => (columns[index] === "time" ? `${cell}` : cell))
}

const prices = ["price", "quote_increment", "min_size", "epoch"]
const ids = ["trade_id", "id", "epoch"]

const changeFields = (row: Fields, change: RowChange): Row => {
  const name = (change === "id-as-other-type" ? ids : prices).find((known) => known in row)
  if (name === undefined) return row
  const { [name]: value, ...rest } = row
  if (change === "renamed-field") return { ...rest, [`${name}_v2`]: value }
  if (change === "null-price") return { ...row, [name]: null }
  return { ...row, [name]: typeof value === "number" ? `${value}` : 1 }
}

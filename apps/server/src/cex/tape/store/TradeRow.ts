import type { TapeTrade } from "../Tape.ts"

export const fieldSeparator = " "

type Fields = readonly [
  timestamp: string,
  sequence: string,
  price: string,
  size: string,
  cost: string,
  isBuy: string,
  receivedAt: string
]

const isComplete = (fields: ReadonlyArray<string>): fields is Fields => fields.length === 7

const sides: Readonly<Record<string, TapeTrade["side"]>> = { t: "buy", f: "sell" }

const parseInteger = (id: string, field: keyof TapeTrade, text: string): number => {
  const value = Number(text)
  if (Number.isSafeInteger(value) && text !== "") return value
  throw new Error(`The ${field} of trade "${id}" is "${text}", which is no integer.`)
}

/**
 * Parses the fields of a trade, which the statement joins into one text. Dies where the statement and this function
 * disagree about them.
 */
export const parseTradeRow = (id: string, row: string): TapeTrade => {
  const fields: ReadonlyArray<string> = row.split(fieldSeparator)
  if (!isComplete(fields)) throw new Error(`The row of trade "${id}" has ${fields.length} fields instead of 7.`)
  const [timestamp, sequence, price, size, cost, isBuy, receivedAt] = fields
  const side = sides[isBuy]
  if (side === undefined) throw new Error(`The side of trade "${id}" is "${isBuy}" instead of "t" or "f".`)
  return {
    id,
    timestamp: parseInteger(id, "timestamp", timestamp),
    sequence: parseInteger(id, "sequence", sequence),
    price,
    size,
    cost,
    side,
    receivedAt: parseInteger(id, "receivedAt", receivedAt)
  }
}

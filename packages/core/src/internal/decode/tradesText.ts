/**
 * Reads a list of trades from its text, without the objects and doubles of `JSON.parse`: as fast as `JSON.parse` alone,
 * with every digit. It reads the form that the service writes; any other text is left to the general decoder.
 */
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { type Decoder, parseJson } from "./decoding.ts"
import { quoteDecimals } from "./exactNumbers.ts"
import { instant } from "./instant.ts"
import { decodeInPlace } from "./jsonDecoder.ts"
import { latestMillis } from "./unixText.ts"

interface Row {
  readonly id: string
  readonly timestamp: DateTime.Utc
  readonly price: string
  readonly size: string
  readonly cost: string
  readonly side: "buy" | "sell"
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** The end of the digits from a position on; the position itself if there are none. */
const afterDigits = (text: string, from: number): number => {
  let at = from
  while (isDigit(text.charCodeAt(at))) at++
  return at
}

/** The end of a number without exponent, or -1. */
const afterNumber = (text: string, from: number): number => {
  const start = text.charCodeAt(from) === 45 ? from + 1 : from
  const end = afterDigits(text, start)
  if (end === start || (text.charCodeAt(start) === 48 && end > start + 1)) return -1
  if (text.charCodeAt(end) !== 46) return end
  const fraction = afterDigits(text, end + 1)
  return fraction === end + 1 ? -1 : fraction
}

/** The closing quote of a string without escapes, or -1. */
const afterString = (text: string, from: number): number => {
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at)
    if (code === 34) return at
    // Control characters are invalid, and the end of the text is NaN.
    if (code === 92 || !(code >= 32)) return -1
  }
}

/** A copy: a part of 13 characters or more would hold the whole text in memory. */
const copy = (text: string, from: number, to: number): string =>
  to - from < 13 ? text.slice(from, to) : ` ${text.slice(from, to)}`.slice(1)

const names = [',"price":', ',"size":', ',"cost":'] as const
const sides = [
  [',"side":"buy"}', "buy"],
  [',"side":"sell"}', "sell"]
] as const

/** One row that begins at a position, and its end; undefined if it has another form. */
const readRow = (text: string, from: number): readonly [row: Row, end: number] | undefined => {
  if (!text.startsWith('{"id":"', from)) return undefined
  const idEnd = afterString(text, from + 7)
  if (idEnd < 0 || !text.startsWith('","timestamp":"', idEnd)) return undefined
  const timeStart = idEnd + 15
  const timeEnd = afterDigits(text, timeStart)
  const hasZero = text.charCodeAt(timeStart) === 48 && timeEnd > timeStart + 1
  const time = Number(text.slice(timeStart, timeEnd))
  if (timeEnd === timeStart || timeEnd > timeStart + 16 || hasZero || time > latestMillis) return undefined
  if (text.charCodeAt(timeEnd) !== 34) return undefined
  const numbers: [string, string, string] = ["", "", ""]
  let at = timeEnd + 1
  for (let index = 0; index < 3; index++) {
    const name = names[index] ?? ""
    if (!text.startsWith(name, at)) return undefined
    const start = at + name.length
    at = afterNumber(text, start)
    if (at < 0) return undefined
    numbers[index] = copy(text, start, at)
  }
  const [ending, side] = text.startsWith(sides[0][0], at) ? sides[0] : sides[1]
  if (!text.startsWith(ending, at)) return undefined
  const [price, size, cost] = numbers
  const row = { id: copy(text, from + 7, idEnd), timestamp: instant(time), price, size, cost, side }
  return [row, at + ending.length]
}

const before = ',"trades":['

/** The trades of an answer, and its text without them; undefined if it has another form. */
const readTrades = (text: string): readonly [trades: ReadonlyArray<Row>, rest: string] | undefined => {
  const start = text.indexOf(before)
  if (start < 0 || !text.endsWith("]}")) return undefined
  const end = text.length - 2
  const trades: Array<Row> = []
  let at = start + before.length
  while (at < end) {
    const read = readRow(text, trades.length === 0 ? at : at + 1)
    if (read === undefined || (trades.length > 0 && text.charCodeAt(at) !== 44)) return undefined
    trades.push(read[0])
    at = read[1]
  }
  return at === end ? [trades, `${text.slice(0, start + before.length)}]}`] : undefined
}

/** Decodes the answer of `cex.trades`. `inText` is its schema with decimals as strings. */
export const decodeTrades = (inText: Schema.Codec<unknown, unknown>): Decoder => {
  const inPlace = decodeInPlace(inText)
  const decode: Decoder = (text) => inPlace(quoteDecimals(text))
  return (text) => {
    const read = readTrades(text)
    if (read === undefined || parseJson(read[1]) === undefined) return decode(text)
    const [trades, rest] = read
    return Effect.map(decode(rest) ?? Effect.succeed({}), (answer) => Object.assign({}, answer, { trades }))
  }
}

import { basename } from "node:path"
import * as ExactDecimal from "../../internal/ExactDecimal.ts"
import type { MarketName } from "../ExchangeSource.ts"
import type { NewTrade } from "../tape/Tape.ts"
import { toSequence } from "../TradeSequence.ts"
import { clockTolerance, earliestTrade } from "../TradeTime.ts"
import { layouts, unusableLayouts } from "./Layout.ts"
import type { Columns, Layout } from "./Layout.ts"

/** The expected content of a file. */
export interface DumpMarket {
  readonly exchange: string
  /** The ccxt id of the exchange. */
  readonly driver: string
  /** Whether its ids of trades are known to be consecutive. */
  readonly hasConsecutiveIds: boolean
  readonly market: MarketName
  /** Unix milliseconds: no trade is later, and all of them are received at this time. */
  readonly now: number
}

const plain = /^(0|[1-9]\d{0,14})(\.\d{0,17}[1-9])?$/

/** Without the zeros at its end. */
const withoutZeros = (text: string): string => {
  if (!text.includes(".")) return text
  let end = text.length
  while (text.charCodeAt(end - 1) === 48) end -= 1
  return text.slice(0, text.charCodeAt(end - 1) === 46 ? end - 1 : end)
}

/** The canonical form of zero, or of a positive amount that a double can hold. */
const toAmount = (text: string): string | undefined => {
  const cut = withoutZeros(text)
  // Nearly all are of this form.
  if (plain.test(cut)) return cut
  const value = ExactDecimal.canonical(text)
  return value === "0" || (value !== undefined && !value.startsWith("-") && ExactDecimal.fitsFloat(value))
    ? value
    : undefined
}

/** Whether the product of two amounts is one that a double can hold. */
const isCostInRange = (price: string, size: string): boolean =>
  ExactDecimal.fitsFloat(ExactDecimal.multiply(price, size))

/** A trade; undefined if it has no size or no price, which cannot be stored; or what is wrong with the row. */
export type ParseRow = (cells: ReadonlyArray<string>) => NewTrade | undefined | string

const makeParser = (layout: Layout, at: Columns, { market, now }: DumpMarket): ParseRow => {
  const symbol = layout.toSymbol?.(market)
  const latest = now + clockTolerance
  return (cells) => {
    const id = cells[at.id] ?? ""
    const sequence = toSequence(id)
    if (sequence === undefined) return `its id "${id}" is no integer`
    if (at.market !== undefined && cells[at.market] !== symbol)
      return `it is of the market "${cells[at.market] ?? ""}", not of "${symbol}"`
    const time = cells[at.time] ?? ""
    const timestamp = layout.toTime(time)
    if (!(timestamp >= earliestTrade && timestamp <= latest)) return `its time "${time}" is none of this layout`
    const side = layout.toSide(cells[at.side] ?? "")
    if (side === undefined) return `its side "${cells[at.side] ?? ""}" is none of this layout`
    const price = toAmount(cells[at.price] ?? "")
    const size = toAmount(cells[at.size] ?? "")
    if (price === undefined || size === undefined)
      return `its price "${cells[at.price] ?? ""}" or its size "${cells[at.size] ?? ""}" is no amount`
    if (price === "0" || size === "0") return undefined
    if (price.length + size.length > 30 && !isCostInRange(price, size))
      return `its price "${price}" or its size "${size}" is outside of the range of numbers`
    return { id: id.startsWith("0") ? String(sequence) : id, sequence, timestamp, price, size, side, receivedAt: now }
  }
}

const supported = layouts.flatMap(({ name, refusal }) => (refusal === undefined ? [name] : [])).join(", ")

const toColumns = ({ header }: Layout, names: ReadonlyArray<string>): Columns | undefined => {
  if (header === undefined) return undefined
  const at = (name: string) => names.indexOf(name)
  const found = {
    id: at(header.id),
    price: at(header.price),
    size: at(header.size),
    time: at(header.time),
    side: at(header.side)
  }
  const market = header.market === undefined ? undefined : at(header.market)
  return Object.values(found).includes(-1) || market === -1 ? undefined : { ...found, market }
}

/** The recognized layout of a file. */
export interface RecognizedLayout {
  readonly layout: Layout
  readonly hasHeader: boolean
  readonly parse: ParseRow
}

const byHeader = (names: ReadonlyArray<string>, expected: DumpMarket): RecognizedLayout | undefined => {
  const unusable = unusableLayouts.find(({ header }) => header.every((name) => names.includes(name)))
  if (unusable !== undefined) throw new Error(`it holds ${unusable.name}: ${unusable.refusal}`)
  for (const layout of layouts) {
    const at = toColumns(layout, names)
    if (at !== undefined) return { layout, hasHeader: true, parse: makeParser(layout, at, expected) }
  }
  return undefined
}

const byCells = (cells: ReadonlyArray<string>, expected: DumpMarket): RecognizedLayout | undefined => {
  for (const layout of layouts) {
    const { columns } = layout
    if (columns === undefined || !columns.counts.includes(cells.length)) continue
    const parse = makeParser(layout, columns.at, expected)
    if (typeof parse(cells) !== "string") return { layout, hasHeader: false, parse }
  }
  return undefined
}

const checkMarket = (path: string, { fileName, toSymbol }: Layout, market: MarketName): void => {
  const named = fileName?.exec(basename(path))?.[1]
  const symbol = toSymbol?.(market)
  if (named !== undefined && named !== symbol)
    throw new Error(`by its name it is of the market "${named}", not of "${symbol}"`)
}

/** The layout of a file by its first line and its name. Throws what is wrong with it. */
export const recognizeLayout = (path: string, line: string, expected: DumpMarket): RecognizedLayout => {
  const cells = line.split(",")
  const names = cells.map((cell) => cell.trim().toLowerCase())
  const found = /^[a-z_]/.test(names[0] ?? "") ? byHeader(names, expected) : byCells(cells, expected)
  if (found === undefined) throw new Error(`its columns are those of no known layout. Known are: ${supported}`)
  const { drivers, name, refusal } = found.layout
  if (drivers !== undefined && !drivers.includes(expected.driver))
    throw new Error(`it holds ${name}, not of ${expected.exchange}`)
  if (drivers === undefined && !expected.hasConsecutiveIds)
    throw new Error(
      `the ids of ${expected.exchange} are not known to be consecutive, so that a missing trade would not show`
    )
  if (refusal !== undefined) throw new Error(`it holds ${name}: ${refusal}`)
  checkMarket(path, found.layout, expected.market)
  return found
}

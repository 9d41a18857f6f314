import { candleRowJson, splitCandleRows } from "../CexJson.ts"
import type { SourceCandle } from "../ExchangeSource.ts"
import type { CandlePage, StartRange } from "../tape/CandlePage.ts"

/** Consecutive candles, or a range of starts that the tape does not prove, with the exchange's candles. */
export interface Part extends StartRange {
  /** Elements of a JSON list; a text may hold several. */
  readonly rows: ReadonlyArray<string>
  readonly count: number
  readonly isProven: boolean
  /** The starts of the first and the last candle. */
  readonly ends: readonly [first: number, last: number] | undefined
}

const toTapePart = (rows: string, count: number, from: number, to: number): Part => ({
  rows: [rows],
  count,
  from,
  to,
  isProven: true,
  ends: [from, to]
})

/** A range without candles. */
export const toUnprovenPart = ({ from, to }: StartRange): Part => ({
  from,
  to,
  rows: [],
  count: 0,
  isProven: false,
  ends: undefined
})

/** A range with the exchange's candles, oldest first. */
export const toExchangePart = (range: Part, candles: ReadonlyArray<SourceCandle>): Part => {
  const [first, last] = [candles[0], candles.at(-1)]
  return {
    ...range,
    rows: candles.map(candleRowJson),
    count: candles.length,
    ends: first === undefined || last === undefined ? undefined : [first.start, last.start]
  }
}

/** The parts of a page, ascending; none with more than `max` candles. */
export const toParts = (page: CandlePage, unproven: ReadonlyArray<StartRange>, max: number): ReadonlyArray<Part> => {
  const ranges = unproven.map(toUnprovenPart)
  if (page.ends === undefined) return ranges
  const [first, last] = page.ends
  if (ranges.length === 0 && page.count <= max) return [toTapePart(page.rows, page.count, first.start, last.start)]
  const parts: Array<Part> = []
  let at = 0
  for (const { json, start } of splitCandleRows(page.rows)) {
    for (let range = ranges[at]; range !== undefined && range.to < start; range = ranges[++at]) parts.push(range)
    const range = ranges[at]
    if (range === undefined || start < range.from) parts.push(toTapePart(json, 1, start, start))
  }
  return [...parts, ...ranges.slice(at)]
}

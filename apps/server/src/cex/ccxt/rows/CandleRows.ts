import { Option, Result, Schema } from "effect"
import * as ExactDecimal from "../../../internal/ExactDecimal.ts"
import { invalidMember } from "../../../internal/invalidMember.ts"
import type { SourceCandle } from "../../ExchangeSource.ts"
import { clockTolerance, earliestTrade } from "../../TradeTime.ts"
import type { ParsedRow } from "../class/CcxtStream.ts"

const Row = Schema.Tuple([
  Schema.Int.check(Schema.isGreaterThanOrEqualTo(earliestTrade)),
  Schema.String,
  Schema.String,
  Schema.String,
  Schema.String,
  Schema.String
])

const decodeRow = Schema.decodeUnknownResult(Row)

/** Decodes the candles of a page, oldest first, without duplicates. One bad row fails the page. `now` is in Unix ms. */
export const decodeCandles = (
  rows: ReadonlyArray<ParsedRow>,
  now: number
): Result.Result<ReadonlyArray<SourceCandle>, string> => {
  const candles = new Map<number, SourceCandle>()
  for (const { parsed } of rows) {
    // A class may append members of its own.
    const row = decodeRow(Array.isArray(parsed) ? parsed.slice(0, 6) : parsed)
    if (Result.isFailure(row)) return Result.fail(unreadable(row.failure))
    const [start, ...values] = row.success
    if (start > now + clockTolerance) return Result.fail("a candle lies in the future")
    const candle = toCandle(start, values)
    if (candle === undefined) return Result.fail("a candle's values contradict each other or are no decimals")
    if (!candles.has(start)) candles.set(start, candle)
  }
  return Result.succeed([...candles.values()].sort((left, right) => left.start - right.start))
}

const columns = ["start", "open", "high", "low", "close", "volume"]

const unreadable = (error: Schema.SchemaError): string =>
  Option.match(invalidMember(error), {
    onNone: () => "a candle is not a list of six values",
    onSome: (index) => `a candle has no valid "${columns[Number(index)] ?? "row"}"`
  })

const toCandle = (start: number, values: ReadonlyArray<string>): SourceCandle | undefined => {
  const [open, high, low, close, volume] = values.map((value) => ExactDecimal.canonical(value))
  if (
    open === undefined ||
    high === undefined ||
    low === undefined ||
    close === undefined ||
    volume === undefined ||
    !ExactDecimal.isPositive(low) ||
    volume.startsWith("-") ||
    ![open, high, low, close].every(ExactDecimal.fitsFloat) ||
    !(volume === "0" || ExactDecimal.fitsFloat(volume))
  )
    return undefined
  const isWithin = (value: string) => ExactDecimal.compare(low, value) <= 0 && ExactDecimal.compare(value, high) <= 0
  return isWithin(open) && isWithin(close) ? { start, open, high, low, close, volume } : undefined
}

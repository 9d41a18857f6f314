import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { candleRowJson, splitCandleRows } from "../../src/cex/CexJson.ts"

const Digits = Schema.String.check(Schema.isPattern(/^(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?$/))
const Candle = Schema.Struct({
  start: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4_102_444_800_000 })),
  open: Digits,
  high: Digits,
  low: Digits,
  close: Digits,
  volume: Digits
})

it.prop("separates the candles that a list joins", [Schema.NonEmptyArray(Candle)], ([candles]) => {
  const rows = candles.map((candle) => ({ start: candle.start, json: candleRowJson(candle) }))
  assert.deepStrictEqual(splitCandleRows(rows.map(({ json }) => json).join(",")), rows)
})

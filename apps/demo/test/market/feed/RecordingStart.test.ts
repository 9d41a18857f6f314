import { assert, describe, it } from "@effect/vitest"
import { findRecordingStart } from "../../../src/market/feed/RecordingStart.ts"

const length = 60
const minute = 60_000
const begin = 1_800_000_000_000

const toCandle = (index: number, isProven: boolean) => ({
  start: begin / 1000 + index * length,
  open: 1,
  high: 1,
  low: 1,
  close: 1,
  volume: 1,
  isProven
})

const candles = [toCandle(0, false), toCandle(1, false), toCandle(2, true)]

describe("the candle in which a recording begins", () => {
  it("is the one that contains its first trade", () => {
    assert.strictEqual(findRecordingStart(candles, begin + minute + 1, length), candles[1])
    assert.strictEqual(findRecordingStart(candles, begin + 2 * minute - 1, length), candles[1])
  })

  it("is none if the recording has the whole candle, or begins at its start", () => {
    assert.isUndefined(findRecordingStart(candles, begin + 2 * minute + 20_000, length))
    assert.isUndefined(findRecordingStart(candles, begin + minute, length))
  })

  it("is none if nothing is recorded, or if the recording begins before the candles", () => {
    assert.isUndefined(findRecordingStart(candles, undefined, length))
    assert.isUndefined(findRecordingStart(candles, begin - 1, length))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { countMissing, historyText, formatMissing, missingText } from "../../src/recording/MissingTrades.ts"
import type { Recording, RecordingGap } from "../../src/service/Status.ts"
import { wholeRecording } from "./wholeRecording.ts"

const gap = (from: number, to: number, state: RecordingGap["state"]): RecordingGap => ({
  from,
  to,
  fromTime: 0,
  toTime: 1,
  state
})

/** `missing` as the service states it: without the trades that are lost for good. */
const lacking = (missing: number, ...gaps: ReadonlyArray<RecordingGap>): Recording => ({
  ...wholeRecording,
  missing,
  gaps,
  gapCount: gaps.length
})

const overlap: Recording = { ...lacking(0, gap(4, 6, "unfillable")), continuity: "overlap" }

const texts = (...recordings: ReadonlyArray<Recording>) => {
  const missing = countMissing(recordings)
  return [formatMissing(missing), missingText(missing), historyText(missing)]
}

describe("the missing trades of recordings", () => {
  it("are those of all gaps, also of those that the exchange no longer fills", () => {
    assert.deepStrictEqual(texts(wholeRecording), ["0", "0 trades missing", ""])
    const lost = lacking(0, gap(10, 70, "unfillable"))
    assert.deepStrictEqual(texts(lost), ["61", "61 trades missing", ""])
    const open = lacking(1, gap(90, 90, "open"))
    assert.deepStrictEqual(texts(open), ["1", "1 trade missing", ""])
    assert.deepStrictEqual(texts(lost, wholeRecording, open), ["62", "62 trades missing", ""])
  })

  it("are not the history that is still to be read", () => {
    assert.deepStrictEqual(texts(lacking(60_000)), [
      "0",
      "0 trades missing",
      "60,000 trades of the history are still to be read."
    ])
    assert.deepStrictEqual(texts(lacking(3, gap(50, 51, "open"), gap(10, 19, "unfillable"))), [
      "12",
      "12 trades missing",
      "1 trade of the history is still to be read."
    ])
  })

  it("have no number where the sequences do not count them", () => {
    assert.deepStrictEqual(texts(overlap), ["not known", "trades missing", ""])
    assert.deepStrictEqual(texts({ ...overlap, continuity: null }), ["not known", "trades missing", ""])
    assert.deepStrictEqual(texts(overlap, lacking(2, gap(50, 51, "open"))), [
      "at least 2",
      "at least 2 trades missing",
      ""
    ])
  })

  it("are at least those of the listed gaps, where the service does not list all", () => {
    const partly = { ...lacking(700, gap(50, 51, "open")), gapCount: 25 }
    assert.deepStrictEqual(texts(partly), ["at least 2", "at least 2 trades missing", ""])
  })
})

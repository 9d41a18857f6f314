import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { Status } from "../../src/service/Status.ts"

const recording = {
  exchange: "kraken",
  market: "BTC/USD",
  state: "live",
  transport: "websocket",
  continuity: null,
  from: null,
  to: null,
  stored: 0,
  backfilled: 0,
  missing: 0,
  disconnects: 0,
  gapCount: 0,
  gaps: [],
  events: [],
  lastError: null
} as const

const status = { startedAt: 0, now: 0, ready: true, sources: [], indexes: [], recordings: [recording] }

const decode = Schema.decodeUnknownSync(Status)

describe("the status of the service", () => {
  it("has the words that the page knows", () => {
    assert.deepStrictEqual(decode(status), status)
  })

  it("is read although a newer service has other words", () => {
    const gap = { from: 1, to: 2, fromTime: 1, toTime: 2, state: "disputed" }
    const newer = { ...recording, state: "resting", transport: "quic", continuity: "signature", gaps: [gap] }
    const [found] = decode({ ...status, recordings: [newer] }).recordings
    assert.deepStrictEqual([found?.state, found?.transport, found?.continuity], ["unknown", "unknown", "unknown"])
    assert.deepStrictEqual(found?.gaps, [{ ...gap, state: "unknown" }])
  })

  it("is not read if a word is missing", () => {
    const { state: _, ...incomplete } = recording
    assert.throws(() => decode({ ...status, recordings: [incomplete] }))
  })
})

import type { Recording } from "../../src/service/Status.ts"

/** A live recording without a gap. */
export const wholeRecording: Recording = {
  exchange: "sandbox",
  market: "BTC/USD",
  state: "live",
  transport: "websocket",
  continuity: "sequence",
  from: 0,
  to: 1000,
  stored: 100,
  backfilled: 0,
  missing: 0,
  disconnects: 0,
  gapCount: 0,
  gaps: [],
  events: [],
  lastError: null
}

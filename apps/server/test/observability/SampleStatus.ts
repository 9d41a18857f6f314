import type { Status } from "../../src/observability/Status.ts"
import type { Incident } from "../../src/status/Incidents.ts"

const now = Date.UTC(2026, 10, 21, 9, 0, 0)

/** A service in trouble. */
export const sampleStatus: Status = {
  startedAt: now - 93_780_000,
  now,
  ready: false,
  instance: { id: "box-1", roles: ["api", "recorder"], owns: ["recording:sandbox/BTC/USD"] },
  sources: [
    {
      id: "sandbox",
      kind: "exchange",
      configured: true,
      state: "failing",
      head: null,
      lastSuccessAt: null,
      lastErrorAt: now - 90_000,
      lastError:
        "The exchange answered 503 with <script>alert(1)</script> in place of trades, several times in a row. It is asked again in 20 s."
    },
    {
      id: "kraken",
      kind: "exchange",
      configured: false,
      state: "ok",
      head: null,
      lastSuccessAt: now - 5000,
      lastErrorAt: null,
      lastError: null
    }
  ],
  indexes: [
    {
      key: "uniswap-v3/devnet",
      state: "historical",
      head: 2000,
      indexed: 1000,
      lag: 1000,
      proven: 500,
      unproven: null,
      reorgs: 3,
      lastError: null
    }
  ],
  recordings: [
    {
      exchange: "sandbox",
      market: "BTC/USD",
      state: "catching-up",
      transport: "websocket",
      continuity: "sequence",
      from: now - 1000,
      to: now,
      stored: 1_234_567,
      backfilled: 5,
      missing: 7,
      disconnects: 1,
      conflicts: 0,
      dropped: 0,
      gaps: [{ from: 11, to: 17, fromTime: now - 900, toTime: now - 800, state: "open" }],
      gapCount: 1,
      events: [],
      lastError: null
    }
  ],
  retention: { days: 30, lastRunAt: now, dropped: 12, lastError: null }
}

export const sampleIncidents: ReadonlyArray<Incident> = [
  {
    at: now - 60_000,
    subject: "uniswap-v3/devnet",
    kind: "reorg",
    detail: "Blocks 996 to 1000 were replaced by another branch of the chain."
  },
  { at: now - 800_000, subject: "sandbox BTC/USD", kind: "gap", detail: "7 trades are missing <b>now</b>." }
]

import type { StubAnswer } from "../cex/ccxt/StubExchange.ts"
import { json, stubExchange } from "../cex/ccxt/StubExchange.ts"

/** The time of the first trade. */
export const begins = Date.UTC(2025, 0, 1)

/** Trades of one millisecond. */
const together = 7

/** A trade in the service's format, with more digits than a double holds. */
export const tradeJson = (id: number, timestamp = begins + Math.floor(id / together)): string =>
  `{"id":"${id}","timestamp":"${timestamp}","price":67${id}.${String(id).repeat(4)}0000000000000001,` +
  `"size":0.${String(id).padStart(18, "0")},"cost":${id}.000000000000000000000001,"side":"${id % 2 === 0 ? "buy" : "sell"}"}`

export const getTime = (id: number): number => begins + Math.floor(id / together)

export interface TapeOptions {
  /** The current number of trades: their ids are 0, 1 and so on. */
  readonly count: number | (() => number)
  readonly coverage?: (from: number) => string
  /** May respond first. */
  readonly over?: (path: string, query: URLSearchParams) => StubAnswer | undefined
  readonly delayMs?: number
  readonly writes?: (id: number) => string
}

const exchange = {
  name: "Tape",
  id: "tape",
  countries: [],
  hasTrades: true,
  hasAggregates: false,
  aggregateTimeframes: {},
  url: "",
  fees: [],
  docs: "",
  logo: ""
}

const range = (from: number, count: number) => Array.from({ length: Math.max(0, count) }, (_, index) => from + index)

const later = (answer: StubAnswer, ms: number) =>
  new Promise<StubAnswer>((resolve) => {
    setTimeout(resolve, ms, answer)
  })

/** A server that responds as the service does, over a synthetic tape of one market. */
export const tapeService = ({ count: counted, coverage, delayMs, over, writes = (id) => tradeJson(id) }: TapeOptions) =>
  stubExchange((path, query) => {
    const first = over?.(path, query)
    if (first !== undefined) return first
    if (path === "/v2/cex/tape") return json(exchange)
    const count = typeof counted === "number" ? counted : counted()
    const limit = Number(query.get("limit"))
    const since = query.get("since")
    const from = since === null ? Math.max(0, count - limit) : Math.max(0, (Number(since) - begins) * together)
    const ids = range(from, Math.min(limit, count - from))
    const to = getTime(from + ids.length - 1)
    const state = coverage?.(from) ?? "complete=?1"
    const answer = {
      body: `{"exchange":"tape","market":"BTC/USD","trades":[${ids.map(writes).join(",")}]}`,
      headers: { "chaintape-coverage": `${state}, from=${since ?? getTime(from)}, to=${to}` }
    }
    return delayMs === undefined ? answer : later(answer, delayMs)
  })

export const toNdjson = (from: number, to: number): string =>
  range(from, to - from + 1)
    .map((id) => `${tradeJson(id)}\n`)
    .join("")

/** The problem of a caller that exceeds the rate limit. */
export const rateLimitResponse = (retryAfterMs: number): StubAnswer => ({
  status: 429,
  headers: { "content-type": "application/problem+json", "retry-after": "1" },
  body: JSON.stringify({
    type: "/problems/rate-limited",
    title: "Rate limited",
    status: 429,
    code: "rate-limited",
    detail: "The key's budget is used up.",
    retryAfterMs
  })
})

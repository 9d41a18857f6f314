import type { ServerResponse } from "node:http"
import { Effect } from "effect"
import { listen, passOn } from "./Door.ts"

/** Trades per second of the generated market. */
export const perSecond = 50
const spacing = 1000 / perSecond

/** The id of the newest trade at a time. The trades have no beginning. */
export const newestAt = (now: number): number => Math.floor(now / spacing)

const toTrade = (id: number) => {
  const price = 68_000 + (id % 97)
  return { id: String(id), timestamp: String(id * spacing), price, size: 1, cost: price, side: "buy" }
}

const tradesAt = (now: number, parameters: URLSearchParams) => {
  const newest = newestAt(now)
  const limit = Number(parameters.get("limit"))
  const since = parameters.get("since")
  const first = since === null ? newest - limit + 1 : Math.ceil(Number(since) / spacing)
  const count = Math.max(0, Math.min(limit, newest - first + 1))
  const trades = Array.from({ length: count }, (_, index) => toTrade(first + index))
  return { exchange: "sandbox", market: "BTC/USD", trades }
}

const lengths = new Map([
  ["1m", 60_000],
  ["1h", 3_600_000]
])

const toCandle = (t: number, length: number, now: number) => {
  const close = toTrade(Math.min(newestAt(now), newestAt(t + length) - 1)).price
  return { t, o: 68_000, h: 68_096, l: 68_000, c: close, v: (Math.min(now, t + length) - t) / spacing }
}

const candlesAt = (now: number, timeframe: string, parameters: URLSearchParams) => {
  const length = lengths.get(timeframe) ?? 60_000
  const limit = Number(parameters.get("limit"))
  const last = Math.floor(Math.min(now, Number(parameters.get("until") ?? Infinity)) / length)
  const since = parameters.get("since")
  const first = since === null ? last - limit + 1 : Math.ceil(Number(since) / length)
  const count = Math.max(0, Math.min(limit, last - first + 1))
  const aggregates = Array.from({ length: count }, (_, index) => toCandle((first + index) * length, length, now))
  return { exchange: "sandbox", market: "BTC/USD", timeframe, aggregates }
}

const made = (url: URL, now: number) => {
  if (url.pathname.endsWith("/BTC-USD/trades")) return tradesAt(now, url.searchParams)
  const [, timeframe] = /\/BTC-USD\/aggregates\/(\w+)$/.exec(url.pathname) ?? []
  return timeframe === undefined ? undefined : candlesAt(now, timeframe, url.searchParams)
}

/** Trades of a live stream are sent together, as many as came in this time. */
const sendEveryMs = 100

/** The live stream of the market, from a time on. */
const stream = (outgoing: ServerResponse, since: number, now: () => number) => {
  let next = Math.ceil(since / spacing)
  const event = (name: string, id: string, data: unknown) =>
    outgoing.write(`event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`)
  outgoing.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" })
  event("open", "0", { cursor: "0" })
  const sending = setInterval(() => {
    for (const newest = newestAt(now()); next <= newest; next += 1) event("trade", String(next), toTrade(next))
  }, sendEveryMs)
  outgoing.on("close", () => clearInterval(sending))
}

/**
 * A proxy in front of the service with fifty trades of BTC/USD per second of `now`, in the service's format. It
 * forwards everything else. Returns its address.
 */
export const makeMarket = Effect.fnUntraced(function* (service: string, now: () => number = Date.now) {
  const { origin } = yield* listen((incoming, outgoing) => {
    const url = new URL(incoming.url ?? "/", service)
    if (url.pathname === "/live/cex/sandbox/BTC-USD/trades") {
      return stream(outgoing, Number(url.searchParams.get("since")), now)
    }
    const body = made(url, now())
    if (body === undefined) return passOn(new URL(service), incoming, outgoing)
    const headers = { "content-type": "application/json", "chaintape-coverage": "complete=?1, from=1, to=2" }
    return outgoing.writeHead(200, headers).end(JSON.stringify(body))
  })
  return origin
})

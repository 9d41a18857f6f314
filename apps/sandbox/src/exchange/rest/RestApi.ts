import { DateTime, Option } from "effect"
import type { Endpoint } from "../faults/Fault.ts"
import { granularities } from "../market/Candles.ts"
import type { Granularity } from "../market/Candles.ts"
import type { Listing, Markets } from "../market/Markets.ts"
import { candleText, currencyRows, productRow, restTrade, serverTime } from "./Wire.ts"

/** A request before its parameters are checked. */
export interface Route {
  readonly endpoint: Endpoint
  readonly listing?: Listing
  readonly parameters: URLSearchParams
}

export interface RestResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The state of the exchange that one request sees. Times are microseconds since 1970. */
export interface View {
  readonly markets: Markets
  readonly now: number
  /** Hides everything after it. */
  readonly until?: number | undefined
  /** The shift of trade times, if any. */
  readonly tradeSkew?: ((time: number) => number) | undefined
  readonly timeSkew: number
}

const candlesPerPage = 300
const tradesPerPage = 1000

export const json = (value: unknown, status = 200): RestResponse => ({
  status,
  headers: {},
  body: JSON.stringify(value)
})
export const notFound: RestResponse = json({ message: "NotFound" }, 404)
const toBadRequest = (message: string): RestResponse => json({ message }, 400)

/** `undefined` is a path that does not exist. */
export const parseRoute = (markets: Markets, url: string): Route | undefined => {
  const [path = "", query = ""] = url.split("?", 2)
  const parameters = new URLSearchParams(query)
  const [root, id, page, ...rest] = path.split("/").slice(1)
  if (id === undefined) {
    return root === "products" || root === "currencies" || root === "time" ? { endpoint: root, parameters } : undefined
  }
  if (root !== "products" || rest.length > 0 || (page !== "trades" && page !== "candles")) return undefined
  const listing = markets.get(id)
  return listing === undefined ? undefined : { endpoint: page, listing, parameters }
}

export const getResponse = ({ endpoint, listing, parameters }: Route, view: View): RestResponse => {
  if (listing !== undefined) {
    return endpoint === "trades" ? trades(listing, parameters, view) : candles(listing, parameters, view)
  }
  if (endpoint === "products") return json(view.markets.products.map(productRow))
  if (endpoint === "currencies") return json(currencyRows(view.markets.products))
  return json(serverTime(view.now + view.timeSkew))
}

const trades = ({ journal, product }: Listing, parameters: URLSearchParams, view: View): RestResponse => {
  const limit = integer(parameters.get("limit"), tradesPerPage)
  const after = integer(parameters.get("after"), undefined)
  const before = integer(parameters.get("before"), undefined)
  if (limit === false || limit < 1 || limit > tradesPerPage) {
    return toBadRequest(`limit must be an integer from 1 to ${tradesPerPage}`)
  }
  if (after === false || before === false) return toBadRequest("after and before must be trade ids")
  const newest = view.until === undefined ? journal.last : journal.idAt(view.until)
  const rows = journal.latest(limit, { above: before, below: Math.min(after ?? newest + 1, newest + 1) })
  const first = rows[0]
  const last = rows.at(-1)
  const body = JSON.stringify(rows.map((trade) => restTrade(product, trade, view.tradeSkew?.(trade.time) ?? 0)))
  if (first === undefined || last === undefined) return { status: 200, headers: {}, body }
  return { status: 200, headers: { "cb-before": `${first.tradeId}`, "cb-after": `${last.tradeId}` }, body }
}

const candles = ({ journal, product }: Listing, parameters: URLSearchParams, view: View): RestResponse => {
  const wanted = integer(parameters.get("granularity"), 60)
  const granularity = granularities.find((known) => known === wanted)
  if (granularity === undefined) return toBadRequest("Unsupported granularity")
  const range = getRange(parameters, granularity, view)
  if (typeof range === "string") return toBadRequest(range)
  const shown =
    view.until === undefined && view.tradeSkew === undefined
      ? journal.candles(granularity, range.from, range.to)
      : journal.recount(granularity, range.from, range.to, { until: view.until, skew: view.tradeSkew })
  return { status: 200, headers: {}, body: `[${shown.map((candle) => candleText(product, candle)).join(",")}]` }
}

/** The range of candle starts in seconds, or the error message. One end without the other is ignored. */
const getRange = (parameters: URLSearchParams, granularity: Granularity, view: View) => {
  const start = seconds(parameters.get("start"))
  const end = seconds(parameters.get("end"))
  if (start === false || end === false) return "start and end must be ISO 8601 times or Unix seconds"
  if (start === undefined || end === undefined) {
    const to = Math.floor((view.now + view.timeSkew) / 1_000_000)
    return { from: (Math.floor(to / granularity) - candlesPerPage + 1) * granularity, to }
  }
  if (start > end) return "start must not be after end"
  const count = Math.floor(end / granularity) - Math.ceil(start / granularity) + 1
  if (count > candlesPerPage) {
    return `granularity too small for the requested time range. Count of aggregations requested exceeds ${candlesPerPage}`
  }
  return { from: start, to: end }
}

/** `false` is a text that is not an integer. */
const integer = <Missing extends number | undefined>(text: string | null, missing: Missing): number | Missing | false =>
  text === null ? missing : /^\d{1,15}$/.test(text) ? Number(text) : false

const seconds = (text: string | null): number | undefined | false => {
  if (text === null || text === "") return undefined
  if (/^\d{1,11}(\.\d+)?$/.test(text)) return Number(text)
  const instant = Option.getOrUndefined(DateTime.make(text))
  return instant === undefined ? false : DateTime.toEpochMillis(instant) / 1000
}

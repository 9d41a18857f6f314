import { Cex } from "@chaintape/cex"
import { Client, Market } from "@chaintape/core"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import type { ChartCandle } from "../../../src/chart/ChartCandle.ts"

export const listing = { exchange: "sandbox", market: Market.make("BTC/USD") }

/** A trade of size 1 at a time in Unix milliseconds. */
export interface Row {
  readonly id: number
  readonly at: number
}

/** A service without live streams that responds with trades of an exchange's tape, of which some may be missing. */
export interface World {
  rows: Array<Row>
  missing: (row: Row) => boolean
  readonly asked: Array<string>
  /** Whether recorded trades prove the candles. */
  isVerifiable: boolean
}

export const makeWorld = (): World => ({ rows: [], missing: () => false, asked: [], isVerifiable: true })

const priceOf = ({ id }: Row) => 100 + (id % 7)

/** The candles of all trades, in seconds. */
export const candlesOf = (rows: ReadonlyArray<Row>, length: number): ReadonlyArray<ChartCandle> => {
  const byStart = new Map<number, ReadonlyArray<number>>()
  for (const row of rows) {
    const start = Math.floor(row.at / 1000 / length) * length
    byStart.set(start, [...(byStart.get(start) ?? []), priceOf(row)])
  }
  return [...byStart].map(([start, prices]) => ({
    start,
    open: prices[0] ?? 0,
    high: Math.max(...prices),
    low: Math.min(...prices),
    close: prices.at(-1) ?? 0,
    volume: prices.length,
    isProven: true
  }))
}

const lengths = new Map([
  ["1m", 60],
  ["5m", 300],
  ["1h", 3600],
  ["1d", 86_400]
])

const span = (parameters: URLSearchParams) => {
  const [since, until] = [parameters.get("since"), parameters.get("until")]
  const limit = Number(parameters.get("limit"))
  return <A>(all: ReadonlyArray<A>, timeOf: (one: A) => number): ReadonlyArray<A> => {
    const found = all
      .filter((one) => since === null || timeOf(one) >= Number(since))
      .filter((one) => until === null || timeOf(one) <= Number(until))
    return since === null ? found.slice(-limit) : found.slice(0, limit)
  }
}

const answerOf = ({ asked, isVerifiable, missing, rows }: World, { pathname, search, searchParams }: URL) => {
  if (pathname.startsWith("/live/")) return new Response(null, { status: 404 })
  asked.push(`${pathname.split("/").at(-1)}${search}`)
  const select = span(searchParams)
  const json = (body: object, isComplete: boolean) =>
    new Response(JSON.stringify({ exchange: "sandbox", market: "BTC/USD", ...body }), {
      headers: {
        "content-type": "application/json",
        "chaintape-coverage": `${isVerifiable ? "" : "verifiable=?0, "}complete=${isComplete ? "?1" : "?0"}, from=${rows[0]?.at ?? 0}, to=${rows.at(-1)?.at ?? 0}`
      }
    })
  const [, timeframe] = /\/aggregates\/(\w+)$/.exec(pathname) ?? []
  if (timeframe !== undefined) {
    const candles = select(candlesOf(rows, lengths.get(timeframe) ?? 60), ({ start }) => start * 1000)
    const aggregates = candles.map(({ close, high, low, open, start, volume }) => ({
      t: start * 1000,
      o: open,
      h: high,
      l: low,
      c: close,
      v: volume
    }))
    return json({ timeframe, aggregates }, true)
  }
  const all = select(rows, ({ at }) => at)
  const found = all.filter((row) => !missing(row))
  const trades = found.map((row) => ({
    id: String(row.id),
    timestamp: String(row.at),
    price: priceOf(row),
    size: 1,
    cost: priceOf(row),
    side: "buy"
  }))
  return json({ trades }, found.length === all.length)
}

export const cexOf = (world: World) =>
  Cex.layerNoDeps.pipe(
    Layer.provide(Client.layerNoDeps({ baseUrl: "http://127.0.0.1:1" })),
    Layer.provide(
      Layer.succeed(
        HttpClient.HttpClient,
        HttpClient.make((request, url) => Effect.sync(() => HttpClientResponse.fromWeb(request, answerOf(world, url))))
      )
    )
  )

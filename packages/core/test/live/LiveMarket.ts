import * as Clock from "effect/Clock"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Operations from "../../src/api/CexOperations.ts"
import { Market } from "../../src/cex/Market.ts"
import type { ClientOptions } from "../../src/client/Client.ts"
import { problem, stubService } from "../client/StubService.ts"
import type { Shown } from "../stream/ModelMarket.ts"
import { eventText, liveResponse, type Wire } from "./LiveWire.ts"

export const place = { exchange: "model", market: Market.make("BTC/USD") } as const

export interface Tape {
  /** In the order of the exchange. */
  readonly shown: ReadonlyArray<Shown>
  /** The end of each live stream, in order of their start; one without an entry does not end. */
  readonly lives?: ReadonlyArray<Life>
  /** Whether the live streams send what pages already show. */
  readonly isStalled?: boolean
  readonly coverage?: string
}

/** The end of a live stream: after so many events. */
export interface Life {
  readonly events: number
  readonly end: "broken" | "closed" | "announced" | "refused" | "silent" | "page" | "unsupported"
}

const graceMs = 2000
const heartbeatMs = 15_000

const rowOf = ({ time }: Shown, index: number) => ({
  id: `t${index}`,
  timestamp: String(time),
  price: 100 + index,
  size: 1,
  cost: 100 + index,
  side: "buy"
})

/** Writes the events of the tape from a time on as the service does: in order, each once, and missing ones as a gap. */
const feed = Effect.fnUntraced(function* (wire: Wire, { isStalled, shown }: Tape, since: number, max: number) {
  let next = shown.findIndex(({ time }) => time >= since)
  if (next < 0) next = shown.length
  yield* wire.send(eventText("open", `s${since}`, { cursor: `s${since}` }))
  let quietSince = yield* Clock.currentTimeMillis
  for (let sent = 0; sent < max && !wire.isClosed();) {
    const now = yield* Clock.currentTimeMillis
    const trade = isStalled === true ? undefined : shown[next]
    if (trade !== undefined && trade.shownAt <= now) {
      yield* wire.send(eventText("trade", `a${next}`, rowOf(trade, next)))
      next++
      sent++
      quietSince = now
      continue
    }
    const later = isStalled === true ? -1 : shown.findIndex(({ shownAt }, at) => at > next && shownAt <= now)
    const due = later < 0 ? Infinity : Math.min(...shown.slice(next + 1).map(({ shownAt }) => shownAt)) + graceMs
    if (later >= 0 && now >= due) {
      const [before, after] = [shown[next - 1], shown[later]]
      const gap = { fromTime: before?.time ?? since, toTime: after?.time, missing: later - next, state: "open" }
      yield* wire.send(eventText("gap", `b${later}`, gap))
      next = later
      sent++
      continue
    }
    const changes = shown.map(({ shownAt }) => shownAt).filter((at) => at > now)
    const wait = Math.min(due - now, quietSince + heartbeatMs - now, ...changes.map((at) => at - now))
    yield* Effect.sleep(Math.max(1, wait))
    if ((yield* Clock.currentTimeMillis) - quietSince < heartbeatMs) continue
    yield* wire.send(": \n\n")
    quietSince = yield* Clock.currentTimeMillis
  }
})

/** A service with a tape, whose live streams behave as given. */
export const liveMarket = Effect.fnUntraced(function* (tape: Tape, options: Partial<ClientOptions> = {}) {
  const pages: Array<number> = []
  const lives: Array<{ readonly at: number; readonly since: number; isOpen: () => boolean }> = []

  const page = (now: number, query: URLSearchParams) => {
    pages.push(now)
    const from = Number(query.get("since"))
    const trades = tape.shown
      .map((shown, index) => ({ shown, row: rowOf(shown, index) }))
      .filter(({ shown }) => shown.shownAt <= now && shown.time >= from)
      .slice(0, Number(query.get("limit")))
      .map(({ row }) => row)
    const isComplete = !tape.shown.some(
      ({ shownAt, time }, index) =>
        time >= from && shownAt > now && tape.shown.slice(index + 1).some((later) => later.shownAt <= now)
    )
    const headers = { "chaintape-coverage": tape.coverage ?? `complete=?${isComplete ? 1 : 0}, from=${from}` }
    return Response.json({ ...place, trades }, { headers })
  }

  const live = Effect.fnUntraced(function* (now: number, query: URLSearchParams) {
    const since = Number(query.get("since"))
    const life = tape.lives?.[lives.length] ?? { events: Infinity, end: "closed" }
    if (life.end === "refused") {
      lives.push({ at: now, since, isOpen: () => false })
      return yield* problem(503, "overloaded", { retryAfterMs: 700 })
    }
    if (life.end === "unsupported") {
      lives.push({ at: now, since, isOpen: () => false })
      return yield* problem(404, "operation-not-supported", { exchange: "model" })
    }
    if (life.end === "page") {
      lives.push({ at: now, since, isOpen: () => false })
      return new Response("<p>Sign in</p>", { headers: { "content-type": "text/html" } })
    }
    const wire = liveResponse()
    lives.push({ at: now, since, isOpen: () => !wire.isClosed() })
    const feeding = Effect.gen(function* () {
      if (life.end === "silent") return
      yield* feed(wire, tape, since, life.events)
      const end = eventText("end", "", { reason: "too-slow", detail: "slow", retryAfterMs: 1000 })
      if (life.end === "announced") yield* wire.send(end)
      if (life.end === "broken") wire.fail()
      else wire.close()
    })
    yield* Effect.forkDetach(feeding)
    return wire.response
  })

  const { client, requests } = yield* stubService((_count, { at, url }) => {
    if (url.pathname === "/v2/cex/model/BTC-USD/trades") return Effect.sync(() => page(at, url.searchParams))
    if (url.pathname === "/live/cex/model/BTC-USD/trades") return live(at, url.searchParams)
    return Effect.die(new Error(`Nobody serves ${url.pathname}`))
  }, options)
  const read = (request: Parameters<typeof readTrades>[0]) => readTrades(request)
  const readTrades = (request: {
    readonly exchange: string
    readonly market: Market
    readonly since?: DateTime.Utc | undefined
    readonly limit?: number | undefined
  }) => client.call(Operations.trades, request)
  return { read, requests, pages, lives, ids: tape.shown.map((_, index) => `t${index}`) }
})

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ClientOptions } from "../../src/client/Client.ts"
import { problem, stubService } from "../client/StubService.ts"
import type { Life } from "./LiveMarket.ts"
import { eventText, liveResponse, type Wire } from "./LiveWire.ts"

/** From this time (Unix ms) on, so many of the newest blocks are replaced, and so many more exist. */
export interface Change {
  readonly at: number
  readonly depth: number
  readonly add: number
}

export interface ModelBlock {
  readonly number: number
  readonly hash: string
}

/** Blocks this many below the head are final. */
const finality = 30

export const pool = `0x${"a".repeat(40)}`

export const hashOf = (number: number, branch: number) =>
  `0x${branch.toString(16).padStart(4, "0")}${number.toString(16).padStart(4, "0")}`.padEnd(66, "0")

/** Two blocks share a second, as on fast chains. */
const secondsOf = (number: number) => Math.floor(number / 2)

const blockRow = ({ hash, number }: ModelBlock) => ({
  number: String(number),
  timestamp: String(secondsOf(number)),
  size: "1",
  gasLimit: "2",
  gasUsed: "1",
  totalDifficulty: "",
  author: hash
})

const token = (digit: string) => ({ name: digit, id: `0x${digit.repeat(40)}`, symbol: digit })

/** None, one or two in each block. */
export const swapsOf = ({ hash, number }: ModelBlock) =>
  Array.from({ length: (number * 7 + hash.length + Number.parseInt(hash.slice(2, 6), 16)) % 3 }, (_, index) => ({
    id: `${hash}#${index * 3}`,
    amount0: "1",
    amount1: "-1",
    amountUSD: "1",
    logIndex: String(index * 3),
    origin: "0x00",
    timestamp: String(secondsOf(number)),
    pool: { token0: token("1"), token1: token("2") },
    transactionId: hash,
    sender: "0x00",
    recipient: "0x00",
    sqrtPriceX96: "1"
  }))

/** As the service decodes it. */
const cursor = /^(-1|\d{1,10})-(0x[0-9a-f]{1,64})(?:-(\d{1,9}))?$/

/** The chain at a time: its blocks from 0 on. */
const chainOf = (length: number, changes: ReadonlyArray<Change>) => {
  const first = Array.from({ length }, (_, number): ModelBlock => ({ number, hash: hashOf(number, 0) }))
  const states = [{ at: 0, blocks: first }]
  for (const [index, { add, at, depth }] of changes.entries()) {
    const before = states.at(-1)?.blocks ?? first
    const kept = before.slice(0, before.length - depth)
    const grown = Array.from({ length: depth + add }, (_, next): ModelBlock => {
      const number = kept.length + next
      return { number, hash: hashOf(number, index + 1) }
    })
    states.push({ at, blocks: [...kept, ...grown] })
  }
  return (now: number) => states.findLast(({ at }) => at <= now)?.blocks ?? first
}

interface Kind {
  readonly name: string
  /** The events of a block; their ids contain its number and hash. */
  readonly events: (block: ModelBlock) => ReadonlyArray<readonly [string, object]>
}

const blocksKind: Kind = { name: "block", events: (block) => [["", blockRow(block)]] }
const swapsKind: Kind = {
  name: "swap",
  events: (block) => swapsOf(block).map((row) => [`-${row.logIndex}`, row] as const)
}

/** A chain over HTTP, with pages, and with live streams that behave as given. */
export const liveChain = Effect.fnUntraced(function* (
  {
    changes,
    isOfSubgraph = false,
    isRepeated = false,
    length = 40,
    lives = [],
    pageMs = 0,
    poolSince = 0,
    storedEvery = 1,
    youngUntil = 0
  }: {
    readonly changes: ReadonlyArray<Change>
    readonly length?: number
    readonly lives?: ReadonlyArray<Life>
    /** Whether blocks by number have no hash and no block is final, as in a subgraph. */
    readonly isOfSubgraph?: boolean
    /** Whether live streams send the events of each block twice. */
    readonly isRepeated?: boolean
    /** How long a page takes. */
    readonly pageMs?: number
    /** The block that creates the pool. */
    readonly poolSince?: number
    /** Only such multiples, and the head, are stored: others are answered as of the one before. */
    readonly storedEvery?: number
    /** Until then (Unix ms), the live streams know no final block: a reorg below what they sent is one of all blocks. */
    readonly youngUntil?: number
  },
  options: Partial<ClientOptions> = {}
) {
  const at = chainOf(length, changes)
  const opened: Array<{ readonly at: number; readonly after: string | null }> = []
  const pages: Array<string> = []

  const feed = Effect.fnUntraced(function* (wire: Wire, kind: Kind, after: string | null, max: number) {
    const start = at(yield* Clock.currentTimeMillis)
    const [, number, hash, log] = cursor.exec(after ?? `${start.length - 1}-${start.at(-1)?.hash}`) ?? []
    let trail: ReadonlyArray<ModelBlock> = [{ number: Number(number), hash: String(hash) }]
    let lastSent = log === undefined ? Infinity : Number(log)
    yield* wire.send(eventText("open", after ?? `${number}-${hash}`, {}))
    let quiet = 0
    for (let sent = 0; sent < max && !wire.isClosed();) {
      const now = yield* Clock.currentTimeMillis
      const chain = at(now)
      const place = trail.at(-1)
      if (place === undefined) return
      if (place.number >= 0 && chain[place.number]?.hash !== place.hash) {
        const common =
          trail.findLast((known) => chain[known.number]?.hash === known.hash) ??
          (now < youngUntil ? { number: -1, hash: `0x${"0".repeat(64)}` } : undefined) ??
          chain[Math.max(0, Math.min((trail[0]?.number ?? 0) - 1, chain.length - 1 - finality))]
        if (common === undefined) return
        trail = [...trail.filter((known) => known.number < common.number), common]
        lastSent = Infinity
        const data = { from: common.number + 1, commonAncestor: common }
        yield* wire.send(eventText("reorg", `${common.number}-${common.hash}`, data))
        sent++
        continue
      }
      const rest = kind.events(place).filter(([text]) => text !== "" && Number(text.slice(1)) > lastSent)
      const next = chain[place.number + 1]
      const due = rest.length > 0 ? rest : next === undefined ? [] : kind.events(next)
      const events = isRepeated ? [...due, ...due] : due
      const block = rest.length > 0 ? place : next
      if (block === undefined) {
        yield* Effect.sleep(100)
        if (++quiet % 150 === 0) yield* wire.send(": \n\n")
        continue
      }
      quiet = 0
      for (const [text, row] of events) {
        yield* wire.send(eventText(kind.name, `${block.number}-${block.hash}${text}`, row))
        sent++
        if (sent >= max) return
      }
      trail = [...trail.filter((known) => known.number < block.number), block]
      lastSent = Infinity
    }
  })

  const page = Effect.fnUntraced(function* (url: URL) {
    pages.push(url.pathname)
    yield* Effect.sleep(pageMs)
    const chain = at(yield* Clock.currentTimeMillis)
    const head = chain.length - 1
    const query = url.searchParams
    const wanted = Number(query.get("block") ?? head)
    const block = wanted < head ? wanted - (wanted % storedEvery) : wanted
    const asOf = chain[block]
    if (asOf === undefined) {
      return yield* problem(404, "block-not-found", { blockchain: "model", block: String(block), head: String(head) })
    }
    if (!url.pathname.startsWith("/v2/blocks/") && block < poolSince) {
      return yield* problem(404, "pool-not-found", { pool })
    }
    const hash = isOfSubgraph && query.has("block") ? "" : asOf.hash
    const finalized = !isOfSubgraph && block <= head - finality ? 1 : 0
    const headers = { "chaintape-as-of": `number=${block}, hash="${hash}", finalized=?${finalized}` }
    const [skip, limit] = [Number(query.get("skip") ?? 0), Number(query.get("limit"))]
    const upTo = chain.slice(0, block + 1)
    if (url.pathname.startsWith("/v2/blocks/")) {
      return Response.json(
        upTo
          .reverse()
          .slice(skip, skip + limit)
          .map(blockRow),
        { headers }
      )
    }
    const from = Number(query.get("from") ?? 0) / 1000
    const swaps = upTo
      .filter(({ number }) => number >= poolSince)
      .flatMap(swapsOf)
      .filter(({ timestamp }) => Number(timestamp) >= from)
    const sorted = query.get("orderDirection") === "asc" ? swaps : swaps.reverse()
    return Response.json({ pool, swaps: sorted.slice(skip, skip + limit) }, { headers })
  })

  const live = Effect.fnUntraced(function* (now: number, url: URL) {
    const after = url.searchParams.get("after")
    const life = lives[opened.length] ?? { events: Infinity, end: "closed" }
    opened.push({ at: now, after })
    if (after !== null && !cursor.test(after)) {
      return yield* problem(400, "invalid-parameter", { parameter: "after", reason: "is not a cursor of this stream" })
    }
    if (life.end === "refused") return yield* problem(503, "overloaded", { retryAfterMs: 700 })
    if (life.end === "unsupported") return yield* problem(404, "operation-not-supported", { exchange: "model" })
    if (life.end === "page") return new Response("<p>Sign in</p>", { headers: { "content-type": "text/html" } })
    const wire = liveResponse()
    const kind = url.pathname.startsWith("/live/blocks/") ? blocksKind : swapsKind
    const feeding = Effect.gen(function* () {
      if (life.end === "silent") return
      yield* feed(wire, kind, after, life.events)
      if (life.end === "announced")
        yield* wire.send(eventText("end", "", { reason: "closing", detail: "", retryAfterMs: 500 }))
      if (life.end === "broken") wire.fail()
      else wire.close()
    })
    yield* Effect.forkDetach(feeding)
    return wire.response
  })

  const { client, requests } = yield* stubService(
    (_count, seen) => (seen.url.pathname.startsWith("/live/") ? live(seen.at, seen.url) : page(seen.url)),
    options
  )
  return { client, requests, opened, pages, at }
})

import { kill } from "node:process"
import type { JournalTrade } from "@chaintape/sandbox"
import { assert } from "@effect/vitest"
import { Cause, Clock, Effect, Exit, Fiber, FileSystem, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { RecordingStatus } from "../../../../src/status/RecordingStatuses.ts"
import * as Database from "../../../../src/store/Database.ts"
import type { Started } from "../../../StartedProgram.ts"
import { ready, start } from "../../../StartedProgram.ts"

export const recordingKey = "chaintape_key-of-the-recording-service"

interface Addresses {
  readonly rest: string
  readonly websocket: string
}

/** A data directory with the configuration of a service that records `BTC/USD` of a sandbox exchange. */
export const configured = Effect.fnUntraced(function* ({ rest, websocket }: Addresses) {
  const files = yield* FileSystem.FileSystem
  const folder = yield* files.makeTempDirectoryScoped()
  const entry = { id: "sandbox", driver: "coinbaseexchange", rest, websocket, record: ["BTC/USD"] }
  yield* files.writeFileString(`${folder}/chaintape.config.json`, JSON.stringify({ exchanges: [entry] }))
  return {
    database: `${folder}/data/database`,
    environment: {
      CHAINTAPE_CONFIG: `${folder}/chaintape.config.json`,
      CHAINTAPE_DATA_DIR: `${folder}/data`,
      CHAINTAPE_BOOTSTRAP_KEY: recordingKey
    }
  }
})

export type Configured = Effect.Success<ReturnType<typeof configured>>

export const startService = ({ environment }: Configured) => start(environment)

/** Its address, once it responds. */
export const toOrigin = (started: Started) => Effect.map(ready(started, 60_000), ({ origin }) => origin)

export const signal = (started: Started, name: NodeJS.Signals) =>
  Effect.andThen(
    Effect.sync(() => kill(started.pid, name)),
    started.ended
  )

const Status = Schema.Struct({ recordings: Schema.Tuple([RecordingStatus]) })
const decodeStatus = Schema.decodeUnknownSync(Schema.fromJsonString(Status))

const Answer = Schema.fromJsonString(
  Schema.Struct({ trades: Schema.Array(Schema.Struct({ id: Schema.String, price: Schema.Finite })) })
)
const decodeAnswer = Schema.decodeUnknownSync(Answer)

export const readStatus = Effect.fnUntraced(function* (origin: string) {
  const text = yield* Effect.promise(async () => await (await fetch(`${origin}/status`)).text())
  return decodeStatus(text).recordings[0]
})

/** The latest trades, with their headers; none if the service rejects the request. */
export const readTrades = Effect.fnUntraced(function* (origin: string, limit: number) {
  const response = yield* Effect.promise(() =>
    fetch(`${origin}/v2/cex/sandbox/BTC-USD/trades?limit=${limit}`, { headers: { "api-key": recordingKey } })
  )
  const text = yield* Effect.promise(() => response.text())
  if (response.status !== 200) {
    assert.include([502, 503, 504], response.status, text)
    return undefined
  }
  return {
    trades: decodeAnswer(text).trades,
    source: response.headers.get("chaintape-source") ?? "",
    coverage: response.headers.get("chaintape-coverage") ?? ""
  }
})

const decodeLast = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ id: Schema.String })))

/** The id of the last trade. */
export const readLast = Effect.fnUntraced(function* (origin: string) {
  const response = yield* Effect.promise(() =>
    fetch(`${origin}/v2/cex/sandbox/BTC-USD/lasttrade`, { headers: { "api-key": recordingKey } })
  )
  return decodeLast(yield* Effect.promise(() => response.text())).id
})

const Row = Schema.Struct({
  sequence: Schema.Int,
  timestamp: Schema.Int,
  id: Schema.String,
  price: Schema.String,
  size: Schema.String,
  buy: Schema.Boolean
})
export type StoredRow = typeof Row.Type

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))
const Interval = Schema.Struct({ from: Schema.Int, to: Schema.Int })
const decodeIntervals = Schema.decodeUnknownEffect(Schema.Array(Interval))
const Kinds = Schema.Array(Schema.Struct({ kind: Schema.String, count: Schema.Int }))
const decodeKinds = Schema.decodeUnknownEffect(Kinds)

interface StoredTape {
  readonly rows: ReadonlyArray<StoredRow>
  readonly coverage: ReadonlyArray<typeof Interval.Type>
  /** The number of events of each kind. */
  readonly events: Readonly<Record<string, number>>
}

const readTape = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows: Array<StoredRow> = []
  for (;;) {
    const page = yield* Effect.flatMap(
      sql`select sequence::float8 as sequence, timestamp::float8 as timestamp, id, price::text as price,
          size::text as size, is_buy as buy
        from tape_trade where sequence > ${rows.at(-1)?.sequence ?? -1}::bigint order by sequence limit 20000`,
      decodeRows
    )
    if (page.length === 0) break
    rows.push(...page)
  }
  const coverage = yield* Effect.flatMap(
    sql`select from_sequence::float8 as from, to_sequence::float8 as to from tape_coverage order by 1`,
    decodeIntervals
  )
  const events = yield* Effect.flatMap(
    sql`select kind, count(*)::int as count from tape_event group by kind order by kind`,
    decodeKinds
  )
  return { rows, coverage, events: Object.fromEntries(events.map(({ count, kind }) => [kind, count])) }
})

/** The tape of a stopped service. */
export const storedTape = ({ database }: Configured): Effect.Effect<StoredTape> =>
  readTape.pipe(Effect.provide(Database.layer({ url: undefined, dataDir: database })), Effect.scoped, Effect.orDie)

/** A trade as the tape must hold it, given the error of the exchange's clock in milliseconds. */
const expected = ({ price, side, size, time, trade_id }: JournalTrade, skewMs: number): StoredRow => ({
  sequence: trade_id,
  timestamp: Math.floor(Date.parse(`${time.slice(0, 23)}Z`)) + skewMs,
  id: `${trade_id}`,
  price,
  size,
  buy: side === "sell"
})

/** Compares trade by trade and digit by digit. From `skewedFrom` on (Unix ms, approximately) the clock is wrong. */
export const assertEqualTape = (
  rows: ReadonlyArray<StoredRow>,
  journal: ReadonlyArray<JournalTrade>,
  skew: { readonly from: number; readonly to: number; readonly milliseconds: number }
): void => {
  const truth = new Map(journal.map((trade) => [trade.trade_id, trade]))
  for (const row of rows) {
    const trade = truth.get(row.sequence)
    if (trade === undefined) return assert.fail(`The exchange knows no trade ${row.sequence}.`)
    const plain = expected(trade, 0)
    const skewed = expected(trade, skew.milliseconds)
    const right = plain.timestamp < skew.from ? plain : plain.timestamp > skew.to ? skewed : undefined
    if (right !== undefined) assert.deepStrictEqual(row, right)
    else assert.deepInclude([plain, skewed], row)
  }
}

export interface Seen {
  /** Status samples, and those of them that showed a gap. */
  statuses: number
  withGaps: number
  mostMissing: number
  /** Responses by their coverage. */
  complete: number
  incomplete: number
  refused: number
  answers: number
  /** The price of every trade that was served as proven. */
  readonly prices: Map<number, number>
  /** False claims. */
  readonly wrong: Array<string>
}

const toHoles = (ids: ReadonlyArray<number>): ReadonlyArray<readonly [number, number]> =>
  ids.flatMap((id, at) => {
    const before = ids[at - 1]
    return before === undefined || id === before + 1 ? [] : [[before + 1, id - 1] as const]
  })

/** Checks status and responses alternately, and asserts that what is missing is reported. Never ends. */
export const watch = (origin: () => string | undefined) => {
  const seen: Seen = {
    statuses: 0,
    withGaps: 0,
    mostMissing: 0,
    complete: 0,
    incomplete: 0,
    refused: 0,
    answers: 0,
    prices: new Map(),
    wrong: []
  }
  let before: ReadonlyArray<readonly [number, number]> = []

  const look = Effect.gen(function* () {
    const at = origin()
    if (at === undefined) return
    const status = yield* readStatus(at)
    seen.statuses++
    if (status.gapCount > 0) seen.withGaps++
    seen.mostMissing = Math.max(seen.mostMissing, status.missing)
    if (status.state === "live" && status.gaps.some(({ state }) => state === "open")) seen.wrong.push("live with a gap")
    const answer = yield* readTrades(at, 5000)
    seen.answers++
    if (answer === undefined) {
      seen.refused++
      before = []
      return
    }
    const ids = answer.trades.map(({ id }) => Number(id)).toSorted((one, other) => one - other)
    const holes = toHoles(ids)
    if (answer.coverage.includes("complete=?1")) {
      seen.complete++
      if (holes.length > 0) seen.wrong.push(`${answer.coverage} (${answer.source}) without ${JSON.stringify(holes)}`)
      for (const { id, price } of answer.trades) seen.prices.set(Number(id), price)
    } else {
      seen.incomplete++
    }
    // The status in between had to show the trades that are missing now and were missing in the previous response.
    for (const [from, to] of holes) {
      const lasted = before.some((hole) => hole[0] <= from && to <= hole[1])
      const shown = status.gapCount > 20 || status.gaps.some((gap) => gap.from <= from && to <= gap.to)
      if (lasted && !shown) seen.wrong.push(`${from} to ${to} was hidden while ${status.state}`)
    }
    before = holes
  }).pipe(
    // A service that was just killed does not respond.
    Effect.catchDefect((defect) => (defect instanceof TypeError ? Effect.void : Effect.die(defect)))
  )
  return { seen, run: Effect.forever(Effect.andThen(look, Effect.sleep("100 millis"))) }
}

/** Polls until a condition holds. */
export const waitFor = Effect.fnUntraced(function* <A>(
  what: string,
  look: Effect.Effect<A | undefined>,
  withinMs: number
) {
  const begun = yield* Clock.currentTimeMillis
  for (;;) {
    const found = yield* look
    if (found !== undefined) return found
    if ((yield* Clock.currentTimeMillis) - begun > withinMs)
      return yield* Effect.die(new Error(`${withinMs} ms were not enough for ${what}`))
    yield* Effect.sleep("50 millis")
  }
})

/** Ends the check, and fails with its failure. */
export const stopWatching = Effect.fnUntraced(function* (watcher: Fiber.Fiber<never>) {
  yield* Fiber.interrupt(watcher)
  const exit = yield* Fiber.await(watcher)
  if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) return yield* exit
})

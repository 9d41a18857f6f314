import { createHash } from "node:crypto"
import type { Hash } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { minuteMs } from "../../../src/cex/tape/ledger/Minutes.ts"
import * as SqlTape from "../../../src/cex/tape/store/SqlTape.ts"
import * as SqlTapeReads from "../../../src/cex/tape/store/SqlTapeReads.ts"
import { Tape } from "../../../src/cex/tape/Tape.ts"
import type { TapeTrade } from "../../../src/cex/tape/Tape.ts"
import * as ExactDecimal from "../../../src/internal/ExactDecimal.ts"
import * as Database from "../../../src/store/Database.ts"
import { store } from "../../cex/tape/store/TapeStores.ts"
import { leaseInStore } from "../../ownership/TestLease.ts"
import type { DumpWorld } from "./DumpWorld.ts"

const exchange = "binance"
const market = "BTC/USDT"
const hourMs = 3_600_000

/** The store of a data directory. */
const stored = (dataDir: string) =>
  Layer.mergeAll(SqlTape.layer, SqlTapeReads.layer, leaseInStore).pipe(
    Layer.provideMerge(Database.layer({ url: undefined, dataDir: `${dataDir}/database` }))
  )

/** Records trades of the journal before anything is imported. */
export const record = (dataDir: string, world: DumpWorld) =>
  Effect.gen(function* () {
    yield* store(exchange, market, world.recording)
    yield* (yield* Tape).open(exchange, market, "sequence", 0)
  }).pipe(Effect.provide(stored(dataDir)), Effect.scoped)

/** Has another import take over from every import that begins. */
export const takeOver = (dataDir: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.andThen(
      sql`create function take_over() returns trigger language plpgsql as 'begin
        update ownership_lease set epoch = epoch + 1 where name = new.name; return null; end'`,
      sql`create trigger take_over after insert on ownership_lease for each row execute function take_over()`
    )
  ).pipe(Effect.provide(stored(dataDir)), Effect.scoped)

/** Drops the trades before a time, as the retention of the service does. */
export const dropBefore = (dataDir: string, time: number) =>
  Effect.flatMap(Tape, (tape) => tape.dropBefore(time)).pipe(Effect.provide(stored(dataDir)), Effect.scoped)

const Digests = Schema.Array(Schema.Struct({ start: Schema.Int, count: Schema.Int, digest: Schema.String }))
const decodeDigests = Schema.decodeUnknownEffect(Digests)

/** A minute while its trades arrive in order. */
interface Minute {
  readonly start: number
  readonly open: string
  high: string
  low: string
  close: string
  volume: string
  trades: number
}

const toMinuteText = ({ close, high, low, open, start, trades, volume }: Minute) =>
  `${start} ${open} ${high} ${low} ${close} ${volume} ${trades}`

/** Digests of the texts of each hour, which come in order: their memory does not grow with the texts. */
const makeDigests = () => {
  const hours: Array<{ readonly start: number; count: number; readonly hash: Hash }> = []
  return {
    add: (time: number, text: string) => {
      const start = Math.floor(time / hourMs) * hourMs
      let hour = hours.at(-1)
      if (hour?.start !== start) hours.push((hour = { start, count: 0, hash: createHash("md5") }))
      hour.hash.update(hour.count === 0 ? text : `,${text}`)
      hour.count += 1
    },
    end: () => hours.map(({ count, hash, start }) => ({ start, count, digest: hash.digest("hex") }))
  }
}

/** The digests that the tape must have: of the trades and of the minutes of each hour. */
const digestsOf = (trades: Iterable<TapeTrade>) => {
  const rows = makeDigests()
  const minutes = makeDigests()
  let minute: Minute | undefined
  const close = () => minute !== undefined && minutes.add(minute.start, toMinuteText(minute))
  for (const { price, sequence, side, size, timestamp } of trades) {
    rows.add(timestamp, `${sequence} ${timestamp} ${price} ${size} ${side === "buy"}`)
    const start = Math.floor(timestamp / minuteMs) * minuteMs
    if (minute?.start === start) {
      if (ExactDecimal.compare(price, minute.high) > 0) minute.high = price
      if (ExactDecimal.compare(price, minute.low) < 0) minute.low = price
      minute.close = price
      minute.volume = ExactDecimal.add(minute.volume, size)
      minute.trades += 1
    } else {
      close()
      minute = { start, open: price, high: price, low: price, close: price, volume: size, trades: 1 }
    }
  }
  close()
  return { trades: rows.end(), minutes: minutes.end() }
}

/** Asserts that the tape holds exactly these trades, their coverage and their minutes. */
export const assertTape = (
  dataDir: string,
  trades: Iterable<TapeTrade>,
  coverage: ReadonlyArray<readonly [from: number, to: number]>
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const series = Option.getOrThrow(yield* (yield* Tape).find(exchange, market))
    assert.deepStrictEqual(
      series.coverage.map(({ from, to }) => [from, to]),
      coverage.map((interval) => [...interval])
    )
    const expected = digestsOf(trades)
    const rows = yield* Effect.flatMap(
      sql`select (timestamp / ${hourMs}::bigint * ${hourMs}::bigint)::float8 as start, count(*)::float8 as count,
          md5(string_agg(sequence || ' ' || timestamp || ' ' || price || ' ' || size || ' ' || is_buy, ','
            order by timestamp, sequence)) as digest
        from tape_trade where series = ${series.id}::int group by 1 order by 1`,
      decodeDigests
    )
    assert.deepStrictEqual(rows, expected.trades)
    const minutes = yield* Effect.flatMap(
      sql`select (start / ${hourMs}::bigint * ${hourMs}::bigint)::float8 as start, count(*)::float8 as count,
          md5(string_agg(start || ' ' || open || ' ' || high || ' ' || low || ' ' || close || ' ' || volume || ' ' || trades,
            ',' order by start)) as digest
        from tape_minute where series = ${series.id}::int group by 1 order by 1`,
      decodeDigests
    )
    assert.deepStrictEqual(minutes, expected.minutes)
  }).pipe(Effect.provide(stored(dataDir)), Effect.scoped)

const decodeConflicts = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ sequence: Schema.Int })))

/** The ids of the trades of which the tape states that a file has them differently. */
export const findConflicts = (dataDir: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`select from_sequence::float8 as sequence from tape_event where kind = 'conflict'`
    return (yield* decodeConflicts(rows)).map(({ sequence }) => sequence)
  }).pipe(Effect.provide(stored(dataDir)), Effect.scoped)

/** The runs of ids of a journal without its holes. */
export const toRuns = (
  from: number,
  to: number,
  holes: ReadonlyArray<{ readonly from: number; readonly to: number }>
): ReadonlyArray<readonly [number, number]> => {
  const ascending = holes.toSorted((one, other) => one.from - other.from)
  return [...ascending, { from: to + 1, to: to + 1 }].map(
    (hole, at) => [(ascending[at - 1]?.to ?? from - 1) + 1, hole.from - 1] as const
  )
}

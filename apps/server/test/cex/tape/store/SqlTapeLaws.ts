import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import type { Vitest } from "@effect/vitest"
import { Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { withTrades } from "../../../../src/cex/tape/ledger/Coverage.ts"
import * as SqlTape from "../../../../src/cex/tape/store/SqlTape.ts"
import * as SqlTapeIncidents from "../../../../src/cex/tape/store/SqlTapeIncidents.ts"
import { Tape } from "../../../../src/cex/tape/Tape.ts"
import type { Series, TapeEvent, TapeTrade } from "../../../../src/cex/tape/Tape.ts"
import type { Lease } from "../../../../src/ownership/Lease.ts"
import { RecordingIncidents } from "../../../../src/status/Incidents.ts"
import { isLockTimeout } from "../../../../src/store/LockTimeout.ts"
import * as World from "./SqlTapeWorld.ts"

type TapeOf = typeof Tape.Service

/** As after a start of the process. */
const freshTape = Effect.gen(function* () {
  return yield* Tape
}).pipe(Effect.provide(Layer.fresh(SqlTape.layer)))

const newMarket = () => `${randomUUID()}/USD`

export const begin = Effect.fnUntraced(function* (market = newMarket()) {
  const tape = yield* freshTape
  return { tape, market, series: yield* tape.open("sandbox", market, "sequence", null) }
})

export const append = Effect.fnUntraced(function* (
  tape: TapeOf,
  series: Series,
  trades: ReadonlyArray<TapeTrade>,
  events: ReadonlyArray<TapeEvent> = []
) {
  const coverage = withTrades(series.coverage, trades)
  const version = yield* tape.append(series.id, { version: series.version, trades, coverage, events })
  return { ...series, version, coverage }
})

/** The incidents of all tapes. */
const newestIncidents = Effect.gen(function* () {
  const { newest } = yield* RecordingIncidents
  return yield* newest(100)
}).pipe(Effect.provide(Layer.fresh(SqlTapeIncidents.layer)))

/** Every row of a series. */
export const dump = Effect.fnUntraced(function* (series: number) {
  const sql = yield* SqlClient.SqlClient
  return {
    trades: yield* sql`select timestamp::float8, sequence::float8, id, price::text, size::text,
        case when is_buy then 'buy' else 'sell' end as side, received_at::float8 as "receivedAt"
      from tape_trade where series = ${series} order by timestamp, sequence`,
    coverage: yield* sql`select from_sequence::float8 as from, to_sequence::float8 as to,
        from_time::float8 as "fromTime", to_time::float8 as "toTime"
      from tape_coverage where series = ${series} order by from_sequence`,
    minutes:
      yield* sql`select start::float8, open::text, open_time::float8, open_sequence::float8, high::text, low::text,
        close::text, close_time::float8, close_sequence::float8, volume::text, trades::float8
      from tape_minute where series = ${series} order by start`,
    events: yield* sql`select at::float8, kind, from_sequence::float8 as from, to_sequence::float8 as to, detail
      from tape_event where series = ${series} order by id`
  }
})

const row = ({ cost: _, ...trade }: TapeTrade) => trade

const plain = (rows: ReadonlyArray<object>) => rows.map((one) => ({ ...one }))

export const holds = Effect.fnUntraced(function* (series: number, model: ReturnType<typeof World.makeModel>) {
  const { coverage, minutes, trades } = yield* dump(series)
  assert.deepStrictEqual<unknown>(plain(trades).map(sorted), model.trades().map(row).map(sorted))
  assert.deepStrictEqual<unknown>(plain(coverage), model.coverage())
  assert.deepStrictEqual<unknown>(plain(minutes), model.minutes())
})

const sorted = (one: object) => Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Days are dropped for all series at once. */
const clean = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tape = yield* freshTape
  yield* tape.dropBefore(World.dayStart(1000))
  for (const table of ["tape_series", "tape_coverage", "tape_minute", "tape_event"])
    yield* sql`delete from ${sql(table)}`
})

const event = (detail: string): TapeEvent => ({ at: World.dayStart(0), kind: "gap", from: 3, to: undefined, detail })

const lawOfHistories = Effect.fnUntraced(function* (history: typeof World.History.Type) {
  yield* clean
  const sql = yield* SqlClient.SqlClient
  const model = World.makeModel()
  let { market, series, tape } = yield* begin()
  const restart = Effect.gen(function* () {
    ;({ series, tape } = yield* begin(market))
    assert.deepStrictEqual(series.coverage, model.coverage())
  })
  for (const step of history) {
    if (step.kind === "restart") {
      yield* restart
    } else if (step.kind === "drop") {
      const time = World.dayStart(step.day) + 5000
      assert.strictEqual(yield* tape.dropBefore(time), model.dropDaysBefore(step.day))
      yield* restart
    } else {
      const trades = World.toTrades(step.trades)
      if (step.ends === "well") {
        series = yield* append(tape, series, trades)
        model.add(trades)
      } else if (step.ends === "badly") {
        const broken = [...trades, { ...World.plainTrade(41), receivedAt: 0.5 }]
        const result = yield* Effect.result(append(tape, series, broken, [event("broken")]))
        assert.strictEqual(Result.isFailure(result) && result.failure._tag, "SqlError")
      } else {
        const killed = Effect.andThen(append(tape, series, trades, [event("killed")]), Effect.fail("killed" as const))
        assert.strictEqual(yield* Effect.flip(sql.withTransaction(killed)), "killed")
        yield* restart
      }
    }
    assert.strictEqual((yield* dump(series.id)).trades.length, model.trades().length)
    assert.deepStrictEqual(yield* tape.find("sandbox", market), Option.some(series))
  }
  yield* holds(series.id, model)
  assert.deepStrictEqual((yield* dump(series.id)).events, [])
})

/** The laws of every history of a recording. */
export const tapeLaws = (it: Vitest.MethodsNonLive<Lease | SqlClient.SqlClient>): void => {
  it.effect.prop(
    "after any history the rows are all trades that arrived, and coverage and minutes follow from them",
    [World.History],
    ([history]) => lawOfHistories(history),
    { arbitrary: { runs: 40 }, timeout: 180_000 }
  )

  it.effect.prop(
    "the order and the splits in which trades arrive change nothing",
    [World.History, World.History],
    ([one, other]) =>
      Effect.gen(function* () {
        yield* clean
        const all = World.toTrades([...one, ...other].flatMap((step) => (step.kind === "trades" ? step.trades : [])))
        const forth = yield* begin()
        yield* append(forth.tape, forth.series, all)
        const back = yield* begin()
        let series = back.series
        for (let end = all.length; end > 0; end -= 3) {
          series = yield* append(back.tape, series, all.slice(Math.max(0, end - 3), end).reverse())
        }
        assert.deepStrictEqual(yield* dump(series.id), yield* dump(forth.series.id))
      }),
    { arbitrary: { runs: 25 }, timeout: 120_000 }
  )

  it.effect("the incidents are the newest events of all tapes, except that trades arrive", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* begin(), yield* begin()]
      const event = (kind: TapeEvent["kind"], at: number): TapeEvent => ({
        at,
        kind,
        from: undefined,
        to: undefined,
        detail: `${kind} at ${at}`
      })
      yield* append(one.tape, one.series, [World.plainTrade(1)], [event("disconnected", 1), event("connected", 2)])
      yield* append(other.tape, other.series, [World.plainTrade(1)], [event("gap", 3), event("backfilled", 4)])
      const found = (yield* newestIncidents).slice(0, 3)
      const [first, second] = [`sandbox ${one.market}`, `sandbox ${other.market}`]
      assert.deepStrictEqual(found, [
        { at: 4, subject: second, kind: "backfilled", detail: "backfilled at 4" },
        { at: 3, subject: second, kind: "gap", detail: "gap at 3" },
        { at: 1, subject: first, kind: "disconnected", detail: "disconnected at 1" }
      ])
    })
  )

  it.effect("digits come back as they were written", () =>
    Effect.gen(function* () {
      const { series, tape } = yield* begin()
      const decimals = ["0.000000000000000001", "123456789012345678901234567890", "1", "0.1", "100", "99999.00000001"]
      const trades = decimals.map((text, at) => ({ ...World.plainTrade(at), price: text, size: text }))
      yield* append(tape, series, trades)
      const rows = yield* dump(series.id)
      assert.deepStrictEqual(
        rows.trades.map(({ price, size }) => [price, size]),
        decimals.map((text) => [text, text])
      )
      assert.strictEqual(rows.minutes[0]?.["volume"], "123456789012345678901234667990.100000010000000001")
    })
  )

  it.effect("a trade whose sequence is stored already changes nothing, not even with another time", () =>
    Effect.gen(function* () {
      const { series, tape } = yield* begin()
      const first = yield* append(tape, series, [World.plainTrade(1), World.plainTrade(2)])
      const before = yield* dump(series.id)
      const again = [World.plainTrade(2, World.dayStart(2)), { ...World.plainTrade(1), price: "7" }]
      yield* append(tape, first, again)
      assert.deepStrictEqual(yield* dump(series.id), before)
    })
  )

  it.effect("of two writers with the same version one writes, and the other continues from the stored state", () =>
    Effect.gen(function* () {
      const market = newMarket()
      const writers = yield* Effect.all([begin(market), begin(market)])
      const results = yield* Effect.forEach(
        writers,
        ({ series, tape }, at) =>
          Effect.result(append(tape, series, [World.plainTrade(10 * at), World.plainTrade(10 * at + 1)])),
        { concurrency: 2 }
      )
      const [lost] = results.flatMap((result) => (Result.isFailure(result) ? [result.failure] : []))
      assert.strictEqual(results.filter(Result.isSuccess).length, 1)
      assert.strictEqual(lost?._tag, "TapeConflictError")
      const next = yield* begin(market)
      assert.strictEqual(next.series.coverage.length, 1)
      yield* append(next.tape, next.series, [
        World.plainTrade(0),
        World.plainTrade(1),
        World.plainTrade(10),
        World.plainTrade(11)
      ])
      const model = World.makeModel()
      model.add([0, 1, 10, 11].map((sequence) => World.plainTrade(sequence)))
      yield* holds(next.series.id, model)
    })
  )

  it.effect("many writers of one series, each of which opens it again after a conflict, lose and repeat nothing", () =>
    Effect.gen(function* () {
      const market = newMarket()
      const model = World.makeModel()
      const insist = (trades: ReadonlyArray<TapeTrade>) =>
        Effect.retry(
          Effect.flatMap(begin(market), ({ series, tape }) => append(tape, series, trades)),
          { while: ({ _tag }) => _tag === "TapeConflictError" }
        )
      yield* Effect.forEach(
        Array.from({ length: 12 }, (_, at) => at),
        (writer) => {
          const trades = Array.from({ length: 30 }, (_, at) => World.plainTrade(writer * 17 + at))
          model.add(trades)
          return insist(trades)
        },
        { concurrency: "unbounded", discard: true }
      )
      const { series } = yield* begin(market)
      yield* holds(series.id, model)
    })
  )

  it.effect("writers of many series begin the same new days at once, while old days are dropped", () =>
    Effect.gen(function* () {
      yield* clean
      const models = yield* Effect.forEach(
        Array.from({ length: 8 }, (_, at) => at),
        Effect.fnUntraced(function* (market) {
          const model = World.makeModel()
          let { series, tape } = yield* begin(`M${market}/USD`)
          for (let day = 20; day < 26; day++) {
            const trades = [0, 1, 2].map((at) => World.plainTrade(day * 10 + at, World.dayStart(day) + at))
            model.add(trades)
            series = yield* append(tape, series, trades)
            yield* Effect.retry(tape.dropBefore(World.dayStart(10)), { while: isLockTimeout, times: 20 })
          }
          return { model, series }
        }),
        { concurrency: "unbounded" }
      )
      for (const { model, series } of models) yield* holds(series.id, model)
    })
  )

  it.effect("an append after days of the series were dropped fails with that reason", () =>
    Effect.gen(function* () {
      yield* clean
      const { market, series, tape } = yield* begin()
      const events = [event("old"), { ...event("new"), at: World.dayStart(1) }]
      const trades = [World.plainTrade(1, World.dayStart(0)), World.plainTrade(2, World.dayStart(1))]
      const stored = yield* append(tape, series, trades, events)
      assert.strictEqual(yield* tape.dropBefore(World.dayStart(1) - 1), 0)
      assert.strictEqual(yield* tape.dropBefore(World.dayStart(1)), 1)
      assert.deepStrictEqual(
        (yield* dump(series.id)).events.map(({ detail }) => detail),
        ["new"]
      )
      const result = yield* Effect.result(append(tape, stored, [World.plainTrade(3, World.dayStart(1))]))
      assert.strictEqual(Result.isFailure(result) && result.failure._tag, "TapeConflictError")
      const next = yield* begin(market)
      assert.deepStrictEqual(next.series.coverage, [
        { from: 2, to: 2, fromTime: World.dayStart(1), toTime: World.dayStart(1) }
      ])
      const before = (yield* dump(series.id)).minutes
      assert.strictEqual(before.length, 2)
      yield* append(next.tape, next.series, [World.plainTrade(1, World.dayStart(0))])
      assert.deepStrictEqual((yield* dump(series.id)).minutes, before)
    })
  )

  it.effect("a day that another process dropped is created again", () =>
    Effect.gen(function* () {
      yield* clean
      const { market, series, tape } = yield* begin()
      const stored = yield* append(tape, series, [World.plainTrade(1)])
      const other = yield* freshTape
      assert.strictEqual(yield* other.dropBefore(World.dayStart(1)), 1)
      assert.strictEqual((yield* Effect.flip(append(tape, stored, [World.plainTrade(2)])))._tag, "TapeConflictError")
      const again = yield* tape.open("sandbox", market, "sequence", null)
      yield* append(tape, again, [World.plainTrade(2)])
      assert.strictEqual((yield* dump(series.id)).trades.length, 1)
    })
  )

  it.effect("a coverage that is not that of the trades is a defect, and nothing is written", () =>
    Effect.gen(function* () {
      const { series, tape } = yield* begin()
      const change = { version: series.version, trades: [World.plainTrade(1)], coverage: [], events: [event("no")] }
      const exit = yield* Effect.exit(tape.append(series.id, change))
      assert.strictEqual(exit._tag, "Failure")
      assert.deepStrictEqual(yield* dump(series.id), { trades: [], coverage: [], minutes: [], events: [] })
      assert.deepStrictEqual((yield* begin(series.market)).series, series)
    })
  )

  it.effect("events are stored with the trades that they are about", () =>
    Effect.gen(function* () {
      const { series, tape } = yield* begin()
      const events = [event("one"), { ...event("two"), from: undefined, to: 9 }, event("three")]
      yield* append(tape, series, [], events)
      assert.deepStrictEqual<unknown>(
        plain((yield* dump(series.id)).events),
        events.map(({ from, to, ...one }) => ({ ...one, from: from ?? null, to: to ?? null }))
      )
    })
  )

  it.effect("a series stores the first id that was set last, and retains it when trades are appended", () =>
    Effect.gen(function* () {
      const { market, series, tape } = yield* begin()
      const sql = yield* SqlClient.SqlClient
      assert.isNull(series.firstId)
      const opened = yield* SqlTape.openSeries(sql, "sandbox", market, "sequence", 1)
      assert.deepStrictEqual(opened, { ...series, firstId: 1 })
      yield* append(tape, opened, [World.plainTrade(1)])
      assert.strictEqual((yield* SqlTape.openSeries(sql, "sandbox", market, "sequence", 0)).firstId, 0)
      assert.strictEqual(Option.getOrUndefined(yield* tape.find("sandbox", market))?.firstId, 0)
      assert.strictEqual(
        (yield* Effect.exit(SqlTape.openSeries(sql, "sandbox", market, "overlap", null)))._tag,
        "Failure"
      )
      assert.strictEqual(Option.getOrUndefined(yield* tape.find("sandbox", market))?.firstId, 0)
    })
  )

  it.effect("a market whose name the database cannot store is not found", () =>
    Effect.gen(function* () {
      const { tape } = yield* begin()
      assert.deepStrictEqual(yield* tape.find("sandbox", "X\0/USD"), Option.none())
    })
  )

  it.effect("a series without trades can change its continuity, another one cannot", () =>
    Effect.gen(function* () {
      const { market, series, tape } = yield* begin()
      assert.deepStrictEqual(yield* tape.find("sandbox", newMarket()), Option.none())
      assert.strictEqual((yield* tape.open("sandbox", market, "overlap", null)).continuity, "overlap")
      const again = yield* tape.open("sandbox", market, "sequence", null)
      assert.deepStrictEqual(again, series)
      yield* append(tape, again, [World.plainTrade(1)])
      assert.strictEqual((yield* Effect.exit(tape.open("sandbox", market, "overlap", null)))._tag, "Failure")
      assert.strictEqual((yield* tape.open("sandbox", market, "sequence", null)).id, series.id)
    })
  )
}

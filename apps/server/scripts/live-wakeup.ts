/**
 * Compares two ways to wake the readers of another instance: polling the store every 100 ms, and PostgreSQL
 * notifications.
 */
import { loadavg } from "node:os"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Context, Effect, Fiber, Layer, Queue, Redacted } from "effect"
import { SqlClient } from "effect/sql"

const percentile = (values: ReadonlyArray<number>, part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0
const median = (values: ReadonlyArray<number>): number => percentile(values, 0.5)

const seconds = Number(process.env["BENCH_SECONDS"] ?? 10)
const writesPerSecond = 20
const schema = `live_wakeup_${process.pid}`

/** A transaction like that of a recording: it increments the version of a series, and inserts trades. */
const write = (notified: boolean, series: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const begun = performance.now()
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`update ${sql(schema)}.series set version = version + 1 where id = ${series}`
        yield* sql`insert into ${sql(schema)}.trade (series, at) select ${series}, now() from generate_series(1, 3)`
        if (notified) yield* sql`select pg_notify(${schema}, ${String(series)})`
      })
    )
    return { took: performance.now() - begun, at: performance.now() }
  })

const look = (series: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ version: number }>`select version::int as version from ${sql(schema)}.series where id = ${series}`
  ).pipe(Effect.map(([row]) => row?.version ?? 0))

const told = (what: string, delays: ReadonlyArray<number>, writes: ReadonlyArray<number>, looks: number) =>
  console.log(
    `  ${what}: commit to knowledge median ${median(delays).toFixed(1)} ms, p99 ${percentile(delays, 0.99).toFixed(1)} ms; ` +
      `a write takes ${median(writes).toFixed(2)} ms, p99 ${percentile(writes, 0.99).toFixed(1)} ms; ${(looks / seconds).toFixed(0)} ` +
      `questions/s; load ${(loadavg()[0] ?? 0).toFixed(1)}`
  )

/** One writer and one reader, each with its own connections. `wait` completes when the reader should poll. */
const measure = Effect.fnUntraced(function* (
  what: string,
  notified: boolean,
  writer: PgClient.PgClient,
  wait: Effect.Effect<void>
) {
  const commits = new Map<number, number>()
  const delays: Array<number> = []
  const writes: Array<number> = []
  let known = yield* look(1)
  let looks = 0
  const reading = yield* Effect.forkChild(
    Effect.forever(
      Effect.gen(function* () {
        const version = yield* look(1)
        looks++
        const now = performance.now()
        for (let one = known + 1; one <= version; one++) {
          const at = commits.get(one)
          if (at !== undefined) delays.push(Math.max(0, now - at))
        }
        known = version
        yield* wait
      })
    )
  )
  let version = known
  for (let count = 0; count < seconds * writesPerSecond; count++) {
    const { at, took } = yield* Effect.provideService(write(notified, 1), SqlClient.SqlClient, writer)
    commits.set(++version, at)
    writes.push(took)
    yield* Effect.sleep(1000 / writesPerSecond)
  }
  yield* Effect.sleep("300 millis")
  yield* Fiber.interrupt(reading)
  told(what, delays, writes, looks)
})

/** Concurrent writers of many markets: a notifying transaction takes one lock of the whole server at its commit. */
const crowd = Effect.fnUntraced(function* (notified: boolean, writer: PgClient.PgClient) {
  const writers = 8
  const each = 150
  const begun = performance.now()
  yield* Effect.forEach(
    Array.from({ length: writers }, (_, at) => at + 1),
    (series) =>
      Effect.forEach(Array.from({ length: each }), () =>
        Effect.provideService(write(notified, series), SqlClient.SqlClient, writer)
      ),
    { concurrency: writers }
  )
  return (writers * each) / ((performance.now() - begun) / 1000)
})

const program = (url: string) =>
  Effect.gen(function* () {
    const reader = yield* PgClient.PgClient
    const ofWriter = yield* Layer.build(Layer.fresh(PgClient.layer({ url: Redacted.make(url), maxConnections: 8 })))
    const writer = Context.get(ofWriter, PgClient.PgClient)
    const sql = yield* SqlClient.SqlClient
    yield* Effect.acquireRelease(sql`create schema ${sql(schema)}`, () =>
      Effect.orDie(sql`drop schema ${sql(schema)} cascade`)
    )
    yield* sql`create table ${sql(schema)}.series (id int primary key, version bigint not null)`
    yield* sql`create table ${sql(schema)}.trade (series int not null, at timestamptz not null)`
    yield* sql`insert into ${sql(schema)}.series select n, 0 from generate_series(1, 8) as n`
    const heard = yield* reader.listen(schema)
    console.log(`\nWake-up\n  ${writesPerSecond} writes/s of one market, ${seconds} s each`)
    yield* measure("asked every 100 ms", false, writer, Effect.sleep("100 millis"))
    yield* measure("asked every 50 ms", false, writer, Effect.sleep("50 millis"))
    yield* measure("LISTEN/NOTIFY", true, writer, Effect.asVoid(Effect.orDie(Queue.take(heard))))
    const plain: Array<number> = []
    const notifying: Array<number> = []
    for (let round = 0; round < 3; round++) {
      plain.push(yield* crowd(false, writer))
      notifying.push(yield* crowd(true, writer))
    }
    console.log(
      `  8 writers at once: ${median(plain).toFixed(0)} writes/s, with a notification in each ` +
        `${median(notifying).toFixed(0)} (${(median(notifying) / median(plain)).toFixed(2)} times)`
    )
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 4 })), Effect.scoped)

const url = process.env["DATABASE_URL"]
if (url === undefined) console.log("\nWake-up\n  left out: it needs PostgreSQL, by DATABASE_URL.")
else await Effect.runPromise(program(url))

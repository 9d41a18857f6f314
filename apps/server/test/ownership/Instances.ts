import { randomUUID } from "node:crypto"
import { kill } from "node:process"
import { isDeepStrictEqual } from "node:util"
import { SandboxExchange } from "@chaintape/sandbox"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert } from "@effect/vitest"
import { Array as Arrays, Clock, Context, Effect, FileSystem, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Status } from "../../src/observability/Status.ts"
import type { Started } from "../StartedProgram.ts"
import { ready, start } from "../StartedProgram.ts"

export const markets = ["BTC/USD", "ETH/USD", "SHIB/USD"]

/** Each piece of work of the configuration. */
export const works = [...markets.map((market) => `recording:sandbox/${market}`), "retention"]

export const key = "chaintape_key-of-several-instances"

/** A separate database on the server, dropped at the end. */
export const ownDatabase = Effect.fnUntraced(function* (url: string) {
  const name = `chaintape_${randomUUID().replaceAll("-", "")}`
  const run = (statement: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })),
      Effect.orDie
    )
  yield* Effect.acquireRelease(run(`create database ${name}`), () => run(`drop database ${name} with (force)`))
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
})

export interface Instance {
  readonly started: Started
  readonly origin: string
}

const decodeStatus = Schema.decodeUnknownSync(Schema.fromJsonString(Status))

/** The status as an instance reports it; undefined if it does not respond within three seconds. */
export const toStatus = ({ origin }: Instance) =>
  Effect.tryPromise(async () => {
    const response = await fetch(`${origin}/status`, { signal: AbortSignal.timeout(3000) })
    return decodeStatus(await response.text())
  }).pipe(Effect.orElseSucceed(() => undefined))

/** Polls every 50 ms until a value is present, and returns how long that took. */
export const until = Effect.fnUntraced(function* <A, E, R>(
  what: string,
  look: Effect.Effect<A | undefined, E, R>,
  withinMs = 180_000
) {
  const begun = yield* Clock.currentTimeMillis
  for (;;) {
    const found = yield* look
    const took = (yield* Clock.currentTimeMillis) - begun
    if (found !== undefined) return { found, took }
    if (took > withinMs) return yield* Effect.die(new Error(`${withinMs} ms were not enough for ${what}`))
    yield* Effect.sleep("50 millis")
  }
})

/** The instances that do the work, by their own status. */
export const toOwners = Effect.fnUntraced(function* (work: string, instances: ReadonlyArray<Instance>) {
  const statuses = yield* Effect.forEach(
    instances,
    (instance) => Effect.map(toStatus(instance), (status) => ({ instance, status })),
    { concurrency: "unbounded" }
  )
  return statuses.flatMap(({ instance, status }) => (status?.instance.owns.includes(work) === true ? [instance] : []))
})

export const signal = ({ started }: Instance, name: NodeJS.Signals) => Effect.sync(() => kill(started.pid, name))

const Row = Schema.Struct({ sequence: Schema.Int, price: Schema.String, size: Schema.String })
const Interval = Schema.Struct({ from: Schema.Int, to: Schema.Int })
const decodeTape = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ rows: Schema.Array(Row), coverage: Schema.Array(Interval) })])
)
const LeaseRow = Schema.Struct({ epoch: Schema.Int, owner: Schema.String })
const decodeLease = Schema.decodeUnknownEffect(Schema.Tuple([LeaseRow]))

/** Instances that record all markets of a sandbox exchange into one database. */
export const makeWorld = Effect.fnUntraced(function* (url: string) {
  const { journal, rest, websocket } = yield* SandboxExchange
  const files = yield* FileSystem.FileSystem
  const folder = yield* files.makeTempDirectoryScoped()
  const database = yield* ownDatabase(url)
  const exchange = { id: "sandbox", driver: "coinbaseexchange", rest, websocket, record: markets }
  const config = `${folder}/chaintape.config.json`
  yield* files.writeFileString(config, JSON.stringify({ exchanges: [exchange], tape: { retentionDays: 30 } }))
  const sql = Context.get(
    yield* Layer.build(PgClient.layer({ url: Redacted.make(database), maxConnections: 2 })),
    SqlClient.SqlClient
  )
  const begin = Effect.fnUntraced(function* (environment: Readonly<Record<string, string>> = {}) {
    const started = yield* start({
      DATABASE_URL: database,
      CHAINTAPE_CONFIG: config,
      CHAINTAPE_DATA_DIR: `${folder}/data`,
      ...environment
    })
    const { origin } = yield* ready(started, 180_000)
    return { started, origin } satisfies Instance
  })
  const toLease = (work: string) =>
    Effect.map(
      Effect.flatMap(sql`select epoch::float8 as epoch, owner from ownership_lease where name = ${work}`, decodeLease),
      ([lease]) => lease
    )

  /**
   * The owner of a piece of work, with its epoch, once both have been stable for two seconds: a new instance takes some
   * work over.
   */
  const toOwner = Effect.fnUntraced(function* (work: string, instances: ReadonlyArray<Instance>) {
    const look = Effect.gen(function* () {
      const before = yield* toLease(work)
      yield* Effect.sleep("2 seconds")
      const { epoch } = yield* toLease(work)
      const [owner, ...others] = yield* toOwners(work, instances)
      if (owner === undefined || others.length > 0 || epoch !== before.epoch) return undefined
      return (yield* toStatus(owner))?.instance.id === before.owner ? { owner, epoch } : undefined
    })
    return (yield* until(`one owner of ${work}`, look)).found
  })

  /**
   * Compares the stored trades of a market with the journal, and its coverage with its trades, in one state. Returns the
   * number of trades and that of the gaps between them, which a takeover leaves until they are backfilled.
   */
  const compare = Effect.fnUntraced(function* (market: string) {
    const [{ coverage, rows }] = yield* Effect.flatMap(
      sql`select
          (select coalesce(json_agg(json_build_object('sequence', sequence, 'price', price::text, 'size', size::text)
            order by sequence), '[]') from tape_trade where series = tape_series.id) as rows,
          (select coalesce(json_agg(json_build_object('from', from_sequence, 'to', to_sequence)
            order by from_sequence), '[]') from tape_coverage where series = tape_series.id) as coverage
        from tape_series where market = ${market}`,
      decodeTape
    )
    const truth = new Map(
      (yield* Effect.orDie(journal(market.replace("/", "-")))).map((trade) => [trade.trade_id, trade])
    )
    const toTruth = (sequence: number) => {
      const { price = "", size = "" } = truth.get(sequence) ?? {}
      return { sequence, price, size }
    }
    assert.isAbove(rows.length, 0)
    const covered = coverage.flatMap(({ from, to }) => Arrays.range(from, to))
    const at = covered.findIndex((sequence, at) => !isDeepStrictEqual(rows[at], toTruth(sequence)))
    const around = at < 0 ? undefined : [Math.max(0, at - 2), at + 3]
    assert.deepStrictEqual(rows.slice(...(around ?? [0, 0])), covered.slice(...(around ?? [0, 0])).map(toTruth))
    assert.strictEqual(rows.length, covered.length)
    return { trades: rows.length, gaps: coverage.length - 1 }
  })
  return { begin, toLease, toOwner, compare }
})

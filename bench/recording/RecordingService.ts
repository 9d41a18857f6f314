import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { RecordingStatus } from "../../apps/server/src/status/RecordingStatuses.ts"
import * as Database from "../../apps/server/src/store/Database.ts"
import { freePort } from "../indexing/Processes.ts"
import { startChild } from "./Child.ts"
import type { ExchangeState } from "./ExchangeState.ts"

const program = fileURLToPath(new URL("../../apps/server/src/main.ts", import.meta.url))

const decodeStatus = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ recordings: Schema.Tuple([RecordingStatus]) }))
)

interface ServiceOptions {
  /** The rest of its configuration file. */
  readonly config?: object
  readonly env?: Readonly<Record<string, string>>
}

export const serviceKey = "a-key-of-the-benchmark-only"

/** The whole service with an embedded store in an empty directory, recording `BTC/USD` of the exchange. */
export const startService = async (
  folder: string,
  { rest, websocket }: ExchangeState,
  { config: further = {}, env: given = {} }: ServiceOptions = {}
) => {
  const port = await freePort()
  mkdirSync(folder, { recursive: true })
  const config = join(folder, "chaintape.config.json")
  const entry = { id: "sandbox", driver: "coinbaseexchange", rest, websocket, record: ["BTC/USD"] }
  writeFileSync(config, JSON.stringify({ exchanges: [entry], ...further }))
  const env = {
    PORT: String(port),
    METRICS_PORT: "0",
    CHAINTAPE_CONFIG: config,
    CHAINTAPE_DATA_DIR: join(folder, "data"),
    CHAINTAPE_BOOTSTRAP_KEY: serviceKey,
    NODE_OPTIONS: process.env["BENCH_SERVICE_OPTIONS"] ?? "",
    ...given
  }
  const child = startChild(program, [], env, join(folder, "log"))
  const status = async (): Promise<RecordingStatus> => {
    const response = await fetch(`http://127.0.0.1:${port}/status`, { signal: AbortSignal.timeout(10_000) })
    return decodeStatus(await response.text()).recordings[0]
  }
  return { child, port, status, database: join(folder, "data", "database") }
}

const Stored = Schema.Struct({
  trades: Schema.Int,
  ids: Schema.Int,
  least: Schema.Int,
  most: Schema.Int,
  prices: Schema.String,
  sizes: Schema.String
})
const Interval = Schema.Struct({ from: Schema.Int, to: Schema.Int })
const decodeStored = Schema.decodeUnknownEffect(Schema.Tuple([Stored]))
const decodeIntervals = Schema.decodeUnknownEffect(Schema.Array(Interval))

const read = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [stored] = yield* Effect.flatMap(
    sql`select count(*)::int as trades, count(distinct id)::int as ids,
        min(id::bigint)::float8 as least, max(id::bigint)::float8 as most,
        trim_scale(sum(price) * 100)::text as prices, trim_scale(sum(size) * 100000000)::text as sizes
      from tape_trade where id = sequence::text`,
    decodeStored
  )
  const coverage = yield* Effect.flatMap(
    sql`select from_sequence::float8 as from, to_sequence::float8 as to from tape_coverage order by 1`,
    decodeIntervals
  )
  return { ...stored, coverage }
})

/** Fails unless the tape of a stopped service has every trade of the exchange, and none twice. */
export const checkTape = async (database: string, { sums, trades }: ExchangeState): Promise<void> => {
  const found = await Effect.runPromise(
    read.pipe(Effect.provide(Database.layer({ url: undefined, dataDir: database })), Effect.scoped)
  )
  const expected = { trades, ids: trades, least: 1, most: trades, ...sums, coverage: [{ from: 1, to: trades }] }
  for (const [name, value] of Object.entries(expected)) {
    const own = JSON.stringify(Object.entries(found).find(([one]) => one === name)?.[1])
    if (own === JSON.stringify(value)) continue
    throw new Error(`The tape differs from the exchange's in "${name}": ${own} instead of ${JSON.stringify(value)}.`)
  }
}

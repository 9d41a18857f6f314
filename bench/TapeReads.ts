/**
 * The newest 50,000 trades of a tape: the service's reader, compared with a plain read of the same rows from a server.
 * `DATABASE_URL` names an empty database for this benchmark.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as SqlTapeReads from "../apps/server/src/cex/tape/store/SqlTapeReads.ts"
import { TapeReads } from "../apps/server/src/cex/tape/Tape.ts"
import * as Database from "../apps/server/src/store/Database.ts"
import { median } from "./Measure.ts"

const rows = 50_000
const stored = 200_000
const rounds = 9
const day = Date.UTC(2026, 0, 5)
const series = 1

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(
    `create table tape_trade_bench partition of tape_trade for values from (${day}) to (${day + 86_400_000})`
  )
  for (let from = 0; from < stored; from += 20_000) {
    yield* sql.unsafe(
      `insert into tape_trade (series, timestamp, sequence, id, price, size, is_buy, received_at)
      select ${series}, ${day} + n / 3 * 100, n, n::text, trim_scale(67000 + (n % 1000)::numeric / 100),
        trim_scale(1 + (n * 7919 % 100000000)::numeric / 100000000), n % 2 = 0, ${day} + n / 3 * 100 + 12
      from generate_series(${from + 1}, ${from + 20_000}) as n`
    )
  }
  yield* sql`insert into tape_coverage (series, from_sequence, to_sequence, from_time, to_time)
    select ${series}::int, min(sequence), max(sequence), min(timestamp), max(timestamp) from tape_trade`
  yield* sql`analyze tape_trade`
})

const plain = Effect.flatMap(
  SqlClient.SqlClient,
  (
    sql
  ) => sql`select id, timestamp, sequence, price, size, price * size as cost, is_buy from tape_trade where series = ${series}
    order by timestamp desc, sequence desc limit ${rows}`
)

const reader = Effect.flatMap(TapeReads, (reads) => reads.latest(series, { from: 1, to: stored }, rows))

const over = async (options: Database.DatabaseOptions) => {
  const runtime = ManagedRuntime.make(SqlTapeReads.layer.pipe(Layer.provideMerge(Database.layer(options))))
  await runtime.runPromise(fill)
  const check = (found: ReadonlyArray<unknown>) => {
    if (found.length !== rows) throw new Error(`${found.length} rows instead of ${rows}`)
  }
  return {
    plain: async () => check(await runtime.runPromise(plain)),
    reader: async () => check(await runtime.runPromise(reader)),
    close: () => runtime.dispose()
  }
}

const compare = async (candidates: Readonly<Record<string, () => Promise<void>>>) => {
  const times = new Map(Object.keys(candidates).map((name): [string, Array<number>] => [name, []]))
  for (let round = -2; round < rounds; round++) {
    for (const [name, read] of Object.entries(candidates)) {
      const begun = performance.now()
      await read()
      if (round >= 0) times.get(name)?.push(performance.now() - begun)
    }
  }
  const [first = 1] = [...times.values()].map(median)
  for (const [name, all] of times) {
    const ms = median(all)
    console.log(`  ${name.padEnd(44)} ${ms.toFixed(1).padStart(8)} ms   ${(ms / first).toFixed(2)}x`)
  }
  console.log(`  load of the machine ${(loadavg()[0] ?? 0).toFixed(1)}`)
}

const withEmbedded = async (others: Readonly<Record<string, () => Promise<void>>>) => {
  const directory = mkdtempSync(join(tmpdir(), "chaintape-bench-"))
  const own = await over({ url: undefined, dataDir: join(directory, "database") })
  try {
    await compare({
      ...others,
      "embedded, the service's reader": own.reader,
      "embedded, plain read": own.plain
    })
  } finally {
    await own.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

export const tapeReads = async (): Promise<void> => {
  console.log(`\nThe newest ${rows} of ${stored} trades\n  In turns, medians of ${rounds}; HTTP is not measured.`)
  const server = process.env["DATABASE_URL"]
  if (server === undefined) {
    console.log("  DATABASE_URL names no server to compare with.")
    return withEmbedded({})
  }
  const native = await over({ url: Redacted.make(server), dataDir: "" })
  try {
    await withEmbedded({ "server, plain read": native.plain, "server, the service's reader": native.reader })
  } finally {
    await native.close()
  }
}

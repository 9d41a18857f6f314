import { cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, type Path } from "effect"
import { parquetWriteFile } from "hyparquet-writer"
import { writeArchive as writeClosedDays } from "../../../src/cex/archive/WriteArchive.ts"
import * as SqlTape from "../../../src/cex/tape/store/SqlTape.ts"
import * as SqlTapeReads from "../../../src/cex/tape/store/SqlTapeReads.ts"
import type { TapeTrade } from "../../../src/cex/tape/Tape.ts"
import { Tape, TapeReads } from "../../../src/cex/tape/Tape.ts"
import * as ExactDecimal from "../../../src/internal/ExactDecimal.ts"
import type { Lease } from "../../../src/ownership/Lease.ts"
import * as Database from "../../../src/store/Database.ts"
import { store } from "../../cex/tape/store/TapeStores.ts"
import { prepareDatabase } from "../../OwnDatabase.ts"
import { leaseInStore } from "../../ownership/TestLease.ts"
import { chaintape } from "../CommandRun.ts"
import { duckQuery as query } from "../DuckQuery.ts"
import { assertTape } from "../import/StoredImport.ts"
import { earlierTrades } from "./EarlierArchive.ts"

const [exchange, market] = ["binance", "BTC/USDT"]
const first = Date.UTC(2025, 0, 1)
const perDay = 3000
const dayMs = 86_400_000

/** Consecutive trades from the middle of the first day to the middle of the fourth; some share a millisecond. */
const journal = Array.from({ length: 3 * perDay }, (_, index): TapeTrade => {
  const price = ExactDecimal.canonical(`${60_000 + (index % 700)}.${"0123456789".slice(index % 10)}`) ?? "0"
  const size = ExactDecimal.canonical(`0.${"000000012345678901".slice(0, 3 + (index % 15))}7`) ?? "0"
  const timestamp = first + dayMs / 2 + Math.floor(index / 3) * 3 * (dayMs / perDay)
  return {
    id: String(5_000_000_000 + index),
    sequence: 5_000_000_000 + index,
    timestamp,
    price,
    size,
    cost: ExactDecimal.multiply(price, size),
    side: index % 3 === 0 ? "buy" : "sell",
    receivedAt: timestamp + 50
  }
})

/** Missing on the third day. */
const isMissing = ({ sequence }: TapeTrade) => sequence >= 5_000_005_000 && sequence < 5_000_005_040
const recorded = journal.filter((trade) => !isMissing(trade))

const toDay = ({ timestamp }: TapeTrade) => new Date(timestamp).toISOString().slice(0, 10)
const ofDay = (trades: ReadonlyArray<TapeTrade>, day: string) => trades.filter((trade) => toDay(trade) === day)

const stored = (dataDir: string) =>
  Layer.mergeAll(SqlTape.layer, leaseInStore).pipe(
    Layer.provideMerge(Database.layer({ url: undefined, dataDir: `${dataDir}/database` }))
  )

const record = (dataDir: string, trades: ReadonlyArray<TapeTrade>) =>
  Effect.gen(function* () {
    yield* store(exchange, market, trades)
    return yield* (yield* Tape).open(exchange, market, "sequence", 0)
  }).pipe(Effect.provide(stored(dataDir)), Effect.scoped)

const folder = Effect.gen(function* () {
  const cwd = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
  const dataDir = `${cwd}/data`
  prepareDatabase(`${dataDir}/database`)
  yield* record(dataDir, recorded)
  return { cwd, dataDir, environment: { CHAINTAPE_DATA_DIR: dataDir } }
})

type World = Effect.Success<typeof folder>

const writeArchive = (world: World) => chaintape(["archive", "write", exchange, "BTC-USDT", "--out", "archive"], world)
const verifyArchive = (world: World) => chaintape(["archive", "verify", "archive"], world)

const live = (name: string, test: (world: World) => Effect.Effect<void, unknown, FileSystem.FileSystem | Path.Path>) =>
  it.live(name, () => folder.pipe(Effect.flatMap(test), Effect.scoped, Effect.provide(NodeServices.layer)), 120_000)

describe("an archive", () => {
  live("holds the closed days digit by digit, states which are complete, and DuckDB reads the same rows", (world) =>
    Effect.gen(function* () {
      const written = yield* writeArchive(world)
      assert.strictEqual(written.code, 0, written.stderr)
      assert.include(written.stdout, "3 of 3 days were written, with 7,460 trades, to archive.")
      assert.include(written.stderr, "2025-01-03 is not proven to be complete.")
      assert.notInclude(written.stderr, "2025-01-02 is not")
      const rows = yield* query(
        `select id, sequence::varchar, epoch_ms("timestamp")::varchar, price, size, cost, side, epoch_ms(received_at)::varchar
          from '${world.cwd}/archive/*.parquet' order by sequence`
      )
      const closed = recorded.filter((trade) => toDay(trade) < "2025-01-04")
      assert.deepStrictEqual(
        rows,
        closed.map(({ cost, id, price, receivedAt, sequence, side, size, timestamp }) => [
          id,
          String(sequence),
          String(timestamp),
          price,
          size,
          cost,
          side,
          String(receivedAt)
        ])
      )
      const [[sum]] = yield* query(
        `select sum(price::decimal(38, 12))::varchar from '${world.cwd}/archive/2025-01-02.parquet'`
      ) as Effect.Effect<[[string]]>
      const exact = ofDay(recorded, "2025-01-02").reduce((total, { price }) => ExactDecimal.add(total, price), "0")
      assert.strictEqual(ExactDecimal.canonical(sum), exact)
      const verified = yield* verifyArchive(world)
      assert.strictEqual(verified.code, 0, verified.stderr)
      assert.include(verified.stdout, "3 days, 1 of them proven complete. Chain: ")
    })
  )

  live("answers the queries of the documentation", (world) =>
    Effect.gen(function* () {
      yield* writeArchive(world)
      const text = readFileSync(new URL("../../../../../docs/archives.md", import.meta.url), "utf8")
      const queries = [...text.matchAll(/```sql\n([^`]+)```/g)].map(([, sql = ""]) =>
        sql.replace("'*.parquet'", `'${world.cwd}/archive/*.parquet'`)
      )
      const [days = [], candles = [], hours = [], largest = [], gaps = []] = yield* Effect.forEach(
        queries.slice(0, 5),
        query
      )
      assert.deepStrictEqual(
        days.map(([, trades]) => trades),
        ["1500", "3000", "2960"]
      )
      const second = ofDay(recorded, "2025-01-02")
      const volume = second.reduce((sum, { size }) => ExactDecimal.add(sum, size), "0")
      assert.strictEqual(ExactDecimal.canonical(String(days[1]?.[2])), volume)
      const closed = recorded.filter((trade) => toDay(trade) < "2025-01-04")
      assert.lengthOf(candles, new Set(closed.map(({ timestamp }) => Math.floor(timestamp / 300_000))).size)
      assert.lengthOf(hours, 12 + 24 + 24)
      assert.lengthOf(largest, 10)
      assert.deepStrictEqual(gaps, [["5000005000", "5000005039", "40"]])
    })
  )

  live("is written on: new days are added, and a day whose gap is filled is written again", (world) =>
    Effect.gen(function* () {
      yield* writeArchive(world)
      const before = readFileSync(`${world.cwd}/archive/2025-01-02.parquet`)
      const nothing = yield* writeArchive(world)
      assert.include(nothing.stdout, "0 of 3 days were written")
      yield* record(world.dataDir, [
        ...journal.filter(isMissing),
        { ...recorded[0], sequence: 5_000_009_000, id: "5000009000", timestamp: first + 4 * dayMs + 1 } as TapeTrade
      ])
      const written = yield* writeArchive(world)
      assert.include(written.stdout, "2 of 4 days were written, with 4,500 trades")
      assert.deepStrictEqual(readFileSync(`${world.cwd}/archive/2025-01-02.parquet`), before)
      const verified = yield* verifyArchive(world)
      assert.include(verified.stdout, "4 days, 3 of them proven complete.")
      assert.strictEqual(verified.code, 0, verified.stderr)
    })
  )

  live("of an earlier version is written on: its files and entries stay as they are", ({ cwd }) =>
    Effect.gen(function* () {
      const world = { cwd, dataDir: `${cwd}/earlier`, environment: { CHAINTAPE_DATA_DIR: `${cwd}/earlier` } }
      prepareDatabase(`${world.dataDir}/database`)
      const later = earlierTrades.slice(-4).map((trade) => ({
        ...trade,
        id: String(trade.sequence + 4),
        sequence: trade.sequence + 4,
        timestamp: trade.timestamp + dayMs
      }))
      yield* record(world.dataDir, [...earlierTrades, ...later])
      cpSync(new URL("../../fixtures/archives/trades", import.meta.url), `${cwd}/archive`, { recursive: true })
      const before = readFileSync(`${cwd}/archive/manifest.json`, "utf8")
      const hashes = readFileSync(`${cwd}/archive/SHA256SUMS`, "utf8")
      const written = yield* writeArchive(world)
      assert.strictEqual(written.code, 0, written.stderr)
      assert.include(written.stdout, "1 of 5 days were written")
      const end = before.lastIndexOf("\n  ]")
      assert.strictEqual(readFileSync(`${cwd}/archive/manifest.json`, "utf8").slice(0, end), before.slice(0, end))
      assert.isTrue(readFileSync(`${cwd}/archive/SHA256SUMS`, "utf8").startsWith(hashes))
      const verified = yield* verifyArchive(world)
      assert.strictEqual(verified.code, 0, verified.stderr)
    })
  )

  live("with other columns is not written on: neither a file nor the manifest changes", (world) =>
    Effect.gen(function* () {
      yield* writeArchive(world)
      const [file, manifest] = [`${world.cwd}/archive/2025-01-01.parquet`, `${world.cwd}/archive/manifest.json`]
      const bytes = readFileSync(file).length
      parquetWriteFile({
        filename: file,
        columnData: [
          ...["id", "price", "size", "cost", "side", "fee"].map((name) => ({
            name,
            type: "STRING" as const,
            nullable: false,
            data: ["1"]
          })),
          { name: "sequence", type: "STRING" as const, nullable: false, data: ["1"] },
          { name: "timestamp", type: "TIMESTAMP" as const, nullable: false, data: [new Date(first)] }
        ]
      })
      const text = readFileSync(manifest, "utf8").replace(
        `"bytes": ${bytes},`,
        `"bytes": ${readFileSync(file).length},`
      )
      writeFileSync(manifest, text)
      rmSync(`${world.cwd}/archive/2025-01-03.parquet`)
      const refused = yield* writeArchive(world)
      assert.strictEqual(refused.code, 1, refused.stdout)
      assert.strictEqual(
        refused.stderr.trimEnd().split("\n").at(-1),
        '"archive/2025-01-01.parquet" has other columns than this version writes: "fee", "received_at", "sequence". One directory ' +
          "would then have files of both: give another directory, or remove this one to write every day again."
      )
      assert.strictEqual(readFileSync(manifest, "utf8"), text)
      assert.isFalse(existsSync(`${world.cwd}/archive/2025-01-03.parquet`))
    })
  )

  live("refuses a day whose gaps change while it is read, and writes it with the next command", (world) =>
    Effect.gen(function* () {
      const request = { exchange, market, directory: `${world.cwd}/archive` }
      const missing = journal.filter(isMissing)
      const filling = Layer.effect(
        TapeReads,
        Effect.gen(function* () {
          const reads = yield* TapeReads
          const context = yield* Effect.context<Lease | Tape>()
          const fill = yield* Effect.cached(Effect.provideContext(store(exchange, market, missing), context))
          return TapeReads.of({
            ...reads,
            since: (series, since, rows) =>
              Effect.tap(reads.since(series, since, rows), (page) =>
                page.some((trade) => toDay(trade) === "2025-01-03") ? Effect.orDie(fill) : Effect.void
              )
          })
        })
      )
      const layer = filling.pipe(Layer.provideMerge(SqlTapeReads.layer), Layer.provideMerge(stored(world.dataDir)))
      const error = yield* writeClosedDays(request, () => Effect.void).pipe(Effect.provide(layer), Effect.flip)
      assert.strictEqual(
        error.message,
        "The trades of 2025-01-03 changed while they were read: give the command again."
      )
      assert.sameMembers(readdirSync(request.directory), [
        "2025-01-01.parquet",
        "2025-01-02.parquet",
        "SHA256SUMS",
        "manifest.json"
      ])
      const again = yield* writeArchive(world)
      assert.strictEqual(again.code, 0, again.stderr)
      assert.include(again.stdout, "1 of 3 days were written, with 3,000 trades")
    })
  )

  live("is written by one command at a time: another one is refused, and disturbs nothing", (world) =>
    Effect.gen(function* () {
      const request = { exchange, market, directory: `${world.cwd}/archive` }
      const write = writeClosedDays(request, () => Effect.void)
      const refusals: Array<string> = []
      // Writes in the middle of the first day of another command.
      const disturbing = Layer.effect(
        TapeReads,
        Effect.gen(function* () {
          const reads = yield* TapeReads
          const context = yield* Effect.context<Tape | FileSystem.FileSystem | Path.Path>()
          const disturb = yield* Effect.cached(
            write.pipe(
              Effect.provideService(TapeReads, reads),
              Effect.provideContext(context),
              Effect.flip,
              Effect.orDie,
              Effect.tap(({ message }) => Effect.sync(() => refusals.push(message)))
            )
          )
          return TapeReads.of({ ...reads, since: (...given) => Effect.tap(reads.since(...given), disturb) })
        })
      )
      const layer = disturbing.pipe(Layer.provideMerge(SqlTapeReads.layer), Layer.provideMerge(stored(world.dataDir)))
      const { written } = yield* Effect.provide(write, layer)
      assert.lengthOf(written, 3)
      assert.deepStrictEqual(refusals, [
        `Another command writes "${request.directory}": wait until it has ended, or give another directory.`
      ])
      assert.sameMembers(readdirSync(request.directory), [
        "2025-01-01.parquet",
        "2025-01-02.parquet",
        "2025-01-03.parquet",
        "SHA256SUMS",
        "manifest.json"
      ])
      const verified = yield* verifyArchive(world)
      assert.strictEqual(verified.code, 0, verified.stderr)
    })
  )

  live("does not change what was written when retention drops the days before", (world) =>
    Effect.gen(function* () {
      yield* writeArchive(world)
      const before = readFileSync(`${world.cwd}/archive/manifest.json`, "utf8")
      const dropped = yield* Effect.flatMap(Tape, ({ dropBefore }) => dropBefore(first + dayMs)).pipe(
        Effect.provide(stored(world.dataDir)),
        Effect.scoped
      )
      assert.strictEqual(dropped, ofDay(recorded, "2025-01-01").length)
      const nothing = yield* writeArchive(world)
      assert.include(nothing.stdout, "0 of 3 days were written")
      assert.strictEqual(readFileSync(`${world.cwd}/archive/manifest.json`, "utf8"), before)
    })
  )

  live("has a missing or truncated file written again, byte by byte, if the store still has its trades", (world) =>
    Effect.gen(function* () {
      yield* writeArchive(world)
      const read = () =>
        readdirSync(`${world.cwd}/archive`).map((name) => [name, readFileSync(`${world.cwd}/archive/${name}`, "hex")])
      const before = read()
      // The second day is proven complete by the day before, of which retention takes the trades.
      yield* Effect.flatMap(Tape, ({ dropBefore }) => dropBefore(first + dayMs)).pipe(
        Effect.provide(stored(world.dataDir)),
        Effect.scoped
      )
      rmSync(`${world.cwd}/archive/2025-01-02.parquet`)
      truncateSync(`${world.cwd}/archive/2025-01-03.parquet`, 5000)
      const damaged = yield* verifyArchive(world)
      assert.include(
        damaged.stderr,
        '"archive/2025-01-02.parquet" is missing. To write it again, give the command that writes the archive again.\n'
      )
      assert.match(damaged.stderr, /2025-01-03.parquet" has 5000 bytes, not \d+. To write it again, give the command/)
      const written = yield* writeArchive(world)
      assert.strictEqual(written.code, 0, written.stderr)
      assert.include(written.stdout, "2 of 3 days were written, with 5,960 trades")
      assert.deepStrictEqual(read(), before)
      const dropped = `${world.cwd}/archive/2025-01-01.parquet`
      const bytes = readFileSync(dropped)
      rmSync(dropped)
      const lost = yield* writeArchive(world)
      assert.strictEqual(lost.code, 4)
      assert.include(lost.stdout, "0 of 3 days were written")
      assert.include(
        lost.stderr,
        '"archive/2025-01-01.parquet" is missing. The store does not have its rows, or has not proven them: restore the file from a copy, or give the command again later.\n'
      )
      writeFileSync(dropped, bytes)
      assert.deepStrictEqual(read(), before)
      assert.strictEqual((yield* writeArchive(world)).code, 0)
    })
  )

  live("restores another store: trades, coverage and candles are the same, and the recording goes on", (world) =>
    Effect.gen(function* () {
      yield* writeArchive(world)
      const other = { cwd: world.cwd, environment: { CHAINTAPE_DATA_DIR: `${world.cwd}/other` } }
      const days = readdirSync(`${world.cwd}/archive`).filter((name) => name.endsWith(".parquet"))
      const restored = yield* chaintape(
        ["import", exchange, "BTC-USDT", ...days.map((name) => `archive/${name}`)],
        other
      )
      assert.strictEqual(restored.code, 3, restored.stderr)
      assert.include(restored.stdout, "3 of 3 files agree with a published checksum.")
      const closed = recorded.filter((trade) => toDay(trade) < "2025-01-04")
      const ends = [5_000_000_000, 5_000_004_999, 5_000_005_040, closed.at(-1)?.sequence ?? 0] as const
      yield* assertTape(`${world.cwd}/other`, closed, [
        [ends[0], ends[1]],
        [ends[2], ends[3]]
      ])
      yield* record(`${world.cwd}/other`, recorded.slice(closed.length))
      yield* assertTape(`${world.cwd}/other`, recorded, [
        [ends[0], ends[1]],
        [ends[2], 5_000_008_999]
      ])
    })
  )

  live("names one flipped bit, a missing file and a changed entry", (world) =>
    Effect.gen(function* () {
      yield* writeArchive(world)
      const path = `${world.cwd}/archive/2025-01-02.parquet`
      const bytes = readFileSync(path)
      const flipped = Buffer.from(bytes)
      flipped[1000] = (flipped[1000] ?? 0) ^ 4
      writeFileSync(path, flipped)
      const one = yield* verifyArchive(world)
      assert.strictEqual(one.code, 4)
      assert.include(one.stderr, '"archive/2025-01-02.parquet" is not what was written: its hash is another one.')
      const refused = yield* chaintape(["import", exchange, "BTC-USDT", "archive/2025-01-02.parquet"], world)
      assert.strictEqual(refused.code, 5)
      assert.include(refused.stderr, "its checksum is ")
      rmSync(path)
      assert.include((yield* verifyArchive(world)).stderr, '"archive/2025-01-02.parquet" is missing.')
      writeFileSync(path, bytes)
      const manifest = `${world.cwd}/archive/manifest.json`
      const text = readFileSync(manifest, "utf8")
      writeFileSync(manifest, text.replace('"rows": 3000', '"rows": 3001'))
      const changed = yield* verifyArchive(world)
      assert.strictEqual(changed.code, 4)
      assert.include(changed.stderr, "The entry of 2025-01-02 in the manifest is not what was written")
      writeFileSync(manifest, text.replace('"chaintapeArchive": 1', '"chaintapeArchive": 2'))
      const newer = yield* verifyArchive(world)
      assert.strictEqual(newer.code, 1)
      assert.include(newer.stderr, "has the format 2, of another version of Chaintape")
      writeFileSync(manifest, "{")
      assert.include((yield* verifyArchive(world)).stderr, "is damaged: it is no manifest of an archive.")
    })
  )

  live("refuses what is not recorded, the directory of another market, and Parquet files of others", (world) =>
    Effect.gen(function* () {
      yield* writeArchive(world)
      const before = readFileSync(`${world.cwd}/archive/manifest.json`, "utf8")
      const unknown = yield* chaintape(["archive", "write", exchange, "ETH-USDT", "--out", "none"], world)
      assert.strictEqual(unknown.code, 1)
      assert.include(unknown.stderr, 'No trade of ETH/USDT on "binance" is recorded here')
      assert.isFalse(existsSync(`${world.cwd}/none`))
      writeFileSync(`${world.cwd}/file`, "")
      const below = yield* chaintape(["archive", "write", exchange, "BTC-USDT", "--out", "file/below"], world)
      assert.strictEqual(below.code, 1)
      assert.match(below.stderr, /^The archive is no directory: .*\(ENOTDIR: not a directory, .*'file\/below/)
      const manifest = before.replace('"market": "BTC/USDT"', '"market": "ETH/USDT"')
      writeFileSync(`${world.cwd}/archive/manifest.json`, manifest)
      const other = yield* writeArchive(world)
      assert.strictEqual(other.code, 1)
      assert.include(other.stderr, '"archive" is the archive of ETH/USDT on "binance": give another directory.')
      assert.strictEqual(readFileSync(`${world.cwd}/archive/manifest.json`, "utf8"), manifest)
      const otherMarket = yield* chaintape(["import", exchange, "ETH-USDT", "archive/2025-01-02.parquet"], world)
      assert.strictEqual(otherMarket.code, 5, otherMarket.stdout)
      assert.include(otherMarket.stderr, 'cannot be imported: it is of BTC/USDT on "binance".\nNothing was imported.')
      const otherExchange = yield* chaintape(["import", "gate", "BTC-USDT", "archive/2025-01-02.parquet"], world)
      assert.strictEqual(otherExchange.code, 5, otherExchange.stdout)
      assert.include(otherExchange.stderr, 'cannot be imported: it is of BTC/USDT on "binance".')
      const columnData = [{ name: "id", data: ["1"], type: "STRING" as const }]
      parquetWriteFile({ filename: `${world.cwd}/foreign.parquet`, columnData })
      const foreign = yield* chaintape(["import", exchange, "BTC-USDT", "foreign.parquet"], world)
      assert.strictEqual(foreign.code, 5)
      assert.include(foreign.stderr, "it is a Parquet file of another program")
      const kvMetadata = [{ key: "chaintape.trades", value: "2" }]
      parquetWriteFile({ filename: `${world.cwd}/newer.parquet`, columnData, kvMetadata })
      const newer = yield* chaintape(["import", exchange, "BTC-USDT", "newer.parquet"], world)
      assert.strictEqual(newer.code, 5)
      assert.include(newer.stderr, "its format is 2, of another version of Chaintape")
    })
  )
})

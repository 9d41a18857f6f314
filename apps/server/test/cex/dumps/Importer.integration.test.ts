import { writeFileSync } from "node:fs"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Option } from "effect"
import { checkFile, identifyFile } from "../../../src/cex/dumps/DumpFile.ts"
import { makeImporter } from "../../../src/cex/dumps/Importer.ts"
import * as SqlTape from "../../../src/cex/tape/store/SqlTape.ts"
import * as SqlTapeReads from "../../../src/cex/tape/store/SqlTapeReads.ts"
import { Tape } from "../../../src/cex/tape/Tape.ts"
import type { TapeTrade } from "../../../src/cex/tape/Tape.ts"
import { Lease } from "../../../src/ownership/Lease.ts"
import * as Database from "../../../src/store/Database.ts"
import { prepareDatabase } from "../../OwnDatabase.ts"
import { leaseInStore } from "../../ownership/TestLease.ts"
import { store } from "../tape/store/TapeStores.ts"

const begin = Date.UTC(2025, 0, 1)
const expected = {
  exchange: "binance",
  driver: "binance",
  hasConsecutiveIds: true,
  market: { base: "BTC", quote: "USDT" },
  now: begin + 86_400_000
}

const toRecorded = (sequence: number, price: string): TapeTrade => ({
  id: String(sequence),
  sequence,
  timestamp: begin + sequence,
  price,
  size: "1",
  cost: price,
  side: "buy",
  receivedAt: begin + sequence
})

const ids = [1, 2, 3, 4, 5]
const content = ids.map((id) => `${id},100,1,${id},${id},${begin + id},False,True\n`).join("")

/** The embedded store, in which a recording stores trades right after an import has first read what is stored. */
const beside = (dataDir: string, recorded: ReadonlyArray<TapeTrade>) => {
  const other = Layer.effect(
    Tape,
    Effect.gen(function* () {
      const tape = yield* Tape
      const recording = store("binance", "BTC/USDT", recorded).pipe(
        Effect.provideService(Tape, tape),
        Effect.provideService(Lease, yield* Lease),
        Effect.orDie
      )
      let isFirst = true
      return Tape.of({
        ...tape,
        open: (...series) => {
          if (!isFirst) return tape.open(...series)
          isFirst = false
          return Effect.tap(tape.open(...series), recording)
        }
      })
    })
  )
  return Layer.mergeAll(
    other.pipe(Layer.provide([SqlTape.layer, leaseInStore])),
    SqlTapeReads.layer,
    leaseInStore
  ).pipe(Layer.provideMerge(Database.layer({ url: undefined, dataDir })))
}

describe("an import beside a recording of the same market", () => {
  it.live("compares the trades that were recorded while it read its file", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const folder = yield* files.makeTempDirectoryScoped()
      const path = `${folder}/BTCUSDT-aggTrades-2025-01-01.csv`
      writeFileSync(path, content)
      prepareDatabase(`${folder}/database`)
      yield* Effect.gen(function* () {
        const importer = yield* makeImporter(expected, 0)
        const file = yield* checkFile(path, yield* identifyFile(path), expected, () => Effect.void)
        yield* importer.importFile(file, 0, () => Effect.void)
        const { added, different, differences, known } = importer.counts
        assert.deepStrictEqual({ added, different, known }, { added: 2, different: 1, known: 2 })
        assert.deepStrictEqual(
          differences.map(({ sequence }) => sequence),
          [3]
        )
        const series = Option.getOrThrow(yield* (yield* Tape).find("binance", "BTC/USDT"))
        assert.deepStrictEqual(
          series.coverage.map(({ from, to }) => [from, to]),
          [[1, 5]]
        )
      }).pipe(
        Effect.provide(beside(`${folder}/database`, [toRecorded(2, "100"), toRecorded(3, "101"), toRecorded(4, "100")]))
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})

describe("an import that continues another one", () => {
  it.live("reports the differences that the earlier one found in the same file", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const folder = yield* files.makeTempDirectoryScoped()
      const path = `${folder}/BTCUSDT-aggTrades-2025-01-01.csv`
      const rows = Array.from({ length: 10_003 }, (_, at) => `${at + 1},100,1,${at},${at},${begin + at},False,True\n`)
      writeFileSync(path, rows.join(""))
      prepareDatabase(`${folder}/database`)
      yield* Effect.gen(function* () {
        const tape = yield* Tape
        const recorded = [2, 3, 10_001, 10_002, 10_003].map((sequence) => ({
          ...toRecorded(sequence, sequence === 3 || sequence === 10_002 ? "101" : "100"),
          timestamp: begin + sequence - 1
        }))
        yield* store("binance", "BTC/USDT", recorded)
        yield* tape.open("binance", "BTC/USDT", "sequence", 0)
        const file = yield* checkFile(path, yield* identifyFile(path), expected, () => Effect.void)
        const killed = yield* makeImporter(expected, 0)
        yield* Effect.exit(killed.importFile(file, 0, () => Effect.interrupt))
        assert.strictEqual(killed.counts.different, 1)
        const known = (importer: typeof killed) => Effect.map(importer.known, ({ imported }) => imported.get(file.hash))
        const continuing = yield* makeImporter(expected, 0)
        const before = yield* known(continuing)
        assert.deepInclude(before, { rows: 10_000, different: 1, isComplete: false })
        assert.deepStrictEqual(
          before?.differences.map(({ sequence }) => sequence),
          [3]
        )
        yield* continuing.importFile(file, before?.rows ?? 0, () => Effect.void)
        const after = yield* known(yield* makeImporter(expected, 0))
        assert.deepInclude(after, { rows: 10_003, different: 2, isComplete: true })
        assert.deepStrictEqual(
          after?.differences.map(({ sequence }) => sequence),
          [3, 10_002]
        )
      }).pipe(
        Effect.provide(
          Layer.mergeAll(SqlTape.layer, SqlTapeReads.layer, leaseInStore).pipe(
            Layer.provideMerge(Database.layer({ url: undefined, dataDir: `${folder}/database` }))
          )
        )
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})

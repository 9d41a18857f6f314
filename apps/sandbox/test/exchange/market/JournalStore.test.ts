import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, PlatformError } from "effect"
import { JournalStore, encodeRow, parseRows } from "../../../src/exchange/market/JournalStore.ts"
import { Markets } from "../../../src/exchange/market/Markets.ts"
import { defaultProducts } from "../../../src/exchange/market/Product.ts"

const files = Layer.merge(NodeFileSystem.layer, NodePath.layer)
const start = 1_700_000_000_000_000
const second = 1_000_000
const [product] = defaultProducts
if (product === undefined) throw new Error("The default products are gone.")

const openMarkets = Effect.fnUntraced(function* (directory: string, now: number, retain = 500_000) {
  return yield* Markets.open(
    {
      products: [product],
      seed: 3,
      tradesPerSecond: 20,
      historyTradesPerSecond: 2,
      history: 600 * second,
      retain,
      store: yield* JournalStore.open(directory, retain)
    },
    now
  )
})

/** A file system whose appends, while it is full, write half of their text and fail. */
const withFullDisk = Effect.fnUntraced(function* () {
  const fs = yield* FileSystem.FileSystem
  const disk = { isFull: false }
  const noSpace = PlatformError.systemError({
    _tag: "Unknown",
    module: "FileSystem",
    method: "writeFile",
    cause: new Error("ENOSPC: no space left on device, write")
  })
  const writeFileString: FileSystem.FileSystem["writeFileString"] = (path, data, options) =>
    disk.isFull
      ? Effect.andThen(fs.writeFileString(path, data.slice(0, data.length / 2), options), Effect.fail(noSpace))
      : fs.writeFileString(path, data, options)
  return { disk, full: { ...fs, writeFileString } }
})

const tape = (markets: Markets) => markets.get(product.id)?.journal.from(1) ?? []

describe("JournalStore", () => {
  it.effect("restores every trade that was shown, fills a short downtime, and continues with the next id", () =>
    Effect.gen(function* () {
      const directory = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
      const before = tape(yield* openMarkets(directory, start))
      const after = tape(yield* openMarkets(directory, start + 60 * second))
      assert.deepStrictEqual(after.slice(0, before.length), [...before])
      assert.approximately(after.length - before.length, 1200, 400)
      for (const [index, trade] of after.entries()) {
        assert.strictEqual(trade.tradeId, index + 1)
        assert.isAtLeast(trade.time, after[index - 1]?.time ?? 0)
        assert.isAbove(trade.sequence, after[index - 1]?.sequence ?? 0)
      }
      assert.deepStrictEqual([...tape(yield* openMarkets(directory, start + 60 * second))].slice(0, after.length), [
        ...after
      ])
    }).pipe(Effect.provide(files))
  )

  it.effect("leaves a long downtime without trades", () =>
    Effect.gen(function* () {
      const directory = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
      const before = tape(yield* openMarkets(directory, start))
      const later = start + 3600 * second
      const markets = yield* openMarkets(directory, later)
      yield* markets.advanceTo(later + 10 * second)
      const fresh = tape(markets).slice(before.length)
      assert.isAbove(fresh.length, 50)
      assert.isTrue(fresh.every((trade) => trade.time >= later))
    }).pipe(Effect.provide(files))
  )

  it.effect("removes a partial last line and the lines after a missing one", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* fs.makeTempDirectoryScoped()
      const before = tape(yield* openMarkets(directory, start))
      const file = `${directory}/${product.id}.ndjson`
      yield* fs.writeFileString(file, `[${before.length + 1},9999999,17000`, { flag: "a" })
      const mended = tape(yield* openMarkets(directory, start))
      assert.deepStrictEqual(mended.slice(0, before.length), [...before])
      assert.isTrue(mended.every((trade, index) => trade.tradeId === index + 1 && trade.sequence < 9_999_999))
      const lines = (yield* fs.readFileString(file)).split("\n")
      yield* fs.writeFileString(file, lines.toSpliced(100, 1).join("\n"))
      const cut = tape(yield* openMarkets(directory, start))
      assert.deepStrictEqual(cut.slice(0, 100), before.slice(0, 100))
      for (const [index, trade] of cut.entries()) {
        assert.strictEqual(trade.tradeId, index + 1)
        assert.isAbove(trade.sequence, cut[index - 1]?.sequence ?? 0)
      }
    }).pipe(Effect.provide(files))
  )

  it.effect("keeps the file within twice what is retained", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* fs.makeTempDirectoryScoped()
      const markets = yield* openMarkets(directory, start, 500)
      for (let step = 1; step <= 100; step++) yield* markets.advanceTo(start + step * 10 * second)
      const rows = (yield* fs.readFileString(`${directory}/${product.id}.ndjson`)).split("\n").length - 1
      assert.isBelow(rows, 1100)
      const last = tape(markets).at(-1)
      const reopened = yield* openMarkets(directory, last?.time ?? 0, 500)
      assert.strictEqual((yield* fs.readFileString(`${directory}/${product.id}.ndjson`)).split("\n").length - 1, 500)
      assert.deepStrictEqual(tape(reopened).at(-1), last)
    }).pipe(Effect.provide(files))
  )

  it.effect("stores and shows each trade once after appends that failed", () =>
    Effect.gen(function* () {
      const directory = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
      const { disk, full } = yield* withFullDisk()
      const markets = yield* openMarkets(directory, start).pipe(Effect.provideService(FileSystem.FileSystem, full))
      const shown = [...tape(markets)]
      const advance = (seconds: number) =>
        markets.advanceTo(start + seconds * second, (_, trades) => shown.push(...trades))
      disk.isFull = true
      for (const at of [10, 20]) {
        const { message } = yield* Effect.flip(advance(at))
        assert.include(
          message,
          `append to its journal "${directory}/${product.id}.ndjson": ENOSPC: no space left on device`
        )
        assert.strictEqual(tape(markets).length, shown.length)
      }
      disk.isFull = false
      yield* advance(30)
      assert.deepStrictEqual([...tape(markets)], shown)
      assert.isTrue(shown.every(({ tradeId }, index) => tradeId === index + 1))
      assert.isAbove(shown.at(-1)?.time ?? 0, start + 20 * second)
      const stored = yield* (yield* JournalStore.open(directory, 500_000)).load(product)
      assert.deepStrictEqual([...stored], shown)
    }).pipe(Effect.provide(files))
  )

  it("reads the rows that it writes", () => {
    const trade = {
      tradeId: 9,
      sequence: 12,
      time: start,
      side: "sell",
      price: 6_700_010,
      size: 1,
      makerOrder: 4,
      takerOrder: 5
    } as const
    assert.strictEqual(encodeRow(product, trade), `[9,12,${start},"sell","67000.1","0.00000001",4,5]\n`)
    assert.deepStrictEqual(parseRows(product, encodeRow(product, trade)).trades, [trade])
    for (const wrong of [
      '[9,12,1,"hold","1","1",4,5]\n',
      '[9,12,1,"buy","0","1",4,5]\n',
      '[9,12,1,"buy","1.001","1",4,5]\n',
      '[9007199254740993,12,1,"buy","1","1",4,5]\n',
      '[9,12,1,"buy","1","1",0,5]\n',
      '[9,12,1,"buy","1","1",4,5,6]\n',
      "{}\n",
      "9"
    ]) {
      assert.deepStrictEqual(parseRows(product, wrong), { trades: [], length: 0 }, wrong)
    }
  })
})

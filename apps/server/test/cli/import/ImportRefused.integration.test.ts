import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { mayMount, smallDisk } from "../../faults/world/SmallDisk.ts"
import { Workshop } from "../../faults/world/Workshop.ts"
import { chaintape } from "../CommandRun.ts"
import { makeDumpWorld } from "./DumpWorld.ts"
import { assertTape, dropBefore, record, takeOver, toRuns } from "./StoredImport.ts"

const words = ["import", "binance", "BTC-USDT"]
const world = makeDumpWorld({ trades: 1000 })
const first = Number(world.toTrade(0).id)
const firstRecorded = Number(world.recording[0]?.id) - first
const runOfRecording = [[Number(world.recording[0]?.id), Number(world.recording.at(-1)?.id)]] as const

/** A folder with files, and a store with a recording. */
const prepare = Effect.fnUntraced(function* (files: Readonly<Record<string, string | Buffer>>) {
  const cwd = yield* Effect.flatMap(FileSystem.FileSystem, (system) => system.makeTempDirectoryScoped())
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content)
  const dataDir = join(cwd, "data")
  yield* record(dataDir, world)
  return { cwd, dataDir, environment: { CHAINTAPE_DATA_DIR: dataDir }, names: Object.keys(files) }
})

/** A row of aggregate trades. */
const toRow = (id: number, timestamp: number, price: string, size = "1") =>
  `${id},${price},${size},${id},${id},${timestamp},True,True\n`

const day = Date.UTC(2024, 11, 20)
const whole = toRow(first - 5, day, "100")

const refusals: ReadonlyArray<readonly [file: string, content: string | Buffer, reason: string]> = [
  ["candles.csv", "open,high,low,close\n1,2,1,2\n", "no known layout"],
  ["empty.csv", "", "it is empty"],
  [
    "BTC-USDT-trades-2024-12-20.csv",
    `instrument_name,trade_id,side,price,size,created_time\nBTC-USDT,1,buy,1,1,${day}\n`,
    "it holds trades of OKX, not of binance"
  ],
  ["ETHUSDT-aggTrades-2024-12-20.csv", whole, 'by its name it is of the market "ETHUSDT", not of "BTCUSDT"'],
  ["BTCUSDT-aggTrades-2024-12-20.csv.gz", gzipSync(whole).subarray(0, 20), "unexpected end of file"],
  ["BTCUSDT-aggTrades-2024-12-21.csv", whole, "has no checksum of it"],
  ["late.csv", `${whole}${toRow(first - 4, day, "many")}`, 'row 2: its price "many" or its size "1" is no amount'],
  // Higher ids than those of the recording, and earlier times.
  ["ids.csv", toRow(first + 5000, day, "100"), "It is of another market or exchange."]
]

describe("chaintape import", () => {
  it.live("refuses a file whose trades it has imported and the retention has dropped since", () =>
    Effect.gen(function* () {
      const dayMs = 86_400_000
      const rows = (days: number) =>
        Array.from({ length: 5 }, (_, at) => toRow(first - 20 + 5 * days + at, day + days * dayMs + at, "100")).join("")
      const files = { "BTCUSDT-aggTrades-2024-12-20.csv": rows(0), "BTCUSDT-aggTrades-2024-12-21.csv": rows(1) }
      const { cwd, dataDir, environment, names } = yield* prepare(files)
      const command = [...words, ...names.map((name) => join(cwd, name))]
      const imported = yield* chaintape(command, { cwd, environment })
      assert.include(imported.stdout, "10 added", imported.stderr)
      yield* dropBefore(dataDir, day + dayMs)
      const { code, stderr } = yield* chaintape(command, { cwd, environment })
      assert.strictEqual(code, 5, stderr)
      assert.include(stderr, "the retention of the tape has dropped the days before 2024-12-21")
      assert.notInclude(stderr, names[1] ?? "")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("ends with a sentence when another import of the market begins", () =>
    Effect.gen(function* () {
      const { cwd, dataDir, environment, names } = yield* prepare({ "BTCUSDT-aggTrades-2024-12-20.csv": whole })
      yield* takeOver(dataDir)
      const { code, stderr } = yield* chaintape([...words, ...names], { cwd, environment })
      assert.strictEqual(code, 1)
      assert.include(
        stderr,
        "Another import of BTC/USDT on binance has begun, and this one has ended: wait for the other one, and give the command again.\n"
      )
      assert.notInclude(stderr, "The store does not answer")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("names every file that it cannot import, and changes nothing", () =>
    Effect.gen(function* () {
      const good = { "BTCUSDT-aggTrades-2024-12-19.csv": toRow(first - 9, day - 1000, "100") }
      const bad = Object.fromEntries(refusals.map(([file, content]) => [file, content]))
      const { cwd, dataDir, environment, names } = yield* prepare({ ...good, ...bad })
      writeFileSync(join(cwd, "BTCUSDT-aggTrades-2024-12-21.csv.CHECKSUM"), "not found\n")
      const { code, stderr } = yield* chaintape([...words, ...names.map((name) => join(cwd, name))], {
        cwd,
        environment
      })
      assert.strictEqual(code, 5, stderr)
      const lines = stderr.split("\n")
      for (const [file, , reason] of refusals) {
        const line = lines.find((one) => one.startsWith(`"${join(cwd, file)}" cannot be imported: `))
        assert.include(line, reason, `${file}: ${stderr}`)
      }
      assert.include(stderr, "Nothing was imported.")
      yield* assertTape(dataDir, world.recording, runOfRecording)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("refuses a file whose ids are stored with other trades, as one of another market has them", () =>
    Effect.gen(function* () {
      const { sequence: oldest, timestamp: begin } = world.toTrade(firstRecorded)
      // More rows than one transaction has are before those that are stored.
      const fresh = Array.from({ length: 11_000 }, (_, at) => toRow(oldest - 11_000 + at, begin - 1, "2"))
      const rows = world.recording.map(({ sequence, timestamp }) => toRow(sequence, timestamp, "2"))
      const { cwd, dataDir, environment } = yield* prepare({ "other.csv": [...fresh, ...rows].join("") })
      const { code, stderr } = yield* chaintape([...words, "other.csv"], { cwd, environment })
      assert.strictEqual(code, 5, stderr)
      assert.include(
        stderr,
        '"other.csv" is of another market or exchange: 12 of its 12 trades whose ids are stored differ'
      )
      assert.include(stderr, "Nothing was imported.")
      yield* assertTape(dataDir, world.recording, runOfRecording)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("imports a file of which the only stored trade differs, and retains the stored one", () =>
    Effect.gen(function* () {
      const [before, stored] = [world.toTrade(firstRecorded - 1), world.toTrade(firstRecorded)]
      const isMaker = before.side === "sell" ? "True" : "False"
      const row = `${before.id},${before.price},${before.size},1,1,${before.timestamp},${isMaker},True\n`
      const content = row + toRow(stored.sequence, stored.timestamp, "2")
      const { cwd, dataDir, environment } = yield* prepare({ "day.csv": content })
      const { code, stderr, stdout } = yield* chaintape([...words, "day.csv"], { cwd, environment })
      assert.strictEqual(code, 4, stderr)
      assert.include(stderr, `Different: trade ${stored.id} is "${stored.timestamp} 2 1 false" in "day.csv", and "`)
      assert.include(stdout, "1 added, 1 different")
      yield* assertTape(dataDir, [before, ...world.recording], [[before.sequence, Number(world.recording.at(-1)?.id)]])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live.skipIf(!mayMount)(
    "says that the disk is full, and continues when it is not (root)",
    () =>
      Effect.gen(function* () {
        const disk = yield* smallDisk(160)
        const large = makeDumpWorld({ trades: 100_000 })
        const { cwd } = yield* prepare({})
        const files = large.writeFiles(cwd)
        const dataDir = join(disk.path, "data")
        const environment = { CHAINTAPE_DATA_DIR: dataDir }
        yield* record(dataDir, large)
        yield* disk.fill
        const full = yield* chaintape([...words, ...files], { cwd, environment })
        assert.strictEqual(full.code, 1, full.stderr)
        assert.match(full.stderr, /disk is full/)
        yield* disk.empty
        const done = yield* chaintape([...words, ...files], { cwd, environment })
        assert.strictEqual(done.code, 4, done.stderr)
        const from = Number(large.toTrade(0).id)
        yield* assertTape(dataDir, large.expected(), toRuns(from, from + large.total - 1, large.holes))
      }).pipe(Effect.scoped, Effect.provide([Workshop.layer, NodeServices.layer])),
    240_000
  )
})

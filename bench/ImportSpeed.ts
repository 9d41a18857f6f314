/** Trades per second from published files into the embedded store, of the whole command `chaintape import`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { median } from "./Measure.ts"
import { startChild } from "./recording/Child.ts"
import { countProcessor, peakMb } from "./recording/Processor.ts"

const trades = Number(process.env["BENCH_TRADES"] ?? 1_000_000)
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3)
const days = 10
const dayMs = 86_400_000
const begin = Date.UTC(2025, 0, 1)

const program = fileURLToPath(new URL("../apps/server/src/main.ts", import.meta.url))

const toRow = (at: number): string => {
  const id = 3_000_000_001 + at
  const price = `${60_000 + ((at * 7919) % 1000)}.${String((at * 31) % 100).padStart(2, "0")}000000`
  const size = `0.${String(1 + ((at * 104_729) % 99_999)).padStart(5, "0")}000`
  const micros = `${begin + Math.floor((at * days * dayMs) / trades)}000`
  return `${id},${price},${size},${id},${id},${micros},${at % 3 === 0 ? "True" : "False"},True\n`
}

/** The aggregate trades of ten days in the form of Binance, compressed. */
const writeFiles = (folder: string): ReadonlyArray<string> => {
  const ofDay = Math.ceil(trades / days)
  return Array.from({ length: days }, (_, day) => {
    const rows = Array.from({ length: Math.min(ofDay, trades - day * ofDay) }, (_, at) => toRow(day * ofDay + at))
    const date = new Date(begin + day * dayMs).toISOString().slice(0, 10)
    const path = join(folder, `BTCUSDT-aggTrades-${date}.csv.gz`)
    writeFileSync(path, gzipSync(rows.join(""), { level: 1 }))
    return path
  })
}

const measure = async (folder: string, files: ReadonlyArray<string>) => {
  mkdirSync(folder)
  const words = ["import", "binance", "BTC-USDT", ...files]
  const begun = performance.now()
  const child = startChild(program, words, { CHAINTAPE_DATA_DIR: join(folder, "data") }, join(folder, "log"))
  const processor = countProcessor(child.pid, "start")
  let [spent, memory] = [processor(), 0]
  while (child.isRunning()) {
    try {
      const now = processor()
      // At the very end only the main thread is left.
      if (now.all > spent.all) spent = now
      memory = Math.max(memory, peakMb(child.pid))
    } catch {
      // It has ended.
    }
    await sleep(50)
  }
  const seconds = (performance.now() - begun) / 1000
  const log = child.log()
  if (!log.includes(`: ${trades.toLocaleString("en")} added`)) throw new Error(log)
  return {
    perSecond: trades / seconds,
    mainMicros: (spent.main / trades) * 1e6,
    storeMicros: (spent.other / trades) * 1e6,
    allMicros: (spent.all / trades) * 1e6,
    memory,
    load: loadavg()[0] ?? 0
  }
}

export const importSpeed = async (): Promise<void> => {
  console.log(
    `\nImporting\n  ${trades} trades in ${days} compressed files into an empty embedded store, with the start, the check of all files\n` +
      `  and the end of the command; medians of ${rounds} runs.`
  )
  const folder = mkdtempSync(join(tmpdir(), "chaintape-bench-"))
  try {
    const files = writeFiles(folder)
    const found: Array<Awaited<ReturnType<typeof measure>>> = []
    for (let round = 0; round < rounds; round++) {
      const own = join(folder, String(round))
      found.push(await measure(own, files))
      rmSync(own, { recursive: true, force: true })
    }
    const of = (key: keyof (typeof found)[number]) => median(found.map((one) => one[key]))
    console.log(
      `  ${of("perSecond").toFixed(0)} trades/s, processor per trade ${of("allMicros").toFixed(1)} us ` +
        `(main thread ${of("mainMicros").toFixed(1)}, store ${of("storeMicros").toFixed(1)}), ` +
        `peak ${of("memory").toFixed(0)} MB, load ${of("load").toFixed(1)}`
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Trades per second from the socket into the durable store, of the whole service beside the exchange. */
import { mkdtempSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { Schema } from "effect"
import { startChild } from "./recording/Child.ts"
import { ExchangeState } from "./recording/ExchangeState.ts"
import { countProcessor, peakMb } from "./recording/Processor.ts"
import { checkTape, startService } from "./recording/RecordingService.ts"

const rates = (process.env["BENCH_RATES"] ?? "8000,12000,15000,20000,30000").split(",").map(Number)
const seconds = Number(process.env["BENCH_SECONDS"] ?? 20)
/** The exchange trades a little below its target rate: observed. */
const aim = 1.07
const warmUpMs = 4000
const maxMs = 120_000

const exchangeProgram = fileURLToPath(new URL("./recording/exchange.ts", import.meta.url))
const decodeState = Schema.decodeUnknownSync(ExchangeState)

/** Returns the elapsed milliseconds. */
const until = async (what: string, isSo: () => Promise<boolean>): Promise<number> => {
  const begun = performance.now()
  while (!(await isSo().catch(() => false))) {
    if (performance.now() - begun > maxMs) throw new Error(`${maxMs / 1000} s were not enough: ${what}.`)
    await sleep(50)
  }
  return performance.now() - begun
}

const measure = async (folder: string, rate: number) => {
  const exchange = startChild(exchangeProgram, [String(Math.round(rate * aim))], {}, join(folder, "exchange.log"))
  const ask = async (message: string) => decodeState(await exchange.ask(message))
  const opened = decodeState(await exchange.first)
  const { child, database, status } = await startService(folder, opened)
  try {
    await until("the service did not record", async () => {
      if (!child.isRunning()) throw new Error(child.log())
      const { missing, state, stored } = await status()
      return state === "live" && missing === 0 && stored === opened.trades
    })
    await ask("go")
    await sleep(warmUpMs)

    const timed = async (count: Promise<number>) => ({ count: await count, at: performance.now() / 1000 })
    const look = async () => ({
      offered: await timed(ask("count").then(({ trades }) => trades)),
      stored: await timed(status().then(({ stored }) => stored))
    })
    const before = await look()
    const begun = performance.now()
    const [service, venue] = [countProcessor(child.pid), countProcessor(exchange.pid)]
    await sleep(seconds * 1000)
    const [ofService, ofExchange] = [service(), venue()]
    const took = (performance.now() - begun) / 1000
    const load = loadavg()[0] ?? 0
    const after = await look()

    const { trades } = await ask("stop")
    const caughtUpMs = await until("the tape is not complete", async () => {
      const { gapCount, missing, stored } = await status()
      return stored === trades && missing === 0 && gapCount === 0
    })
    const { backfilled, conflicts, disconnects, dropped } = await status()
    const memory = peakMb(child.pid)
    await child.end("SIGTERM")
    const end = await ask("sums")
    await checkTape(database, end)
    const stored = after.stored.count - before.stored.count
    return {
      offered: (after.offered.count - before.offered.count) / (after.offered.at - before.offered.at),
      stored: stored / (after.stored.at - before.stored.at),
      waiting: Math.max(0, after.offered.count - after.stored.count),
      caughtUpMs,
      backfilled,
      faults: conflicts + disconnects + dropped + end.slowReaders,
      mainMicros: (ofService.main / stored) * 1e6,
      storeMicros: (ofService.other / stored) * 1e6,
      allMicros: (ofService.all / stored) * 1e6,
      exchangeMicros: (ofExchange.all / stored) * 1e6,
      mainPart: ofService.main / took,
      storePart: ofService.other / took,
      memory,
      load,
      trades
    }
  } finally {
    await child.end("SIGKILL")
    await exchange.end("SIGKILL")
  }
}

const describe = (found: Awaited<ReturnType<typeof measure>>) =>
  [
    `  offered ${found.offered.toFixed(0)}/s, stored ${found.stored.toFixed(0)}/s`,
    `0 of ${found.trades} lost`,
    `${found.waiting} waiting at the end, all stored ${(found.caughtUpMs / 1000).toFixed(1)} s later`,
    `backfilled ${found.backfilled}, cuts and conflicts ${found.faults}\n   `,
    `processor per trade: service ${found.allMicros.toFixed(1)} us (main thread ${found.mainMicros.toFixed(1)}, store ${found.storeMicros.toFixed(1)})`,
    `exchange ${found.exchangeMicros.toFixed(1)} us`,
    `busy: main ${(found.mainPart * 100).toFixed(0)} %, store ${(found.storePart * 100).toFixed(0)} %`,
    `peak ${found.memory.toFixed(0)} MB`,
    `load ${found.load.toFixed(1)}`
  ].join(", ")

export const recordingSpeed = async (): Promise<void> => {
  console.log(
    `\nRecording\n  WebSocket to the durable embedded store, exchange on the same cores. Windows of ${seconds} s; then the\n` +
      "  load ends, and the tape of the ended service must be the exchange's: every id once, one run, equal sums."
  )
  for (const rate of rates) {
    const folder = mkdtempSync(join(tmpdir(), "chaintape-bench-"))
    try {
      console.log(describe(await measure(folder, rate)))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

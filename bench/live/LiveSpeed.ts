/** The latency from the exchange's print to many readers of the live stream, and its cost. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { Schema } from "effect"
import { startChild } from "../recording/Child.ts"
import { ExchangeState } from "../recording/ExchangeState.ts"
import { countProcessor, peakMb } from "../recording/Processor.ts"
import { serviceKey, startService } from "../recording/RecordingService.ts"
import { ReadersReport } from "./ReadersReport.ts"

const readers = Number(process.env["BENCH_READERS"] ?? 1000)
const rate = Number(process.env["BENCH_RATE"] ?? 50)
const seconds = Number(process.env["BENCH_SECONDS"] ?? 20)
/** They decode each trade and detect gaps: far fewer fit on the cores. */
const packageReaders = Number(process.env["BENCH_PACKAGE_READERS"] ?? 50)
const resumesPerSecond = Number(process.env["BENCH_RESUMES"] ?? 200)
const maxMs = 120_000

/** The exchange trades a little below its target rate: observed. */
const aim = 1.07

const exchangeProgram = fileURLToPath(new URL("./exchange.ts", import.meta.url))
const packageProgram = fileURLToPath(new URL("./packageReaders.ts", import.meta.url))
const readersProgram = fileURLToPath(new URL("./readers.ts", import.meta.url))
const decodeState = Schema.decodeUnknownSync(ExchangeState)
const decodeReport = Schema.decodeUnknownSync(ReadersReport)

/** Large enough that only the streams are measured. */
const boundless = { burst: 1_000_000, perSecond: 100_000 }
const limits = {
  plans: { default: boundless },
  address: boundless,
  withoutKey: boundless,
  connectionsPerAddress: 4096,
  subscribers: 4000
}

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024

const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  const begun = performance.now()
  while (!(await isSo().catch(() => false))) {
    if (performance.now() - begun > maxMs) throw new Error(`${maxMs / 1000} s were not enough: ${what}.`)
    await sleep(100)
  }
}

const describe = (name: string, count: number, report: ReadersReport, took: number, cost: string) =>
  `  ${name}: ${(report.events / took).toFixed(0)} events/s to ${count} readers, out of order or missing ` +
  `${report.wrong}, gaps ${report.gaps}, ended ${report.ends}, refused ${report.refused}, resumed ${report.resumed}\n` +
  `    print to reader: median ${report.median} ms, p90 ${report.p90} ms, p99 ${report.p99} ms, longest ` +
  `${report.longest} ms\n    ${cost}`

export const liveSpeed = async (): Promise<void> => {
  const url = process.env["DATABASE_URL"]
  const env: Record<string, string> = url === undefined ? {} : { DATABASE_URL: url }
  const folder = mkdtempSync(join(tmpdir(), "chaintape-bench-"))
  const store = url === undefined ? "embedded store" : "PostgreSQL"
  console.log(
    `\nLive streams\n  ${readers} readers of one market, ${rate} trades/s, ${store}; exchange, service and readers on ` +
      "the same cores."
  )
  const exchange = startChild(exchangeProgram, [String(rate * aim)], {}, join(folder, "exchange.log"))
  const service = await startService(folder, decodeState(await exchange.first), { config: { limits }, env })
  const path = "/live/cex/sandbox/BTC-USD/trades"
  try {
    await until("the service did not record", async () => (await service.status()).state === "live")
    const gather = async (program: string, count: number, settleMs: number) => {
      const args = [String(service.port), String(count), serviceKey, path]
      const crowd = startChild(program, args, {}, join(folder, "readers.log"))
      const ask = async (message: string) => decodeReport(await crowd.ask(message))
      await crowd.first
      await until("not all readers were served", async () => (await ask("count")).slowest > 0)
      await sleep(settleMs)
      return { ask, count, crowd }
    }

    const phase = async (name: string, { ask, count, crowd }: Awaited<ReturnType<typeof gather>>) => {
      await ask("begin")
      const begun = performance.now()
      const [ofService, ofReaders] = [countProcessor(service.child.pid), countProcessor(crowd.pid)]
      const before = residentMb(service.child.pid)
      await sleep(seconds * 1000)
      const report = await ask("count")
      const took = (performance.now() - begun) / 1000
      const { all, main } = ofService()
      const busy = (spent: number) => `${((spent / took) * 100).toFixed(0)} %`
      const cost =
        `service ${busy(all)} of a core (main thread ${busy(main)}, ${((main / report.events) * 1e6).toFixed(1)} us an ` +
        `event), readers ${busy(ofReaders().all)}; resident ${before.toFixed(0)} to ` +
        `${residentMb(service.child.pid).toFixed(0)} MB, peak ${peakMb(service.child.pid).toFixed(0)} MB; load ` +
        (loadavg()[0] ?? 0).toFixed(1)
      console.log(describe(name, count, report, took, cost))
    }
    // In its first seconds the package reads pages, once a second.
    const clients = await gather(packageProgram, packageReaders, 15_000)
    await phase("through the package", clients)
    await clients.crowd.end("SIGKILL")
    const all = await gather(readersProgram, readers, 3000)
    const { ask, crowd } = all
    await phase("all stay", all)
    await ask(`cut ${resumesPerSecond}`)
    await phase(`${resumesPerSecond} cut and resumed each second`, all)
    await ask("cut 0")
    await exchange.end("SIGKILL")
    await until("not every reader has the last trade", async () => {
      const { newest, slowest } = await ask("count")
      return newest === slowest && newest === (await service.status().then(() => newest))
    })
    const end = await ask("count")
    console.log(`  at the end every reader has trade ${end.newest}; wrong ${end.wrong}`)
    await crowd.end("SIGKILL")
  } finally {
    await service.child.end("SIGTERM")
    await exchange.end("SIGKILL")
    rmSync(folder, { recursive: true, force: true })
  }
}

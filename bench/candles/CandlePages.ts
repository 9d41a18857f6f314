/** The cost of a year of 1m candles by pages to the process that serves them, compared with `node:http` and the same bytes. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { Schema } from "effect"
import { freePort } from "../indexing/Processes.ts"
import { median } from "../Measure.ts"
import { startChild } from "../recording/Child.ts"
import { countProcessor } from "../recording/Processor.ts"
import { serviceKey } from "../recording/RecordingService.ts"
import type { Asked } from "../serving/Caller.ts"
import { askEach } from "../serving/Caller.ts"
import type { ServedResponse } from "../serving/Sent.ts"
import { ask, checkSame, headersOfRequest, toSentHeaders } from "../serving/Sent.ts"

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 9)
/** Passes until hot code is compiled: a pass of the service reads the store, or not. */
const warmUps = { stored: 2, again: 150 }
const connections = 2

const minuteMs = 60_000
const begin = Date.UTC(2025, 0, 1)
const candles = 525_600
const perPage = 10_000

const program = fileURLToPath(new URL("../../apps/server/src/main.ts", import.meta.url))
const sender = fileURLToPath(new URL("sender.ts", import.meta.url))

const decodePort = Schema.decodeUnknownSync(Schema.Struct({ port: Schema.Int }))

/** A trade of each minute of the year, of the one before and of the one after, as Binance publishes them. */
const writeTrades = (path: string): void => {
  const rows: Array<string> = []
  for (let at = 0; at < candles + 2; at++) {
    const price = `${60_000 + ((at * 7919) % 1000)}.${String((at * 31) % 100).padStart(2, "0")}000000`
    const size = `0.${String(1 + ((at * 104_729) % 99_999)).padStart(5, "0")}000`
    const micros = `${begin + (at - 1) * minuteMs}000`
    rows.push(`${at},${price},${size},${at},${at},${micros},${at % 3 === 0 ? "True" : "False"},True\n`)
  }
  writeFileSync(path, gzipSync(rows.join(""), { level: 1 }))
}

/** The pages of the year, each after the last candle of the previous one. */
const toPaths = (): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil(candles / perPage) }, (_, page) => {
    const limit = Math.min(perPage, candles - page * perPage)
    const since = begin + page * perPage * minuteMs
    return `/v2/cex/binance/BTC-USDT/aggregates/1m?since=${since}&limit=${limit}`
  })

/** A service over the imported trades, which asks no exchange. */
const startService = async (folder: string) => {
  const data = { CHAINTAPE_DATA_DIR: join(folder, "data") }
  const file = join(folder, "BTCUSDT-aggTrades-2025.csv.gz")
  writeTrades(file)
  const imported = startChild(program, ["import", "binance", "BTC-USDT", file], data, join(folder, "import.log"))
  while (imported.isRunning()) await sleep(100)
  const endless = { burst: 1_000_000_000, perSecond: 1_000_000_000 }
  const limits = { plans: { default: endless }, address: endless, withoutKey: endless }
  const config = join(folder, "chaintape.config.json")
  writeFileSync(config, JSON.stringify({ exchanges: [{ id: "binance" }], limits }))
  const port = await freePort()
  const env = {
    ...data,
    PORT: String(port),
    METRICS_PORT: "0",
    CHAINTAPE_CONFIG: config,
    CHAINTAPE_BOOTSTRAP_KEY: serviceKey,
    NODE_OPTIONS: process.env["BENCH_SERVICE_OPTIONS"] ?? ""
  }
  const child = startChild(program, [], env, join(folder, "log"))
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false
    )
  while (!(await isReady())) {
    if (!child.isRunning()) throw new Error(`The service ended:\n${imported.log()}\n${child.log()}`)
    await sleep(100)
  }
  return { child, port, pid: child.pid }
}

const startSender = async (folder: string, responses: ReadonlyArray<readonly [string, ServedResponse]>) => {
  const sent = responses.map(([path, { body, headers }], at) => {
    const bodyFile = join(folder, `page-${at}`)
    writeFileSync(bodyFile, body)
    return { path, headers: toSentHeaders(headers), bodyFile }
  })
  const file = join(folder, "sent.json")
  writeFileSync(file, JSON.stringify(sent))
  const child = startChild(sender, [file], {}, join(folder, "sender.log"))
  return { child, port: decodePort(await child.first).port, pid: child.pid }
}

interface Candidate {
  readonly name: string
  readonly port: number
  readonly pid: number
  readonly headers: Readonly<Record<string, string>>
}

/** CPU milliseconds of all threads for the year. */
const measure = async ({ headers, pid, port }: Candidate, pages: ReadonlyArray<Omit<Asked, "headers">>) => {
  const spent = countProcessor(pid)
  await askEach(
    port,
    pages.map((page) => ({ ...page, headers: { ...headersOfRequest, ...headers } })),
    connections
  )
  const { all, main } = spent()
  return { all: all * 1000, main: main * 1000 }
}

const compare = async (
  candidates: ReadonlyArray<Candidate>,
  pages: ReadonlyArray<Omit<Asked, "headers">>,
  passes: number
) => {
  const costs = candidates.map((): Array<{ readonly all: number; readonly main: number }> => [])
  for (let round = -passes; round < rounds; round++) {
    for (const [at, candidate] of candidates.entries()) {
      const cost = await measure(candidate, pages)
      if (round >= 0) costs[at]?.push(cost)
    }
  }
  for (const [at, { name }] of candidates.entries()) {
    const own = costs[at] ?? []
    // From the same round, so that disturbances of the machine affect both.
    const ratios = own.map(({ all }, round) => all / (costs[0]?.[round]?.all ?? all))
    console.log(
      `  ${name.padEnd(44)}${median(own.map(({ all }) => all))
        .toFixed(1)
        .padStart(8)} ms` +
        `  ${median(ratios).toFixed(2).padStart(6)}x (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})` +
        `  main thread ${median(own.map(({ main }) => main))
          .toFixed(1)
          .padStart(8)} ms`
    )
  }
}

export const candlePages = async (): Promise<void> => {
  console.log(
    `\nA year of 1m candles\n  ${candles} candles in pages of ${perPage} over ${connections} connections, medians of ${rounds}.\n` +
      "  Processor time of the serving process, all of its threads, and the ratio to node:http with the same bytes."
  )
  const folder = mkdtempSync(join(tmpdir(), "chaintape-bench-"))
  const children: Array<ReturnType<typeof startChild>> = []
  try {
    const service = await startService(folder)
    children.push(service.child)
    const responses: Array<readonly [string, ServedResponse]> = []
    for (const path of toPaths()) responses.push([path, await ask(service.port, path)])
    const count = responses.reduce((sum, [, { body }]) => sum + body.toString().split('{"t":').length - 1, 0)
    const isProven = responses.every(([, { headers }]) => headers["chaintape-coverage"]?.startsWith("complete=?1,"))
    if (count !== candles || !isProven) throw new Error(`${count} candles, proven: ${isProven}`)
    const other = await startSender(folder, responses)
    children.push(other.child)
    for (const [path, response] of responses) checkSame("node:http", path, response, await ask(other.port, path))
    const pages = responses.map(([path, { body }]) => ({ path, bytes: body.length }))
    console.log(`  ${pages.length} pages, ${pages.reduce((sum, { bytes }) => sum + bytes, 0)} bytes`)
    const bare = { name: "node:http, from memory", ...other, headers: {} }
    await compare([bare, { name: "service, the same pages again", ...service, headers: {} }], pages, warmUps.again)
    // A body is announced, though it is empty, which bypasses the cache.
    const headers = { "content-length": "0" }
    await compare(
      [bare, { name: "service, read from the store each time", ...service, headers }],
      pages,
      warmUps.stored
    )
    console.log(`  load of the machine ${(loadavg()[0] ?? 0).toFixed(1)}`)
  } finally {
    for (const child of children) await child.end("SIGKILL")
    rmSync(folder, { recursive: true, force: true })
  }
}

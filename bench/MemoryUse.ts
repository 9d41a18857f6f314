/** Resident memory and idle processor time of the service: the offline start with the demo open, and an API instance. */
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { Effect, Schema } from "effect"
import type { Candidate } from "./indexing/Candidate.ts"
import { chaintape } from "./indexing/Chaintape.ts"
import { ponder } from "./indexing/Ponder.ts"
import { freePort } from "./indexing/Processes.ts"
import { toDevnet, http, makeSwapChain } from "./indexing/SwapChain.ts"
import type { SwapChain } from "./indexing/SwapChain.ts"
import { median } from "./Measure.ts"
import { askMixed } from "./memory/MixedRequests.ts"
import { descendants, growth, residentMb, sample } from "./memory/Resident.ts"
import type { Sample } from "./memory/Resident.ts"

const minutes = Number(process.env["BENCH_MINUTES"] ?? 10)
const requests = Number(process.env["BENCH_REQUESTS"] ?? 100_000)
const browser = process.env["CHAINTAPE_CHROMIUM"]
const database = process.env["DATABASE_URL"]

const program = fileURLToPath(new URL("../apps/server/src/main.ts", import.meta.url))
const key = "a-key-of-the-benchmark-only"

interface Running {
  readonly pid: number
  readonly log: () => string
  readonly end: () => Promise<void>
}

const run = (
  command: string,
  args: ReadonlyArray<string>,
  cwd: string,
  env: Readonly<Record<string, string>>
): Running => {
  const parts: Array<string> = []
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => parts.push(part.toString()))
  const pid = child.pid ?? 0
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  const kill = () => {
    for (const one of [...descendants(pid), pid]) {
      try {
        process.kill(one, "SIGKILL")
      } catch {
        // It has ended.
      }
    }
  }
  process.once("exit", kill)
  return {
    pid,
    log: () => parts.join(""),
    end: async () => {
      child.kill("SIGTERM")
      await Promise.race([ended, sleep(10_000)])
      kill()
      process.off("exit", kill)
    }
  }
}

const until = async <A>(
  what: string,
  log: () => string,
  look: () => A | undefined | Promise<A | undefined>
): Promise<A> => {
  for (const begun = performance.now(); performance.now() - begun < 180_000; await sleep(200)) {
    const found = await look()
    if (found !== undefined) return found
  }
  throw new Error(`${what} was not there in time:\n${log()}`)
}

const startService = async (folder: string, env: Readonly<Record<string, string>>) => {
  mkdirSync(folder, { recursive: true })
  const service = run(process.execPath, ["--conditions=chaintape-source", program], folder, {
    PORT: "0",
    METRICS_PORT: "0",
    CHAINTAPE_DATA_DIR: join(folder, "data"),
    CHAINTAPE_BOOTSTRAP_KEY: key,
    ...env
  })
  const origin = await until("The service", service.log, () => /ready at (\S+)/.exec(service.log())?.[1])
  return { ...service, origin }
}

const row = (name: string, samples: ReadonlyArray<Sample>) => {
  const half = samples.slice(Math.floor(samples.length / 2))
  const of = (field: keyof Sample) => median(half.map((one) => one[field])).toFixed(0)
  console.log(
    `  ${name.padEnd(44)}${of("ownMb").padStart(6)} MB, its children ${of("childrenMb").padStart(5)} MB, ` +
      `${growth(half).toFixed(2).padStart(6)} MB a minute, processor ${of("processor").padStart(4)} ms a second`
  )
}

const openDemo = (folder: string, url: string): Running | undefined =>
  browser === undefined
    ? undefined
    : run(
        browser,
        ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0"].concat(
          `--user-data-dir=${join(folder, "profile")}`,
          url
        ),
        folder,
        {}
      )

const measureOffline = async (folder: string) => {
  const service = await startService(folder, {})
  const demo = openDemo(folder, `${service.origin}/#key=${key}`)
  try {
    const samples = await sample(service.pid, { count: minutes, everyMs: 60_000 }, ({ childrenMb, minute, ownMb }) => {
      console.log(`  minute ${minute}: ${ownMb.toFixed(0)} MB, its children ${childrenMb.toFixed(0)} MB`)
    })
    row(demo === undefined ? "offline start (no browser)" : "offline start, the demo open", samples)
  } finally {
    await demo?.end()
    await service.end()
  }
}

const endless = { burst: 1_000_000_000, perSecond: 1_000_000_000 }

/** An instance that only answers, beside one that records and indexes the sandbox, over one PostgreSQL. */
const measureApi = async (folder: string, url: string) => {
  const world = await startService(join(folder, "world"), { DATABASE_URL: url, CHAINTAPE_ROLES: "recorder,indexer" })
  const config = join(folder, "api.json")
  const own = readFileSync(join(folder, "world", "data", "sandbox.json"), "utf8")
  const limits = { plans: { default: endless }, address: endless, withoutKey: endless }
  writeFileSync(config, JSON.stringify({ ...JSON.parse(own), limits }))
  const api = await startService(join(folder, "api"), {
    DATABASE_URL: url,
    CHAINTAPE_ROLES: "api",
    CHAINTAPE_CONFIG: config
  })
  try {
    const before = residentMb(api.pid)
    const statuses = await askMixed(Number(new URL(api.origin).port), key, requests)
    const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} of ${status}`)
    console.log(
      `  API instance, PostgreSQL: ${before.toFixed(0)} MB; ${requests} mixed requests (${counts.join(", ")})`
    )
    row("API instance afterwards", await sample(api.pid, { count: 4, everyMs: 15_000 }))
  } finally {
    await api.end()
    await world.end()
  }
}

const decodeExchanges = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ id: Schema.String })))

/** All exchanges of the catalog asked once. Idle connections close after ten minutes. */
const measureCatalog = async (folder: string, url: string) => {
  mkdirSync(folder, { recursive: true })
  const config = join(folder, "catalog.json")
  writeFileSync(config, JSON.stringify({ limits: { plans: { default: endless }, address: endless } }))
  const api = await startService(folder, { DATABASE_URL: url, CHAINTAPE_ROLES: "api", CHAINTAPE_CONFIG: config })
  try {
    const ask = async (path: string) => await fetch(`${api.origin}${path}`, { headers: { "api-key": key } })
    const ids = decodeExchanges(await (await ask("/v2/cex/exchanges")).json()).map(({ id }) => id)
    const before = residentMb(api.pid)
    const statuses: Record<number, number> = {}
    for (const id of ids) {
      const { body, status } = await ask(`/v2/cex/${id}/BTC-USD/lasttrade`)
      await body?.cancel()
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    const after = residentMb(api.pid)
    console.log(
      `  API instance, ${ids.length} exchanges asked once (${JSON.stringify(statuses)}): ` +
        `${before.toFixed(0)} MB before, ${after.toFixed(0)} MB at once`
    )
    row("API instance, after the idle time", await sample(api.pid, { count: 12, everyMs: 60_000 }))
  } finally {
    await api.end()
  }
}

const chainOptions = { seed: 1, swaps: 5000, swapsPerBlock: 100, idleBlocks: 64, progress: () => {} }

const measureIdle = async (folder: string, candidate: Candidate, chain: SwapChain) => {
  const port = await freePort()
  const { args, cwd, env } = candidate.command(chain, { port, dataDir: join(folder, candidate.name) })
  const one = run(process.execPath, args, cwd, env)
  try {
    await until(candidate.name, one.log, async () => {
      const response = await fetch(`http://127.0.0.1:${port}${candidate.readyPath}`).catch(() => undefined)
      await response?.body?.cancel()
      return response?.status === 200 ? true : undefined
    })
    row(`${candidate.name}, 5,000 swaps indexed, idle`, await sample(one.pid, { count: 4, everyMs: 15_000 }))
  } finally {
    await one.end()
  }
}

export const memoryUse = async (): Promise<void> => {
  console.log(`\nMemory\n  Resident memory and processor time; medians of the second half, and the growth in it.`)
  const folder = mkdtempSync(join(tmpdir(), "chaintape-bench-"))
  try {
    await Effect.runPromise(
      makeSwapChain(chainOptions).pipe(
        Effect.flatMap((chain) =>
          Effect.promise(async () => {
            for (const candidate of [ponder("0.16.10"), chaintape]) await measureIdle(folder, candidate, chain)
          })
        ),
        Effect.provide([toDevnet(chainOptions), http]),
        Effect.scoped
      )
    )
    if (database === undefined) console.log("  DATABASE_URL names no empty database to measure an API instance with.")
    else {
      await measureApi(join(folder, "server"), database)
      await measureCatalog(join(folder, "catalog"), database)
    }
    await measureOffline(join(folder, "offline"))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

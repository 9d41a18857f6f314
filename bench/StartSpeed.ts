/** Time from the start of a process to its first response, compared with minimal servers. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { freePort } from "./indexing/Processes.ts"
import { median } from "./Measure.ts"
import type { Child } from "./recording/Child.ts"
import { startChild } from "./recording/Child.ts"
import { countProcessor, peakMb } from "./recording/Processor.ts"
import { writeSent } from "./serving/Sent.ts"
import { install, startPeer } from "./serving/Servers.ts"

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5)
const maxMs = 120_000
const path = "/health/ready"

const program = fileURLToPath(new URL("../apps/server/src/main.ts", import.meta.url))

interface Started {
  readonly ms: number
  readonly processorMs: number
  readonly peakMb: number
}

const isReady = async (port: number): Promise<boolean> => {
  try {
    const { body, status } = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2000) })
    await body?.cancel()
    return status === 200
  } catch {
    return false // it does not listen yet
  }
}

const untilReady = async (child: Child, port: number, begun: number): Promise<Started> => {
  while (!(await isReady(port))) {
    if (!child.isRunning()) throw new Error(`It ended:\n${child.log()}`)
    if (performance.now() - begun > maxMs) throw new Error("It did not answer in time.")
    await sleep(5)
  }
  const ms = performance.now() - begun
  return { ms, processorMs: countAll(child.pid), peakMb: peakMb(child.pid) }
}

/** Since the start of the process. */
const countAll = (pid: number): number => countProcessor(pid, "start")().all * 1000

const timeServiceStart = async (folder: string, env: Readonly<Record<string, string>>): Promise<Started> => {
  const port = await freePort()
  const config = join(folder, "chaintape.config.json")
  writeFileSync(config, "{}")
  const given = {
    PORT: String(port),
    METRICS_PORT: "0",
    CHAINTAPE_CONFIG: config,
    CHAINTAPE_DATA_DIR: join(folder, "data"),
    ...env
  }
  const begun = performance.now()
  const child = startChild(program, [], given, join(folder, "log"))
  try {
    return await untilReady(child, port, begun)
  } finally {
    await child.end("SIGTERM")
  }
}

const timePeerStart = async (kind: string, folder: string, sent: string): Promise<Started> => {
  const begun = performance.now()
  const { child, port } = await startPeer(kind, kind, folder, sent)
  try {
    return await untilReady(child, port, begun)
  } finally {
    await child.end("SIGKILL")
  }
}

const measure = async (folder: string, sent: string): Promise<ReadonlyMap<string, Started>> => {
  const data = mkdtempSync(join(folder, "data-"))
  const server = process.env["DATABASE_URL"]
  return new Map([
    ["node:http", await timePeerStart("node", folder, sent)],
    ["fastify 5.12.8", await timePeerStart("fastify", folder, sent)],
    ["hono 4.13.19", await timePeerStart("hono", folder, sent)],
    ["service, new embedded store", await timeServiceStart(data, {})],
    ["service, the same store again", await timeServiceStart(data, {})],
    ...(server === undefined
      ? []
      : [["service, PostgreSQL", await timeServiceStart(data, { DATABASE_URL: server })] as const])
  ])
}

export const startSpeed = async (): Promise<void> => {
  console.log(
    `\nCold start\n  From the start of the process to its first answer with 200; medians of ${rounds} rounds in turns.`
  )
  install()
  const folder = mkdtempSync(join(tmpdir(), "chaintape-bench-"))
  try {
    mkdirSync(folder, { recursive: true })
    const question = { name: "", template: path, path, requests: 1, connections: 1 }
    const sent = writeSent(folder, [[question, { headers: {}, body: Buffer.from("{}") }]])
    const found = new Map<string, Array<Started>>()
    for (let round = 0; round < rounds; round++) {
      for (const [name, one] of await measure(folder, sent)) found.set(name, [...(found.get(name) ?? []), one])
    }
    for (const [name, all] of found) {
      const of = (field: keyof Started) => median(all.map((one) => one[field])).toFixed(0)
      console.log(
        `  ${name.padEnd(32)}${of("ms").padStart(7)} ms, processor ${of("processorMs").padStart(6)} ms, memory ${of("peakMb")} MB`
      )
    }
    console.log(`  load of the machine ${(loadavg()[0] ?? 0).toFixed(1)}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { Schema } from "effect"
import type { Child } from "../recording/Child.ts"
import { startChild } from "../recording/Child.ts"
import type { ExchangeState } from "../recording/ExchangeState.ts"
import { startService } from "../recording/RecordingService.ts"

const source = fileURLToPath(new URL("../peers", import.meta.url))
const installed = fileURLToPath(new URL("../../artifacts/bench/serving", import.meta.url))

/** Installs the servers beside packages of their own, outside the workspace, at the first use. */
export const install = (): void => {
  mkdirSync(installed, { recursive: true })
  for (const name of ["package.json", "servers.ts"]) cpSync(join(source, name), join(installed, name))
  if (existsSync(join(installed, "node_modules/fastify"))) return
  console.log(`  installing fastify and hono into ${installed}`)
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: installed, stdio: "inherit" })
}

export interface Server {
  readonly name: string
  readonly port: number
  readonly pid: number
  readonly child: Child
  readonly end: () => Promise<void>
}

const decodePort = Schema.decodeUnknownSync(Schema.Struct({ port: Schema.Int }))

/** A server that sends the content of `sent` from memory. */
export const startPeer = async (kind: string, name: string, folder: string, sent: string): Promise<Server> => {
  const child = startChild(join(installed, "servers.ts"), [kind, sent], {}, join(folder, `${kind}.log`))
  const { port } = decodePort(await child.first)
  return { name, port, pid: child.pid, child, end: () => child.end("SIGKILL") }
}

const recordedWithinMs = 180_000

/** Trades before its first start, which a recording requests. */
export const history = 50_000

/** No request is rejected, and each passes every limit of a default installation. */
const endless = { burst: 1_000_000_000, perSecond: 1_000_000_000 }
const toLimits = (plan: object) => ({
  plans: { default: { ...endless, ...plan } },
  address: endless,
  withoutKey: endless
})

/** The whole service, once its tape of the exchange is complete. */
export const startRecorded = async (
  name: string,
  folder: string,
  exchange: ExchangeState,
  env: Readonly<Record<string, string>>,
  plan: { readonly perDay?: number; readonly concurrency?: number } = {}
): Promise<Server> => {
  const { child, port, status } = await startService(folder, exchange, { config: { limits: toLimits(plan) }, env })
  const begun = performance.now()
  for (;;) {
    const found = await status().catch(() => undefined)
    if (found?.state === "live" && found.missing === 0 && found.gapCount === 0 && found.stored === history) break
    if (!child.isRunning()) throw new Error(`${name} ended:\n${child.log()}`)
    if (performance.now() - begun > recordedWithinMs) {
      throw new Error(`${name} has not recorded the exchange in time: ${JSON.stringify(found)}`)
    }
    await sleep(100)
  }
  return { name, port, pid: child.pid, child, end: () => child.end("SIGTERM") }
}

/** Receives exported telemetry, and discards it. */
export const startSink = (): Promise<{
  readonly url: string
  readonly received: () => number
  readonly end: () => void
}> =>
  new Promise((resolve) => {
    let received = 0
    const server = createServer((request, response) => {
      request.on("data", (part: Buffer) => {
        received += part.length
      })
      request.on("end", () => response.writeHead(200, { "content-type": "application/x-protobuf" }).end())
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const end = () => void server.close().closeAllConnections()
      resolve({ url: `http://127.0.0.1:${port}`, received: () => received, end })
    })
  })

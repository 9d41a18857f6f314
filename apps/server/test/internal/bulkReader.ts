import { createHash } from "node:crypto"
import { Agent, request } from "node:http"
import { parentPort, workerData } from "node:worker_threads"

// Readers with their own event loop: they measure the service, not the test.
const { count, headers, origin, path, pings } = workerData as {
  readonly origin: string
  readonly path: string
  readonly headers: Record<string, string>
  /** Concurrent requests; with `pings` requests one after the other, until told to stop. */
  readonly count: number
  readonly pings: boolean
}

const tell = (message: unknown) => parentPort?.postMessage(message, [])

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

const read = () =>
  new Promise<{ status: number; bytes: number; rows: number; digest: string; ms: number }>((resolve, reject) => {
    const start = performance.now()
    const { hostname, port } = new URL(origin)
    request({ hostname, port, path, headers, agent }, (incoming) => {
      const parts: Array<Buffer> = []
      incoming.on("data", (part: Buffer) => parts.push(part))
      incoming.on("error", reject)
      incoming.on("end", () => {
        const ms = performance.now() - start
        const body = Buffer.concat(parts)
        let rows = 0
        for (let at = body.indexOf('"id":'); at >= 0; at = body.indexOf('"id":', at + 5)) rows++
        const digest = createHash("sha1").update(body).digest("hex")
        resolve({ status: incoming.statusCode ?? 0, bytes: body.length, rows, digest, ms })
      })
    })
      .on("error", reject)
      .end()
  })

if (pings) {
  const told = { toStop: false }
  parentPort?.on("message", () => {
    told.toStop = true
  })
  const times: Array<number> = []
  await read()
  tell("ready")
  while (!told.toStop) {
    times.push((await read()).ms)
    await new Promise((resolve) => setTimeout(resolve, 3))
  }
  tell(times)
  parentPort?.close()
} else {
  tell("ready")
  parentPort?.once("message", async () => {
    tell(await Promise.all(Array.from({ length: count }, read)))
    parentPort?.close()
  })
}
agent.on("free", (socket) => socket.unref())

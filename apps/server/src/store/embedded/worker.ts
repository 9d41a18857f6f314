import { exit } from "node:process"
import { parentPort } from "node:worker_threads"
import { lowMemoryOptions, LowMemoryPGlite } from "./LowMemoryPGlite.ts"

type Call =
  | { readonly id: number; readonly op: "reset" | "close" }
  | { readonly id: number; readonly op: "exec"; readonly message: Uint8Array }

const maxMessageBytes = 1 << 20
const sync = new Uint8Array([0x53, 0, 0, 0, 4]) // ends a half-sent extended query

// The imports above are loaded before the directory is known.
const dataDir = await new Promise<string>((resolve) => {
  parentPort?.once("message", (order: { readonly dataDir: string }) => resolve(order.dataDir))
})
const database = new LowMemoryPGlite(dataDir, lowMemoryOptions)
await database.waitReady
const answer = (message: object, give: Array<ArrayBuffer> = []) => parentPort?.postMessage(message, give)

/** The last output of the engine: the reason, if it ends. */
let lastOutput = new Uint8Array(0)

// The thread ends at once, in the middle of the call.
database.onEnd = () => {
  const fields = Buffer.from(lastOutput).toString("utf8").split("\0")
  answer({ ended: fields.find((field) => field.startsWith("M"))?.slice(1) ?? "without a message" })
  exit(1)
}

/** The engine emits 8 KiB at a time, and a message to the other thread costs as much as copying many of those. */
const outbox = (id: number) => {
  let parts: Array<Uint8Array<ArrayBuffer>> = []
  let size = 0
  const flush = () => {
    const [only] = parts
    if (only === undefined) return
    const data = parts.length === 1 ? only : new Uint8Array(size)
    if (data !== only) {
      let at = 0
      for (const part of parts) {
        data.set(part, at)
        at += part.length
      }
    }
    parts = []
    size = 0
    answer({ id, data }, [data.buffer])
  }
  const add = (view: Uint8Array) => {
    lastOutput = new Uint8Array(view) // a copy: the view is of the engine's heap
    parts.push(lastOutput)
    size += view.length
    if (size >= maxMessageBytes) flush()
  }
  return { add, flush }
}

const run = async (call: Call): Promise<void> => {
  if (call.op === "exec") {
    const { add, flush } = outbox(call.id)
    await database.runExclusive(() => database.execProtocolRawStream(call.message, { onRawData: add })).finally(flush)
  } else if (call.op === "reset") {
    await database.runExclusive(() => database.execProtocolRawStream(sync, { onRawData: () => {} }))
    await database.exec("ROLLBACK")
    await database.exec("DISCARD ALL") // also drops prepared statements, whose names restart at 1
  } else {
    await database.close()
  }
}

parentPort?.on("message", (call: Call) => {
  run(call).then(
    () => answer({ id: call.id, done: true }),
    (error) => answer({ id: call.id, error: String(error) })
  )
})
answer({ ready: true })

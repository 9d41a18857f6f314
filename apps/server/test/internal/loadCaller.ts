import { connect, type Socket } from "node:net"

/**
 * Minimal callers in their own process, because they share the machine with the service: sockets that only detect the
 * end of each response. The arguments are the origin, the path, the key, requests per second (0: as many as `callers`
 * can send, each after its last response), the number of callers, and the milliseconds. It writes one line of JSON: the
 * number of responses by status, and the duration of each.
 */
const [origin = "", path = "", key = "", rate = "0", callers = "16", duration = "3000"] = process.argv.slice(2)
const { host, hostname, port } = new URL(origin)
const message = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\napi-key: ${key}\r\n\r\n`)
const times: Record<string, Array<number>> = {}

const endOfHead = Buffer.from("\r\n\r\n")
const lastChunk = Buffer.from("0\r\n\r\n")

/** Parses one response at a time. */
class Caller {
  #socket: Socket | undefined
  #begun = 0
  #status = ""
  /** The length of the body, if the head states it; otherwise it is chunked. */
  #left: number | undefined
  #tail = Buffer.alloc(0)
  #done: () => void = () => {}

  ask(): Promise<void> {
    this.#begun = performance.now()
    this.#status = ""
    this.#tail = Buffer.alloc(0)
    const socket = this.#socket ?? this.#open()
    socket.write(message)
    return new Promise((resolve) => {
      this.#done = resolve
    })
  }

  close() {
    this.#socket?.destroy()
  }

  #open(): Socket {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    socket.on("data", (part) => this.#read(part))
    socket.on("error", () => {})
    socket.on("close", () => {
      this.#socket = undefined
      if (this.#begun > 0) this.#finish(this.#status === "" ? "failed" : "broken")
    })
    this.#socket = socket
    return socket
  }

  #read(part: Buffer) {
    let body = part
    if (this.#status === "") {
      // The service sends a head in one write.
      const at = part.indexOf(endOfHead)
      const head = part.toString("latin1", 0, at)
      this.#status = head.slice(9, 12)
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
      this.#left = length === undefined ? undefined : Number(length)
      body = part.subarray(at + endOfHead.length)
    }
    if (this.#left !== undefined) this.#left -= body.length
    this.#tail = Buffer.concat([this.#tail, body.subarray(-lastChunk.length)]).subarray(-lastChunk.length)
    const isWhole = this.#left === undefined ? this.#tail.equals(lastChunk) : this.#left <= 0
    if (isWhole) this.#finish(this.#status)
  }

  #finish(status: string) {
    const list = (times[status] ??= [])
    list.push(performance.now() - this.#begun)
    this.#begun = 0
    this.#done()
  }
}

const all = Array.from({ length: Number(callers) }, () => new Caller())
const started = performance.now()
const left = () => Number(duration) - (performance.now() - started)

const closed = async (caller: Caller) => {
  while (left() > 0) await caller.ask()
}

const open = async () => {
  const free = all.toReversed()
  const pending = new Set<Promise<void>>()
  let made = 0
  while (left() > 0) {
    const due = ((performance.now() - started) / 1000) * Number(rate)
    for (; made < due; made++) {
      // At most one per connection: a request without a free connection waits here, not in the service.
      const caller = free.pop()
      if (caller === undefined) continue
      const one: Promise<void> = caller.ask().then(() => {
        free.push(caller)
        pending.delete(one)
      })
      pending.add(one)
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await Promise.all(pending)
}

if (Number(rate) > 0) await open()
else await Promise.all(all.map(closed))
const elapsedMs = performance.now() - started
for (const caller of all) caller.close()
const round = (list: ReadonlyArray<number>) => list.map((ms) => Math.round(ms * 10) / 10).toSorted((a, b) => a - b)
process.stdout.write(
  JSON.stringify({
    elapsedMs,
    answers: Object.entries(times).map(([status, list]) => ({ status, times: round(list) }))
  })
)

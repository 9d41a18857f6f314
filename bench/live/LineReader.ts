import { connect } from "node:net"
import type { Socket } from "node:net"

/** The totals of all readers. Latencies are a histogram in milliseconds; the last bucket holds all larger ones. */
export interface Seen {
  events: number
  /** Trades that did not follow the previous one. */
  wrong: number
  gaps: number
  ends: number
  resumed: number
  refused: number
  readonly latencies: Uint32Array
}

export const newSeen = (): Seen => ({
  events: 0,
  wrong: 0,
  gaps: 0,
  ends: 0,
  resumed: 0,
  refused: 0,
  latencies: new Uint32Array(20_000)
})

/** A minimal reader of a stream of trades on its own socket: it parses only the lines with ids. */
export class LineReader {
  readonly #port: number
  readonly #head: string
  readonly #seen: () => Seen
  #socket: Socket | undefined
  #rest = ""
  #cursor: string | undefined
  #sequence: number | undefined
  #name = ""

  constructor(port: number, path: string, key: string, seen: () => Seen) {
    this.#port = port
    this.#head = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\napi-key: ${key}\r\n`
    this.#seen = seen
  }

  /** The newest trade received. */
  get sequence(): number | undefined {
    return this.#sequence
  }

  open(): void {
    const socket = connect(this.#port, "127.0.0.1")
    const resume = this.#cursor === undefined ? "" : `last-event-id: ${this.#cursor}\r\n`
    socket.write(`${this.#head}${resume}\r\n`)
    socket.setEncoding("latin1")
    let isFirst = true
    socket.on("data", (text: string) => {
      if (this.#socket !== socket) return
      if (isFirst && !text.startsWith("HTTP/1.1 200")) {
        this.#seen().refused++
        socket.destroy()
        return
      }
      isFirst = false
      this.#read(text, Date.now())
    })
    const again = () => {
      if (this.#socket === socket) setTimeout(() => this.open(), 100)
    }
    socket.on("error", () => {})
    socket.on("close", again)
    this.#rest = ""
    this.#socket = socket
  }

  /** Drops the connection, and resumes at once after the last complete event. */
  resume(): void {
    const before = this.#socket
    this.#seen().resumed++
    this.open()
    before?.destroy()
  }

  close(): void {
    const socket = this.#socket
    this.#socket = undefined
    socket?.destroy()
  }

  #read(text: string, now: number): void {
    const all = this.#rest + text
    let start = 0
    for (let end = all.indexOf("\n"); end >= 0; end = all.indexOf("\n", start)) {
      const first = all.charCodeAt(start)
      if (first === 101 && all.startsWith("event: ", start)) this.#event(all.slice(start + 7, end))
      else if (first === 105 && all.startsWith("id: ", start)) this.#id(all.slice(start + 4, end), now)
      start = end + 1
    }
    this.#rest = all.slice(start)
  }

  #event(name: string): void {
    this.#name = name
    if (name === "gap") this.#seen().gaps++
    if (name === "end") this.#seen().ends++
  }

  #id(cursor: string, now: number): void {
    this.#cursor = cursor
    const dash = cursor.indexOf("-")
    const sequence = Number(cursor.slice(1, dash))
    if (this.#name === "trade") {
      const seen = this.#seen()
      seen.events++
      if (this.#sequence !== undefined && sequence !== this.#sequence + 1) seen.wrong++
      const late = now - Number(cursor.slice(dash + 1))
      const at = Math.max(0, Math.min(seen.latencies.length - 1, late))
      seen.latencies[at] = (seen.latencies[at] ?? 0) + 1
    }
    this.#sequence = sequence
  }
}

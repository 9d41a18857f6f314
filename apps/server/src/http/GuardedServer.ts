import { randomUUID } from "node:crypto"
import { IncomingMessage, Server, ServerResponse } from "node:http"
import type { ServerOptions } from "node:http"
import { Socket } from "node:net"
import { Overloaded } from "@chaintape/core/problem/Problem"
import { Schema } from "effect"
import { everywhere } from "./EveryAnswer.ts"

export interface Guard {
  /** Whether there is a place for a new connection. */
  readonly admit: (socket: Socket) => boolean
  /** Why a request may not come in, as a sentence. */
  readonly obstacle: () => string | undefined
  /** Told of each answer before it is begun. */
  readonly watch: (response: ServerResponse) => void
  /** Answers a request at once, or leaves it untouched: false. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Told when no more connections are taken. */
  readonly stop: () => void
}

const encode = Schema.encodeSync(Overloaded)

const retryAfterMs = 1000

/** Machines that watch over the service must hear of it when it is busy most of all. */
export const isWatch = (url: string | undefined) => url === "/health/live" || url === "/metrics"

const headers = {
  ...everywhere,
  "content-type": "application/problem+json",
  "cache-control": "no-store",
  "retry-after": "1"
}

/** The problem without its last member and its end. */
const beginningOf = (detail: string): string =>
  JSON.stringify(encode(new Overloaded({ retryAfterMs, detail }))).slice(0, -1)

const refuse = (response: ServerResponse, beginning: string): void => {
  const requestId = randomUUID()
  const body = `${beginning},"requestId":"${requestId}"}`
  response
    .writeHead(503, { ...headers, "content-length": Buffer.byteLength(body), "x-request-id": requestId })
    .end(body)
}

/** A server that refuses requests for which there is no room, at the price of a line of text. */
export class GuardedServer extends Server {
  readonly #guard: Guard
  /** By their sentence: there are few, told thousands of times a second. */
  readonly #beginnings = new Map<string, string>()

  constructor(options: ServerOptions, guard: Guard) {
    super(options)
    this.#guard = guard
  }

  override close(callback?: (error?: Error) => void): this {
    this.#guard.stop()
    return super.close(callback)
  }

  override emit(event: string, ...args: Array<unknown>): boolean {
    const [request, response] = args
    if (event === "connection" && request instanceof Socket && !this.#guard.admit(request)) {
      request.destroy()
      return true
    }
    const isRequest = event === "request" || event === "checkContinue"
    if (!isRequest || !(request instanceof IncomingMessage) || !(response instanceof ServerResponse)) {
      return super.emit(event, ...args)
    }
    const obstacle = isWatch(request.url) ? undefined : this.#guard.obstacle()
    if (obstacle !== undefined) {
      const beginning = this.#beginnings.get(obstacle) ?? beginningOf(obstacle)
      this.#beginnings.set(obstacle, beginning)
      refuse(response, beginning)
      return true
    }
    // While the server stops, each answer ends its connection: that is seen to the long way.
    const isAnswered = event === "request" && this.listening && this.#guard.answer(request, response)
    // What the operating system has taken whole needs no more attention.
    if (isAnswered && response.socket?.writableLength === 0) return true
    this.#attend(response)
    return isAnswered || super.emit(event, ...args)
  }

  #attend(response: ServerResponse): void {
    this.#guard.watch(response)
    // A connection that was busy when the service began to stop would hold it up for as long as it is kept alive.
    response.on("close", () => this.listening || this.closeIdleConnections())
  }
}

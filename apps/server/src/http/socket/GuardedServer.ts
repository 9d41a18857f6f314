import { randomUUID } from "node:crypto"
import { Server, ServerResponse } from "node:http"
import type { ServerOptions } from "node:http"
import { Socket } from "node:net"
import { Overloaded } from "@chaintape/core/problem/Problem"
import { Schema } from "effect"
import type { Serve } from "../cache/FastPath.ts"
import { ContextualRequest } from "../request/RequestContext.ts"
import { everywhere } from "../response/EveryAnswer.ts"
import { answerAmbiguous, findAmbiguity } from "./MalformedRequests.ts"

export interface Guard {
  /** Whether a new connection may be accepted. */
  readonly admit: (socket: Socket) => boolean
  /** Why a request is rejected, as a sentence. */
  readonly refusalReason: () => string | undefined
  /** Called before each response begins. */
  readonly watch: (response: ServerResponse) => void
  /** Called with each admitted request before the routes. */
  readonly serve: Serve
  /** Called when no more connections are accepted. */
  readonly stop: () => void
}

const encode = Schema.encodeSync(Overloaded)

const retryAfterMs = 1000

/** The port is open before the routes are ready. */
const starting = "The service is starting: try again in a second."

/** Health checks must be answered above all when the service is busy. */
export const isHealthProbe = (url: string | undefined) => url === "/health/live"

const headers = {
  ...everywhere,
  "content-type": "application/problem+json",
  "cache-control": "no-store",
  "retry-after": "1"
}

/** The problem without its last member and its closing brace. */
const toBeginning = (detail: string): string =>
  JSON.stringify(encode(new Overloaded({ retryAfterMs, detail }))).slice(0, -1)

const refuse = (response: ServerResponse, beginning: string): void => {
  const requestId = randomUUID()
  const body = `${beginning},"requestId":"${requestId}"}`
  response
    .writeHead(503, { ...headers, "content-length": Buffer.byteLength(body), "x-request-id": requestId })
    .end(body)
}

/** A server that rejects requests beyond its capacity at the cost of writing a line of text. */
export class GuardedServer extends Server<typeof ContextualRequest> {
  readonly #guard: Guard
  /** By their sentence: there are few, sent thousands of times a second. */
  readonly #beginnings = new Map<string, string>()
  /** Nothing that follows an ambiguous request is read as a request. */
  readonly #ended = new WeakSet<Socket>()

  constructor(options: ServerOptions, guard: Guard) {
    super({ ...options, IncomingMessage: ContextualRequest })
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
    // The response that ends the connection is on its way.
    if (event === "clientError" && response instanceof Socket && this.#ended.has(response)) return true
    const isRequest = event === "request" || event === "checkContinue"
    if (!isRequest || !(request instanceof ContextualRequest) || !(response instanceof ServerResponse)) {
      return super.emit(event, ...args)
    }
    if (this.#isUnreadable(request, response)) return true
    const refusalReason = this.#findRefusal(request.url)
    if (refusalReason !== undefined) {
      const beginning = this.#beginnings.get(refusalReason) ?? toBeginning(refusalReason)
      this.#beginnings.set(refusalReason, beginning)
      refuse(response, beginning)
      return true
    }
    const next = () => super.emit(event, ...args)
    // While the server stops, each response closes its connection: the full pipeline does that.
    const isServable = event === "request" && this.listening
    const outcome = isServable ? this.#guard.serve(request, response, next) : "passed"
    // A write that the operating system accepted completely needs no further handling.
    if (outcome === "sent" && response.socket?.writableLength === 0) return true
    this.#attend(response)
    return outcome === "passed" ? next() : true
  }

  #isUnreadable(request: ContextualRequest, response: ServerResponse): boolean {
    if (this.#ended.has(request.socket)) return true
    const ambiguity = findAmbiguity(request)
    if (ambiguity === undefined) return false
    this.#ended.add(request.socket)
    answerAmbiguous(response, ambiguity)
    return true
  }

  /** Without a listener, Node would leave the request without a response. */
  #findRefusal(url: string | undefined): string | undefined {
    if (this.listenerCount("request") === 0) return starting
    return isHealthProbe(url) ? undefined : this.#guard.refusalReason()
  }

  #attend(response: ServerResponse): void {
    this.#guard.watch(response)
    // A connection that was busy when the service began to stop would delay it until its keep-alive timeout.
    response.on("close", () => this.listening || this.closeIdleConnections())
  }
}

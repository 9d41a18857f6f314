import { Server, ServerResponse } from "node:http"
import type { ServerOptions } from "node:http"
import { Socket } from "node:net"
import { clearTimeout, setTimeout } from "node:timers"
import { NotReady, Overloaded } from "@chaintape/core"
import { Schema } from "effect"
import { ContextualRequest } from "../request/RequestContext.ts"
import { stopping } from "../response/Problems.ts"
import { rejectAmbiguous, findAmbiguity } from "./MalformedRequests.ts"
import { sendProblem } from "./sendProblem.ts"

/**
 * `sent` is a complete response; `pending` one that will be sent, or passed on by `next`; `passed` a request that was
 * left untouched.
 */
export type ServeResult = "sent" | "pending" | "passed"

/** Responds to a request, or passes it on to the full pipeline. */
export type Serve = (request: ContextualRequest, response: ServerResponse, next: () => void) => ServeResult

export interface Guard {
  /** Whether a new connection may be accepted. */
  readonly admit: (socket: Socket) => boolean
  /** Why a request is rejected, as a sentence. */
  readonly refusalReason: () => string | undefined
  /** Called with each response that the operating system has not accepted completely. */
  readonly watch: (response: ServerResponse) => void
  /** Called with each admitted request before the routes. */
  readonly serve: Serve
  /** Called when no more connections are accepted. */
  readonly stop: () => void
}

const encode = Schema.encodeSync(Schema.Union([NotReady, Overloaded]))

const toOverloaded = (detail: string) => encode(new Overloaded({ retryAfterMs: 1000, detail }))

/** The port is open before the routes are ready. */
const starting = toOverloaded("The service is starting: try again in a second.")

/** Health checks must have a response above all when the service is busy. */
export const isHealthProbe = (url: string | undefined) => url === "/health/live"

const refuse = (response: ServerResponse, problem: ReturnType<typeof encode>): void =>
  sendProblem(response, problem, { "retry-after": String(problem.retryAfterMs / 1000) })

/** How long requests in progress may take to finish after the stop has begun. They are interrupted then, with a problem. */
export const drainMs = 10_000

/**
 * After this time the remaining connections are reset, so that their readers notice that the end of the response is
 * missing. The two seconds after `drainMs` are for the last problems to arrive. A supervisor must wait longer than this.
 */
const resetAfterMs = drainMs + 2000

/** A server that rejects requests beyond its capacity at the cost of writing a line of text. */
export class GuardedServer extends Server<typeof ContextualRequest> {
  readonly #guard: Guard
  /** By their sentence: there are few, sent thousands of times a second. */
  readonly #refusals = new Map<string, ReturnType<typeof toOverloaded>>()
  /** Nothing that follows an ambiguous request is read as a request. */
  readonly #ended = new WeakSet<Socket>()
  /** Each connection, with the number of its responses that the operating system has not accepted completely. */
  readonly #connections = new Map<Socket, number>()

  constructor(options: ServerOptions, guard: Guard) {
    super({ ...options, IncomingMessage: ContextualRequest })
    this.#guard = guard
  }

  override close(callback?: (error?: Error) => void): this {
    this.#guard.stop()
    const reset = setTimeout(() => {
      for (const socket of this.#connections.keys()) socket.resetAndDestroy()
    }, resetAfterMs)
    return super.close((error) => {
      clearTimeout(reset)
      callback?.(error)
    })
  }

  /** The runtime takes a connection for idle whose last response is written, but not received. */
  override closeIdleConnections(): void {
    for (const [socket, pending] of this.#connections) if (pending === 0) socket.destroy()
  }

  override emit(event: string, ...args: Array<unknown>): boolean {
    const [request, response] = args
    if (event === "connection" && request instanceof Socket && !this.#accept(request)) return true
    // The response that ends the connection is on its way.
    if (event === "clientError" && response instanceof Socket && this.#ended.has(response)) return true
    const isRequest = event === "request" || event === "checkContinue"
    if (!isRequest || !(request instanceof ContextualRequest) || !(response instanceof ServerResponse)) {
      return super.emit(event, ...args)
    }
    if (this.#isUnreadable(request, response)) return true
    // While the server stops, each response closes its connection. The bytes behind a request to upgrade may not be read.
    if (!this.listening || request.headers.upgrade !== undefined) response.shouldKeepAlive = false
    if (this.#isRefused(request, response)) return true
    const next = () => super.emit(event, ...args)
    const isServable = event === "request" && this.listening
    const outcome = isServable ? this.#guard.serve(request, response, next) : "passed"
    // A write that the operating system accepted completely needs no further handling.
    if (outcome === "sent" && response.socket?.writableLength === 0) return true
    this.#attend(response)
    return outcome === "passed" ? next() : true
  }

  #accept(socket: Socket): boolean {
    if (!this.#guard.admit(socket)) {
      socket.destroy()
      return false
    }
    this.#connections.set(socket, 0)
    socket.on("close", () => this.#connections.delete(socket))
    return true
  }

  #isUnreadable(request: ContextualRequest, response: ServerResponse): boolean {
    if (this.#ended.has(request.socket)) return true
    const ambiguity = findAmbiguity(request)
    if (ambiguity === undefined) return false
    this.#ended.add(request.socket)
    rejectAmbiguous(response, ambiguity)
    return true
  }

  #isRefused({ url }: ContextualRequest, response: ServerResponse): boolean {
    // Without a listener, the runtime would leave the request without a response.
    if (this.listenerCount("request") === 0) {
      if (!this.listening) this.#hold(response)
      refuse(response, this.listening ? starting : encode(stopping))
      return true
    }
    const reason = isHealthProbe(url) ? undefined : this.#guard.refusalReason()
    if (reason === undefined) return false
    const problem = this.#refusals.get(reason) ?? toOverloaded(reason)
    this.#refusals.set(reason, problem)
    refuse(response, problem)
    return true
  }

  #attend(response: ServerResponse): void {
    this.#guard.watch(response)
    this.#hold(response)
  }

  /** Holds the connection open until the response is sent. */
  #hold(response: ServerResponse): void {
    const { socket } = response.req
    this.#count(socket, 1)
    response.on("close", () => {
      this.#count(socket, -1)
      // A connection that was busy when the service began to stop would delay it until its keep-alive timeout.
      if (!this.listening) this.closeIdleConnections()
    })
  }

  #count(socket: Socket, change: number): void {
    const pending = this.#connections.get(socket)
    if (pending !== undefined) this.#connections.set(socket, pending + change)
  }
}

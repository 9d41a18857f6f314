import { setTimeout } from "node:timers/promises"
import { Effect, Schema } from "effect"
import type { Scope } from "effect"
import type { SandboxExchange } from "../../src/exchange/SandboxExchange.ts"

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** The network may fail, and in these tests it is meant to. */
export class NoReply extends Schema.TaggedError<NoReply>()("NoReply", { message: Schema.String }) {}

/** One request through a real socket. */
export const call = (exchange: SandboxExchange["Service"], path: string, init: RequestInit = {}) =>
  Effect.tryPromise({
    try: async (signal): Promise<Reply> => {
      const response = await fetch(exchange.rest + path, { ...init, signal })
      return { status: response.status, headers: response.headers, body: await response.text() }
    },
    catch: (cause) => new NoReply({ message: `${cause} ${cause instanceof Error ? cause.cause : ""}` })
  })

const Frame = Schema.fromJsonString(
  Schema.Struct({
    type: Schema.String,
    trade_id: Schema.optionalKey(Schema.Int),
    price: Schema.optionalKey(Schema.String),
    size: Schema.optionalKey(Schema.String),
    side: Schema.optionalKey(Schema.String),
    time: Schema.optionalKey(Schema.String),
    product_id: Schema.optionalKey(Schema.String),
    sequence: Schema.optionalKey(Schema.Int),
    last_trade_id: Schema.optionalKey(Schema.Int),
    channels: Schema.optionalKey(Schema.Unknown),
    message: Schema.optionalKey(Schema.String),
    reason: Schema.optionalKey(Schema.String)
  })
)
export type Frame = typeof Frame.Type
const decodeFrame = Schema.decodeUnknownSync(Frame)

export interface Listener {
  readonly frames: ReadonlyArray<Frame>
  readonly send: (message: unknown) => void
  readonly closed: () => { readonly code: number; readonly reason: string } | undefined
}

/** A client of the stream that records every frame. */
export const listen = Effect.fnUntraced(function* (
  exchange: Pick<SandboxExchange["Service"], "websocket">
): Effect.fn.Return<Listener, NoReply, Scope.Scope> {
  const socket = yield* Effect.acquireRelease(
    Effect.sync(() => new WebSocket(exchange.websocket)),
    (opened) => Effect.sync(() => opened.close())
  )
  const frames: Array<Frame> = []
  let closed: { readonly code: number; readonly reason: string } | undefined
  socket.addEventListener("message", ({ data }) => frames.push(decodeFrame(data)))
  yield* Effect.callback<void, NoReply>((resume) => {
    socket.addEventListener("close", ({ code, reason }) => {
      closed = { code, reason }
      resume(Effect.fail(new NoReply({ message: `closed with ${code} before it was open` })))
    })
    socket.addEventListener("open", () => resume(Effect.void))
  })
  const send = (message: unknown) => socket.send(typeof message === "string" ? message : JSON.stringify(message))
  return { frames, send, closed: () => closed }
})

/** A moment of real time, in which sockets are served, whatever the exchange's clock shows. */
export const moment = Effect.promise(() => setTimeout(10))

const patienceMs = 60_000

/** Polls until the value is there. The limit is in real time, and tells a hang from a slow machine. */
export const untilSo = <A, E, R>(
  what: string,
  look: Effect.Effect<A | undefined | false, E, R>
): Effect.Effect<A, E | NoReply, R> =>
  Effect.gen(function* () {
    const start = performance.now()
    while (true) {
      const found = yield* look
      if (found !== undefined && found !== false) return found
      if (performance.now() - start > patienceMs) {
        return yield* new NoReply({ message: `${patienceMs} ms were not enough for: ${what}.` })
      }
      yield* moment
    }
  })

export const until = <A>(what: string, look: () => A | undefined | false): Effect.Effect<A, NoReply> =>
  untilSo(what, Effect.sync(look))

export const subscribe = (...products: ReadonlyArray<string>) => ({
  type: "subscribe",
  product_ids: products,
  channels: ["matches"]
})

export const matches = (listener: Listener): ReadonlyArray<Frame> =>
  listener.frames.filter(({ type }) => type === "match")

export const ids = (frames: ReadonlyArray<Frame>): ReadonlyArray<number> => frames.map(({ trade_id }) => trade_id ?? 0)

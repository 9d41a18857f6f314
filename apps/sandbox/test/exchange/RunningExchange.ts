import { Clock, Effect, Schema } from "effect"
import type { Scope } from "effect"
import type { SandboxExchange } from "../../src/exchange/SandboxExchange.ts"

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** The network may fail, and in these tests it is meant to. */
export class NoReply extends Schema.TaggedError<NoReply>()("NoReply", { message: Schema.String }) {}

/** One request through a real socket, with a bound. */
export const call = (exchange: SandboxExchange["Service"], path: string, init: RequestInit = {}, patience = 5000) =>
  Effect.tryPromise({
    try: async (): Promise<Reply> => {
      const response = await fetch(exchange.rest + path, { ...init, signal: AbortSignal.timeout(patience) })
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

/** A client of the stream that writes down every frame. */
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

/** Looks until the value is there, within ten seconds. */
export const until = <A>(what: string, look: () => A | undefined | false): Effect.Effect<A, NoReply> =>
  Effect.gen(function* () {
    const start = yield* Clock.currentTimeMillis
    while (true) {
      const found = look()
      if (found !== undefined && found !== false) return found
      if ((yield* Clock.currentTimeMillis) - start > 10_000) {
        return yield* new NoReply({ message: `Ten seconds were not enough for: ${what}.` })
      }
      yield* Effect.sleep("10 millis")
    }
  })

export const subscribe = (...products: ReadonlyArray<string>) => ({
  type: "subscribe",
  product_ids: products,
  channels: ["matches"]
})

export const matches = (listener: Listener): ReadonlyArray<Frame> =>
  listener.frames.filter(({ type }) => type === "match")

export const ids = (frames: ReadonlyArray<Frame>): ReadonlyArray<number> => frames.map(({ trade_id }) => trade_id ?? 0)

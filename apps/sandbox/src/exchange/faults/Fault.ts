import { Schema } from "effect"

export const Endpoint = Schema.Literals(["products", "currencies", "time", "trades", "candles", "stream"])
export type Endpoint = typeof Endpoint.Type

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))
const Milliseconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3_600_000 }))
const Share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

/**
 * Selects when a fault applies. It considers every request (on the stream: every match frame, or every connection for
 * connection faults) of its endpoint and product, skips the first `afterRequests`, applies to each of the others with
 * probability `rate`, and ends after `count` hits.
 */
const trigger = {
  /** Default: every endpoint that supports the fault. */
  endpoint: Schema.optionalKey(Endpoint),
  /** Default: every product. */
  product: Schema.optionalKey(Schema.String),
  /** Default: 1. */
  rate: Schema.optionalKey(Share),
  /** Default: 0. */
  afterRequests: Schema.optionalKey(Count),
  /** Default: unlimited. */
  count: Schema.optionalKey(Count),
  /** Default: derived from the seed of the set and the fault's index. */
  seed: Schema.optionalKey(Schema.Int)
}

/**
 * Delays the response (on the stream: each batch of frames). With `tailMilliseconds`: a long-tailed delay up to that
 * value, mostly near the first figure.
 */
const Latency = Schema.Struct({
  ...trigger,
  kind: Schema.Literal("latency"),
  milliseconds: Milliseconds,
  tailMilliseconds: Schema.optionalKey(Milliseconds)
})

/**
 * The request is accepted and never answered, or the response stops after its headers. On the stream: the handshake
 * hangs.
 */
const Hang = Schema.Struct({
  ...trigger,
  kind: Schema.Literal("hang"),
  phase: Schema.Literals(["before-headers", "after-headers"])
})

const RateLimited = Schema.Struct({
  ...trigger,
  kind: Schema.Literal("rate-limited"),
  retryAfter: Schema.Literals(["seconds", "date", "none"]),
  /** Default: 2. */
  seconds: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_400 })))
})

const ServerError = Schema.Struct({
  ...trigger,
  kind: Schema.Literal("server-error"),
  status: Schema.Literals([500, 502, 503, 504, 520])
})

/** Status 200 and a web page. */
const HtmlPage = Schema.Struct({
  ...trigger,
  kind: Schema.Literal("html-page"),
  contentType: Schema.Literals(["html", "json"])
})

/**
 * The body ends after `bytes` bytes; 0 is an empty body. If the headers announce the whole length, the socket is
 * closed.
 */
const TruncatedBody = Schema.Struct({
  ...trigger,
  kind: Schema.Literal("truncated-body"),
  bytes: Count,
  contentLength: Schema.Literals(["matching", "original"])
})

/** `id-as-other-type`: an integer id becomes text, a text id becomes a number. */
const ChangedShape = Schema.Struct({
  ...trigger,
  kind: Schema.Literal("changed-shape"),
  change: Schema.Literals(["renamed-field", "list-moved", "null-price", "id-as-other-type"])
})

/** `silence` leaves the connection open and sends nothing any more, not even pongs. */
const SocketDrop = Schema.Struct({
  ...trigger,
  kind: Schema.Literal("socket-drop"),
  mode: Schema.Literals(["clean", "reset", "silence"])
})

/** With `tradeIds` exactly these frames are lost, on every connection. */
const FrameLoss = Schema.Struct({
  ...trigger,
  kind: Schema.Literal("frame-loss"),
  tradeIds: Schema.optionalKey(Schema.Array(Schema.Int))
})

/** A frame is sent twice, or a row of a page appears twice; the second one may have another price. */
const Duplicate = Schema.Struct({
  ...trigger,
  kind: Schema.Literal("duplicate"),
  content: Schema.Literals(["same", "different"])
})

/** A frame arrives up to `window` frames late, or the rows of a page are shuffled. */
const OutOfOrder = Schema.Struct({
  ...trigger,
  kind: Schema.Literal("out-of-order"),
  window: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))
})

/**
 * The exchange's clock is wrong by `offsetMilliseconds`, plus a drift. Trades from before the fault keep their times.
 * `rate`, `afterRequests` and `count` do not apply: a clock is wrong all the time.
 */
const ClockSkew = Schema.Struct({
  ...trigger,
  kind: Schema.Literal("clock-skew"),
  offsetMilliseconds: Schema.Int.check(Schema.isBetween({ minimum: -86_400_000, maximum: 86_400_000 })),
  /** Default: 0. */
  driftMillisecondsPerHour: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: -3_600_000, maximum: 3_600_000 }))
  ),
  /** Default: all of them. `trades` covers the stream and the candles too. */
  parts: Schema.optionalKey(Schema.Array(Schema.Literals(["time", "date", "trades"])))
})

/** Trades and candles as they were `seconds` ago, like a cached page. */
const StalePage = Schema.Struct({
  ...trigger,
  kind: Schema.Literal("stale-page"),
  seconds: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 86_400 }))
})

export const Fault = Schema.Union([
  Latency,
  Hang,
  RateLimited,
  ServerError,
  HtmlPage,
  TruncatedBody,
  ChangedShape,
  SocketDrop,
  FrameLoss,
  Duplicate,
  OutOfOrder,
  ClockSkew,
  StalePage
])
export type Fault = typeof Fault.Type
export type FaultKind = Fault["kind"]
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { readonly kind: Kind }>

/** A set of faults, as written to and read from `/sandbox/faults`. */
export const FaultSet = Schema.Struct({
  /** Default: 1. */
  seed: Schema.optionalKey(Schema.Int),
  faults: Schema.Array(Fault)
})
export type FaultSet = typeof FaultSet.Type

/** A fault with its counters: `hits` of the `seen` opportunities. */
export type FaultState = Fault & { readonly seen: number; readonly hits: number }

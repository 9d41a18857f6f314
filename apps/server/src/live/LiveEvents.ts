import { Schema } from "effect"

/** The names of the events of each stream. */
export const eventNames = {
  trades: ["open", "trade", "gap", "end"],
  swaps: ["open", "swap", "reorg", "end"],
  blocks: ["open", "block", "reorg", "end"]
} as const

// The data of the events that are no elements of a list of `/v2`: each schema writes its members in its own order. The
// decoders of the clients, which publish no schema of an event, are compared with these by
// `scripts/test/agreements/LiveEvents.test.ts`.

/** The stream begins here. */
export const Open = Schema.Struct({ cursor: Schema.String })

/** Trades are missing between two times (Unix ms). */
export const Gap = Schema.Struct({
  fromTime: Schema.Int,
  toTime: Schema.Int,
  /** `null` if sequences do not count trades. */
  missing: Schema.NullOr(Schema.Int),
  state: Schema.Literals(["open", "unfillable"])
})

/** All blocks from `from` on are replaced. */
export const Reorg = Schema.Struct({
  from: Schema.Int,
  commonAncestor: Schema.Struct({ number: Schema.Int, hash: Schema.String })
})

/** Why the service ends a stream. */
export const End = Schema.Struct({
  reason: Schema.Literals(["too-slow", "closing", "revoked", "failed"]),
  /** A sentence for the reader. */
  detail: Schema.String,
  /** How long to wait before resuming; `null` if resuming does not help. */
  retryAfterMs: Schema.NullOr(Schema.Int)
})

/** Writes the data of an event, in one line. */
export const toEventWriter = <S extends Schema.Codec<unknown, unknown>>(schema: S): ((data: S["Type"]) => string) =>
  Schema.encodeSync(Schema.fromJsonString(schema))

import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const NullableInt = Schema.NullOr(Schema.Int)

/**
 * One of the words of the service. A word of a newer service is `unknown`: a page of yesterday still shows the rest. Null is
 * tried before it, where it is allowed.
 */
const wordOf = <const Words extends ReadonlyArray<string>>(...words: Words) =>
  Schema.Literals([...words, "unknown"]).pipe(Schema.catchDecoding(() => Effect.succeedSome("unknown" as const)))

const SourceHealth = wordOf("idle", "ok", "failing")
const IndexState = wordOf("starting", "historical", "realtime", "stopped")
const RecordingState = wordOf("starting", "live", "catching-up", "disconnected", "unsupported")
const Continuity = wordOf("sequence", "overlap")

const Source = Schema.Struct({
  id: Schema.String,
  kind: wordOf("exchange", "blockchain", "dex"),
  state: SourceHealth,
  head: NullableInt,
  lastSuccessAt: NullableInt,
  lastErrorAt: NullableInt,
  lastError: Schema.NullOr(Schema.String)
})

const Index = Schema.Struct({
  key: Schema.String,
  state: IndexState,
  head: NullableInt,
  indexed: NullableInt,
  lag: NullableInt,
  proven: NullableInt,
  unproven: Schema.NullOr(Schema.String),
  reorgs: Schema.Int,
  lastError: Schema.NullOr(Schema.String)
})

const Gap = Schema.Struct({
  from: Schema.Int,
  to: Schema.Int,
  fromTime: Schema.Int,
  toTime: Schema.Int,
  state: wordOf("open", "unfillable")
})

const Event = Schema.Struct({
  at: Schema.Int,
  kind: Schema.String,
  from: Schema.NullOr(Schema.Int),
  to: Schema.NullOr(Schema.Int),
  detail: Schema.String
})

const Recording = Schema.Struct({
  exchange: Schema.String,
  market: Schema.String,
  state: RecordingState,
  transport: Schema.Union([Schema.Null, wordOf("websocket", "polling")]),
  continuity: Schema.Union([Schema.Null, Continuity]),
  from: NullableInt,
  to: NullableInt,
  stored: Schema.Int,
  backfilled: Schema.Int,
  missing: Schema.Int,
  disconnects: Schema.Int,
  gapCount: Schema.Int,
  gaps: Schema.Array(Gap),
  events: Schema.Array(Event),
  lastError: Schema.NullOr(Schema.String)
})

/** The part of `/status` that the page shows. */
export const Status = Schema.Struct({
  startedAt: Schema.Int,
  now: Schema.Int,
  ready: Schema.Boolean,
  sources: Schema.Array(Source),
  indexes: Schema.Array(Index),
  recordings: Schema.Array(Recording)
})

export type Status = typeof Status.Type
export type Recording = typeof Recording.Type
export type RecordingGap = typeof Gap.Type
export type SourceStatus = typeof Source.Type
export type IndexStatus = typeof Index.Type

/** The states of sources, indexes and recordings. */
export type State = SourceStatus["state"] | IndexStatus["state"] | Recording["state"]
export type Continuity = typeof Continuity.Type

export class StatusError extends Data.TaggedError("StatusError")<{ readonly message: string }> {}

const decode = Schema.decodeUnknownEffect(Status)

/** As long as an attempt of the clients. */
const timeout = "15 seconds"

/** `/status` needs no key, and costs nothing of its budget. */
export const readStatus: Effect.Effect<Status, StatusError> = Effect.tryPromise((signal) =>
  window.fetch("/status", { headers: { accept: "application/json" }, signal }).then((answer) => answer.json())
).pipe(
  Effect.timeout(timeout),
  Effect.flatMap(decode),
  Effect.mapError(
    () => new StatusError({ message: "The status of the service can't be read. The page retries by itself." })
  )
)

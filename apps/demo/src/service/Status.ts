import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const NullableInt = Schema.NullOr(Schema.Int)

const Source = Schema.Struct({
  id: Schema.String,
  kind: Schema.String,
  state: Schema.String,
  head: NullableInt,
  lastSuccessAt: NullableInt,
  lastErrorAt: NullableInt,
  lastError: Schema.NullOr(Schema.String)
})

const Index = Schema.Struct({
  key: Schema.String,
  state: Schema.String,
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
  state: Schema.Literals(["open", "unfillable"])
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
  state: Schema.String,
  transport: Schema.NullOr(Schema.String),
  continuity: Schema.NullOr(Schema.String),
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

export class StatusError extends Data.TaggedError("StatusError")<{ readonly message: string }> {}

const decode = Schema.decodeUnknownEffect(Status)

/** `/status` needs no key, and costs nothing of its budget. */
export const readStatus: Effect.Effect<Status, StatusError> = Effect.tryPromise((signal) =>
  window.fetch("/status", { headers: { accept: "application/json" }, signal }).then((answer) => answer.json())
).pipe(
  Effect.flatMap(decode),
  Effect.mapError(
    () => new StatusError({ message: "The status of the service can't be read. The page retries by itself." })
  )
)

import { Context, Effect, Layer, Schema } from "effect"
import type { Option } from "effect"

/** The result of dropping old days. */
export const RetentionStatus = Schema.Struct({
  /** How many days are retained. */
  days: Schema.Int,
  /** Unix milliseconds of the last time that old days were dropped. */
  lastRunAt: Schema.NullOr(Schema.Int),
  /** Trades dropped then. */
  dropped: Schema.Int,
  lastError: Schema.NullOr(Schema.String)
})

export type RetentionStatus = typeof RetentionStatus.Type

/** Port: the retention of the tape, and its status on the instance that owns it. */
export class TapeRetention extends Context.Service<
  TapeRetention,
  {
    /** None if all trades are retained. */
    readonly status: Effect.Effect<Option.Option<RetentionStatus>>
  }
>()("@chaintape/server/status/TapeRetention") {
  static readonly layerNone = Layer.succeed(TapeRetention, { status: Effect.succeedNone })
}

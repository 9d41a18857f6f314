import { Context, Effect, Layer, Schema } from "effect"
import type { Option } from "effect"

/** What became of the days that are older than the tape is kept. */
export const RetentionStatus = Schema.Struct({
  /** How many days are kept. */
  days: Schema.Int,
  /** Unix milliseconds of the last time that old days were given up. */
  lastRunAt: Schema.NullOr(Schema.Int),
  /** Trades that went then. */
  dropped: Schema.Int,
  lastError: Schema.NullOr(Schema.String)
})

export type RetentionStatus = typeof RetentionStatus.Type

/** Port: how long the tape is kept, and how that goes on the instance that sees to it. */
export class TapeRetention extends Context.Service<
  TapeRetention,
  {
    /** None where everything is kept. */
    readonly status: Effect.Effect<Option.Option<RetentionStatus>>
  }
>()("@chaintape/server/sources/TapeRetention") {
  static readonly layerNone = Layer.succeed(TapeRetention, { status: Effect.succeedNone })
}

import { Schema } from "effect"

/** The exchange's message to its parent process. */
export const ExchangeState = Schema.Struct({
  rest: Schema.String,
  websocket: Schema.String,
  /** Trades on its tape, whose ids are 1 to this. */
  trades: Schema.Int,
  /** Connections closed because their unread data exceeded the limit. */
  slowReaders: Schema.Int,
  /** The sums of all prices in hundredths and of all sizes in hundred-millionths; 0 unless requested. */
  sums: Schema.Struct({ prices: Schema.String, sizes: Schema.String })
})

export type ExchangeState = typeof ExchangeState.Type

import { Schema } from "effect"

/** What the process of the exchange tells its parent. */
export const ExchangeState = Schema.Struct({
  rest: Schema.String,
  websocket: Schema.String,
  /** Trades on its tape, whose ids are 1 to this. */
  trades: Schema.Int,
  /** Connections that it cut because what they had not read became too much. */
  slowReaders: Schema.Int,
  /** Of all prices in hundredths and of all sizes in hundred-millionths; 0 unless it was asked for them. */
  sums: Schema.Struct({ prices: Schema.String, sizes: Schema.String })
})

export type ExchangeState = typeof ExchangeState.Type

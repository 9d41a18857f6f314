import { Schema } from "effect"

/** The one line that the sandbox writes when both of its worlds run: where they are and what a service must be told. */
export const Announcement = Schema.Struct({
  exchange: Schema.Struct({ rest: Schema.String, websocket: Schema.String, markets: Schema.Array(Schema.String) }),
  chain: Schema.Struct({
    rpc: Schema.String,
    chainId: Schema.Int,
    factory: Schema.String,
    referenceToken: Schema.String,
    stablePool: Schema.String,
    whitelist: Schema.Array(Schema.String),
    stablecoins: Schema.Array(Schema.String),
    minimumNativeLocked: Schema.String,
    startBlock: Schema.Int,
    /** Where `POST /sandbox/reorg` is taken. */
    control: Schema.String
  })
})

export type Announcement = typeof Announcement.Type

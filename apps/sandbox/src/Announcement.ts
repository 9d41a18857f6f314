import { Schema } from "effect"

/** A decentralized exchange on the chain, as a service is configured for it. */
const Dex = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  protocol: Schema.Literals(["uniswap-v3", "pancakeswap-v3", "uniswap-v2", "algebra-2"]),
  factory: Schema.String,
  referenceToken: Schema.String,
  stablePool: Schema.String,
  whitelist: Schema.Array(Schema.String),
  stablecoins: Schema.Array(Schema.String),
  minimumNativeLocked: Schema.String,
  startBlock: Schema.Int
})

/**
 * The line that the sandbox prints when the exchange and the chain run: their addresses, and the configuration of a
 * service.
 */
export const Announcement = Schema.Struct({
  exchange: Schema.Struct({ rest: Schema.String, websocket: Schema.String, markets: Schema.Array(Schema.String) }),
  chain: Schema.Struct({
    rpc: Schema.String,
    chainId: Schema.Int,
    dexes: Schema.Array(Dex),
    /** The address that accepts `POST /sandbox/reorg`. */
    control: Schema.String
  })
})

export type Announcement = typeof Announcement.Type

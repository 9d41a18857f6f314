import { Effect, Schema, SchemaTransformation } from "effect"
import { DecimalText } from "./DecimalText.ts"

const lowerCase = SchemaTransformation.transform<string, string>({
  decode: (text) => text.toLowerCase(),
  encode: (text) => text
})
const hex = (digits: number) =>
  Schema.String.check(Schema.isPattern(new RegExp(`^0x[0-9a-fA-F]{${digits}}$`))).pipe(
    Schema.decodeTo(Schema.String, lowerCase)
  )

export const Address = hex(40)
const TransactionHash = hex(64)

// Fee growth can be derived only from an event's logs and the contract's storage. If a subgraph lacks it (all with a
// schema newer than March 2024 do), it is empty, like a missing `tick`.
const FeeGrowth = DecimalText.pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed("")))

const Tick = Schema.NullOr(DecimalText).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform<string, string | null>({
      decode: (tick) => tick ?? "",
      encode: (tick) => (tick === "" ? null : tick)
    })
  )
)

export const FactoryRecord = Schema.Struct({
  id: Address,
  poolCount: DecimalText,
  txCount: DecimalText,
  totalVolumeUSD: DecimalText,
  untrackedVolumeUSD: DecimalText,
  totalVolumeETH: DecimalText,
  totalValueLockedUSD: DecimalText,
  totalValueLockedETH: DecimalText,
  totalFeesUSD: DecimalText,
  totalFeesETH: DecimalText,
  owner: Address
})

export const TokenRecord = Schema.Struct({
  id: Address,
  name: Schema.String,
  symbol: Schema.String,
  decimals: DecimalText,
  supply: DecimalText,
  totalValueLocked: DecimalText,
  totalValueLockedUSD: DecimalText,
  volume: DecimalText,
  volumeUSD: DecimalText,
  untrackedVolumeUSD: DecimalText,
  txCount: DecimalText,
  derivedETH: DecimalText,
  feesUSD: DecimalText,
  totalValueLockedUSDUntracked: DecimalText,
  poolCount: DecimalText
})

export const PoolRecord = Schema.Struct({
  id: Address,
  createdAtBlockNumber: DecimalText,
  createdAtTimestamp: DecimalText,
  feeGrowthGlobal0X128: FeeGrowth,
  feeGrowthGlobal1X128: FeeGrowth,
  feeTier: DecimalText,
  feesUSD: DecimalText,
  liquidity: DecimalText,
  liquidityProviderCount: DecimalText,
  observationIndex: DecimalText,
  sqrtPrice: DecimalText,
  tick: Tick,
  token0Price: DecimalText,
  token1Price: DecimalText,
  totalValueLockedToken0: DecimalText,
  totalValueLockedToken1: DecimalText,
  totalValueLockedETH: DecimalText,
  totalValueLockedUSD: DecimalText,
  totalValueLockedUSDUntracked: DecimalText,
  txCount: DecimalText,
  volumeUSD: DecimalText,
  volumeToken0: DecimalText,
  volumeToken1: DecimalText,
  untrackedVolumeUSD: DecimalText,
  token0: TokenRecord,
  token1: TokenRecord
})

const TradeToken = Schema.Struct({ name: Schema.String, id: Address, symbol: Schema.String })
const Index = DecimalText.check(Schema.isPattern(/^\d{1,15}$/))

/** The fields that the records of all kinds have. */
export const traded = {
  id: Schema.String,
  amount0: DecimalText,
  amount1: DecimalText,
  amountUSD: DecimalText,
  logIndex: Index,
  origin: Address,
  timestamp: Index,
  pool: Schema.Struct({ id: Address, token0: TradeToken, token1: TradeToken }),
  transaction: Schema.Struct({ id: TransactionHash, blockNumber: Index })
}

// Both forms of an id, "hash#n" and the newer "hash-logIndex", begin with the transaction's hash. The paging relies on
// it.
export const beginsWithHash = Schema.makeFilter<{ readonly id: string; readonly transaction: { readonly id: string } }>(
  ({ id, transaction }) => id.toLowerCase().startsWith(transaction.id)
)

export const BurnRecord = Schema.Struct({ ...traded, amount: DecimalText, owner: Address }).check(beginsWithHash)

export const MintRecord = Schema.Struct({ ...traded, amount: DecimalText, owner: Address, sender: Address }).check(
  beginsWithHash
)

export const SwapRecord = Schema.Struct({
  ...traded,
  sender: Address,
  recipient: Address,
  sqrtPriceX96: DecimalText
}).check(beginsWithHash)

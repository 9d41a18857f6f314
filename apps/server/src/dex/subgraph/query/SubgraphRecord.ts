import { Effect, Schema, SchemaTransformation, Struct } from "effect"
import { deploymentFields, poolFields, tokenFields } from "../../DexSource.ts"
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

/** A decimal for each of the fields. */
export const decimals = <const Field extends string>(fields: ReadonlyArray<Field>) => Struct.Record(fields, DecimalText)

export const FactoryRecord = Schema.Struct({ ...decimals(deploymentFields), id: Address, owner: Address })

export const TokenRecord = Schema.Struct({
  ...decimals(tokenFields),
  id: Address,
  name: Schema.String,
  symbol: Schema.String
})

export const PoolRecord = Schema.Struct({
  ...decimals(poolFields),
  id: Address,
  feeGrowthGlobal0X128: FeeGrowth,
  feeGrowthGlobal1X128: FeeGrowth,
  tick: Tick,
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

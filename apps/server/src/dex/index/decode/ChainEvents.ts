/** The position of an event in the chain. */
export interface EventPosition {
  readonly blockNumber: number
  readonly transactionHash: string
  /** The log index, counted through the whole block. */
  readonly logIndex: number
}

/** A log as the decoder takes it: hex in lower case. */
export interface ChainLog extends EventPosition {
  readonly address: string
  readonly topics: ReadonlyArray<string>
  readonly data: string
}

export interface PoolCreated extends EventPosition {
  readonly event: "PoolCreated"
  readonly token0: string
  readonly token1: string
  /** Absent where all new pools of the protocol have the same fee. */
  readonly fee?: number
  /** Absent where the pools have no ticks. */
  readonly tickSpacing?: number
  readonly pool: string
}

export interface OwnerChanged extends EventPosition {
  readonly event: "OwnerChanged"
  readonly newOwner: string
}

interface PoolEventFields extends EventPosition {
  readonly pool: string
}

export interface Initialize extends PoolEventFields {
  readonly event: "Initialize"
  readonly sqrtPriceX96: bigint
  readonly tick: number
}

interface PositionEventFields extends PoolEventFields {
  readonly owner: string
  readonly tickLower: number
  readonly tickUpper: number
  readonly amount0: bigint
  readonly amount1: bigint
}

export interface Mint extends PositionEventFields {
  readonly event: "Mint"
  readonly sender: string
  /** The liquidity. */
  readonly amount: bigint
}

export interface Burn extends PositionEventFields {
  readonly event: "Burn"
  /** The liquidity. */
  readonly amount: bigint
}

export interface Collect extends PositionEventFields {
  readonly event: "Collect"
}

export interface Swap extends PoolEventFields {
  readonly event: "Swap"
  readonly sender: string
  readonly recipient: string
  readonly amount0: bigint
  readonly amount1: bigint
  readonly sqrtPriceX96: bigint
  readonly liquidity: bigint
  readonly tick: number
  /** The protocol's parts of the fees, in the tokens' smallest units; absent where the log does not state them. */
  readonly protocolFee0?: bigint
  readonly protocolFee1?: bigint
  /** The fee that this swap paid; absent where it is the one of the pool, or another log states it. */
  readonly fees?: SwapFees
}

/** The fee of one swap, in millionths. */
export interface SwapFees {
  /** Replaces the fee of the pool; 0 leaves it as it is. */
  readonly override: bigint
  /** Is paid on top, for the plugin of the pool. */
  readonly plugin: bigint
}

/** Changes the fee of later swaps. In millionths. */
export interface Fee extends PoolEventFields {
  readonly event: "Fee"
  readonly fee: bigint
}

/** States the fee of the next swap of the pool. */
export interface SwapFee extends PoolEventFields {
  readonly event: "SwapFee"
  readonly fees: SwapFees
}

/** Distributes tokens that the pool has without a call. They change what its contract states, and no total. */
export interface ExcessTokens extends PoolEventFields {
  readonly event: "ExcessTokens"
}

/** Changes no total, but the fee growth of its pool. The amounts are what was paid. */
export interface Flash extends PoolEventFields {
  readonly event: "Flash"
  readonly paid0: bigint
  readonly paid1: bigint
}

/** Changes the protocol's share of later fees, which the fee growth excludes. */
export interface SetFeeProtocol extends PoolEventFields {
  readonly event: "SetFeeProtocol"
  readonly feeProtocol0New: number
  readonly feeProtocol1New: number
}

/** Changes the observation index at which the pool wraps around. */
export interface IncreaseObservationCardinalityNext extends PoolEventFields {
  readonly event: "IncreaseObservationCardinalityNext"
  readonly observationCardinalityNextNew: number
}

export type FactoryEvent = PoolCreated | OwnerChanged
export type PoolEvent =
  | Initialize
  | Mint
  | Burn
  | Collect
  | Swap
  | Flash
  | SetFeeProtocol
  | IncreaseObservationCardinalityNext
  | Fee
  | SwapFee
  | ExcessTokens

/** The position of a log of a pool, and its pool. */
export const toPoolPosition = ({ address, blockNumber, logIndex, transactionHash }: ChainLog): PoolEventFields => ({
  blockNumber,
  transactionHash,
  logIndex,
  pool: address
})

export const toPosition = ({ blockNumber, logIndex, transactionHash }: ChainLog): EventPosition => ({
  blockNumber,
  transactionHash,
  logIndex
})

// The events of Uniswap V2. A pool is called a pair.

export interface PairMint extends PoolEventFields {
  readonly event: "PairMint"
  readonly sender: string
  readonly amount0: bigint
  readonly amount1: bigint
}

export interface PairBurn extends PoolEventFields {
  readonly event: "PairBurn"
  readonly sender: string
  readonly to: string
  readonly amount0: bigint
  readonly amount1: bigint
}

export interface PairSwap extends PoolEventFields {
  readonly event: "PairSwap"
  readonly sender: string
  readonly to: string
  readonly in0: bigint
  readonly in1: bigint
  readonly out0: bigint
  readonly out1: bigint
}

/** The reserves after a call. */
export interface Sync extends PoolEventFields {
  readonly event: "Sync"
  readonly reserve0: bigint
  readonly reserve1: bigint
}

/** Creates LP tokens, or destroys those that the pair holds. */
export interface SupplyChange extends PoolEventFields {
  readonly event: "SupplyChange"
  /** Negative if they are destroyed. */
  readonly change: bigint
  readonly to: string
}

export type PairEvent = PairMint | PairBurn | PairSwap | Sync | SupplyChange

export type ChainEvent = FactoryEvent | PoolEvent | PairEvent

import type { ChainLog, FactoryEvent, PoolEvent, PairEvent } from "../decode/ChainEvents.ts"
import type { PoolState } from "../decode/PoolState.ts"

/** The protocol's part of a fee: `floor(fee * part / of)`. */
export interface ProtocolShare {
  readonly part: bigint
  readonly of: bigint
}

export const noShare: ProtocolShare = { part: 0n, of: 1n }

/** How the pools of a protocol divide their fees. Both tokens of a pool have a number that stands for a share. */
export interface ProtocolFee {
  /** `feeProtocol` of `slot0` is the number of token 0, plus this many times the number of token 1. */
  readonly radix: number
  /** The number of both tokens when a pool with this fee, in millionths, is initialized. */
  readonly initial: (fee: bigint) => number
  readonly toShare: (number: number) => ProtocolShare
}

/**
 * All that differs between protocols. The events of pools with concentrated liquidity are decoded to the same values,
 * and so are those of pairs, whose price follows from their reserves: the accounting works on these.
 */
export interface Protocol {
  /** Calldata of functions: the factories of the protocol have all of them, those of others lack at least one. */
  readonly factoryCalls: ReadonlyArray<string>
  /** The first topics of the events of its factory. */
  readonly factoryTopics: ReadonlyArray<string>
  /** The first topics of the events of its pools. */
  readonly poolTopics: ReadonlyArray<string>
  /**
   * Whether a log with another first topic is an event of a pool too. The blocks of such logs have one of the others as
   * well, by which they are found: the topic itself is too frequent to search for.
   */
  readonly isCompanion?: (log: ChainLog) => boolean
  /** The event of a factory's log; undefined if it is another event or malformed. */
  readonly decodeFactoryLog: (log: ChainLog) => FactoryEvent | undefined
  /** The event of a pool's log; undefined if it is another event or malformed. */
  readonly decodePoolLog: (log: ChainLog) => PoolEvent | PairEvent | undefined
  /** How the contracts of its pools state what they hold. */
  readonly state: PoolState
  /** Whether its pools have ticks, and not the reserves of pairs. */
  readonly isConcentrated: boolean
  /** Whether the factory states its owner by `owner()`, and each change of it by an event. */
  readonly hasOwner: boolean
  /**
   * Undefined for pairs, whose fees are part of their reserves, and for pools with ticks whose fee growth and holdings
   * follow from no event: their contracts are read after each block with an event of them.
   */
  readonly protocolFee: ProtocolFee | undefined
  /** The fee of a new pool, in millionths, if its creation states none. */
  readonly fee?: number
}

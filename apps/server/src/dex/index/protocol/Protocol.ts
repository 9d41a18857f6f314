import type { ChainLog, FactoryEvent, PoolEvent } from "../decode/LogDecoder.ts"

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
 * All that differs between the protocols whose pools have concentrated liquidity as Uniswap V3 defines it. Their
 * events are decoded to the same values, on which the accounting works; the contracts state price, tick, observation
 * index, liquidity and fee growth by the same functions.
 */
export interface Protocol {
  /** Calldata of functions: the factories of the protocol have all of them, those of others lack at least one. */
  readonly factoryCalls: ReadonlyArray<string>
  /** The first topics of the events of its factory. */
  readonly factoryTopics: ReadonlyArray<string>
  /** The first topics of the events of its pools. */
  readonly poolTopics: ReadonlyArray<string>
  /** The event of a factory's log; undefined if it is another event or malformed. */
  readonly decodeFactoryLog: (log: ChainLog) => FactoryEvent | undefined
  /** The event of a pool's log; undefined if it is another event or malformed. */
  readonly decodePoolLog: (log: ChainLog) => PoolEvent | undefined
  readonly protocolFee: ProtocolFee
}

import type { BlockProof } from "../IndexedBlock.ts"
import type { BlockIdentity, Seed, StatedFacts, TokenFacts } from "./ChainFacts.ts"
import type { FactoryEvent, PoolEvent } from "./LogDecoder.ts"
import type { PairEvent } from "./PairLogDecoder.ts"

/** A block and everything that its accounting needs. */
export interface BlockFacts extends BlockIdentity {
  readonly proof: BlockProof
  /** Pools that existed before the index, which start with its first block. */
  readonly seeds: ReadonlyArray<Seed>
  /** In block order. */
  readonly events: ReadonlyArray<FactoryEvent | PoolEvent | PairEvent>
  /** The senders of the events' transactions, by transaction hash. */
  readonly origins: ReadonlyMap<string, string>
  /** By address: the tokens that first appear in this block. */
  readonly tokens: ReadonlyMap<string, TokenFacts>
  /** By address: the pools touched by this block whose contracts were read. */
  readonly pools: ReadonlyMap<string, StatedFacts>
  /** The factory's owner after this block, if the block may create the first pool. */
  readonly owner: string | undefined
}

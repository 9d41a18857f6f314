import type { BlockIdentity, PoolFacts, Seed, TokenFacts } from "../decode/ChainFacts.ts"
import type { FactoryEvent, PoolEvent } from "../decode/LogDecoder.ts"
import type { BlockProof } from "../IndexedBlock.ts"

/** A block and everything that its accounting needs. */
export interface BlockFacts extends BlockIdentity {
  readonly proof: BlockProof
  /** Pools that existed before the index, which start with its first block. */
  readonly seeds: ReadonlyArray<Seed>
  /** In block order. */
  readonly events: ReadonlyArray<FactoryEvent | PoolEvent>
  /** The senders of the events' transactions, by transaction hash. */
  readonly origins: ReadonlyMap<string, string>
  /** By address: the tokens that first appear in this block. */
  readonly tokens: ReadonlyMap<string, TokenFacts>
  /** By address: the pools touched by this block whose contracts were read. */
  readonly pools: ReadonlyMap<string, PoolFacts>
  /** The factory's owner after this block, if the block may create the first pool. */
  readonly owner: string | undefined
}

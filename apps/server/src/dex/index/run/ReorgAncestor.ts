import { Effect, Option } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import type { ChainReader } from "../chain/ChainReader.ts"
import { findCommonAncestor } from "../chain/CommonAncestor.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import type { Checkpoint, EntityStore } from "../store/EntityStore.ts"
import type { StoreFailure } from "./IndexFailure.ts"
import type { IndexSession } from "./IndexSession.ts"

/** A reorg is followed this far, where the chain finalizes no block for long. */
const deepest = 10_000

/**
 * The lowest block to which an index may be rewound. Final blocks stay, except that the last `finality` of them may be
 * replaced while they are not proven: their responses never said that they are immutable.
 */
const findFloor = (position: number, finalized: number, proven: number, finality: number): number =>
  Math.max(Math.min(finalized, Math.max(position - finality, proven)), position - Math.max(deepest, finality))

export interface ReorgAncestor {
  /** The newest block of the index that is on the chain of the nodes, and that a reorg may reach. */
  readonly block: Option.Option<Checkpoint>
  readonly floor: number
}

/** Where the index and the chain part. Fails if only some of the nodes have another chain. */
export const findReorgAncestor = Effect.fn("Indexer.findReorgAncestor")(function* (
  reader: ChainReader,
  store: EntityStore["Service"],
  { ephemeral, finality, key }: IndexConfig,
  { finalized, position }: IndexSession,
  head: number
): Effect.fn.Return<ReorgAncestor, BlockSourceError | StoreFailure> {
  const { proven } = (yield* store.proof(key, 0)) ?? {}
  const floor = findFloor(position?.number ?? 0, finalized, proven?.number ?? -1, finality)
  const stored = yield* store.hashes(key, Math.min(floor, head))
  const candidates = stored.filter(({ number }) => number >= floor)
  const proof = proven === undefined || proven.number >= floor ? [] : [proven]
  const block = yield* findCommonAncestor(reader, [...proof, ...candidates], head)
  const compared = stored.findLast(({ number }) => number <= head)
  // A node that lies, or is on a branch of its own, must not stop an index that other nodes confirm.
  if (block === undefined && ephemeral !== true && compared !== undefined && !(yield* reader.isReplaced(compared))) {
    return yield* reader.bad(`has another block ${compared.number} than the index and other nodes`)
  }
  return { block: Option.fromUndefinedOr(block), floor }
})

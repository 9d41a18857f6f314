import { Array as Arr, Effect, Option, SubscriptionRef } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import type { Lease } from "../../../ownership/Lease.ts"
import type { ChainReader } from "../chain/ChainReader.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import type { Checkpoint, EntityStore } from "../store/EntityStore.ts"
import { toTooDeep } from "./IndexFailure.ts"
import type { StoreFailure } from "./IndexFailure.ts"
import { loadSessionAt, newSession, undoTo } from "./IndexSession.ts"
import type { IndexParts, IndexSession } from "./IndexSession.ts"
import type { Prover, WrongBlock } from "./Prover.ts"
import type { RangeReader, Reach } from "./range/RangeReader.ts"
import type { WriteBlocks } from "./RangeApplication.ts"

/** A reorg is followed this far, where the chain finalizes no block for long. */
const deepest = 10_000

/**
 * The lowest block to which an index may be rewound. Final blocks stay, except that the last `finality` of them may be
 * replaced while they are not proven: their responses never said that they are immutable.
 */
const findFloor = (position: number, finalized: number, proven: number, finality: number): number =>
  Math.max(Math.min(finalized, Math.max(position - finality, proven)), position - Math.max(deepest, finality))

/** Whose headers are read at once, to find the common ancestor. */
const maxHeaders = 100

/** The newest of the indexed blocks that is still on the chain; undefined if none of them is. */
const findCommonAncestor = Effect.fn("Rewinds.findCommonAncestor")(function* (
  reader: ChainReader,
  stored: ReadonlyArray<Checkpoint>,
  head: number
) {
  const newestFirst = stored.filter(({ number }) => number <= head).toReversed()
  for (const chunk of Arr.chunksOf(newestFirst, maxHeaders)) {
    const headers = yield* reader.headers(chunk.map(({ number }) => number))
    const ancestor = chunk.find(({ hash }, index) => headers[index]?.hash === hash)
    if (ancestor !== undefined) return ancestor
  }
  return undefined
})

/**
 * The newest block of the index that is on the chain of the nodes, and the lowest that a reorg may reach. Fails if only some
 * of the nodes have another chain.
 */
const findReorgAncestor = Effect.fn("Rewinds.findReorgAncestor")(function* (
  reader: ChainReader,
  store: EntityStore["Service"],
  { ephemeral, finality, key }: IndexConfig,
  { finalized, position }: IndexSession,
  head: number
) {
  const { proven } = Option.getOrUndefined(yield* store.proof(key, 0)) ?? {}
  const last = position?.number ?? 0
  const floor = findFloor(last, finalized, proven?.number ?? -1, finality)
  const stored = yield* store.hashes(key, Math.min(floor, head), last)
  const candidates = stored.filter(({ number }) => number >= floor)
  const proof = proven === undefined || proven.number >= floor ? [] : [proven]
  const block = yield* findCommonAncestor(reader, [...proof, ...candidates], head)
  const compared = stored.findLast(({ number }) => number <= head)
  // A node that lies, or is on a branch of its own, must not stop an index that other nodes confirm.
  if (block === undefined && ephemeral !== true && compared !== undefined && !(yield* reader.isReplaced(compared))) {
    return yield* reader.bad(`has another block ${compared.number} than the index and other nodes`)
  }
  return { block, floor }
})

/** The parts of an index that can replace its blocks. */
export interface RewindParts extends IndexParts {
  readonly ranges: RangeReader
  readonly prover: Prover
  /** Continues from the position of a session. `write` stores the first range. */
  readonly advance: (
    session: IndexSession,
    reach: Reach,
    write: WriteBlocks
  ) => Effect.Effect<void, BlockSourceError | StoreFailure, Lease>
  /** A write that replaces the blocks above this one. */
  readonly rewindTo: (block: number) => WriteBlocks
}

/** If a reorg can reach the first block, it can replace the whole index. So can a chain that starts over. */
const startAgain = Effect.fnUntraced(function* (
  { advance, config, rewindTo, sessions }: RewindParts,
  position: number,
  floor: number,
  reach: Reach
) {
  const { ephemeral = false, startBlock } = config
  if (floor >= startBlock && !ephemeral) return yield* toTooDeep(config, position, floor)
  yield* advance(newSession(startBlock), reach, rewindTo(startBlock - 1)).pipe(Effect.ensuring(sessions.forget))
})

/** The state after the block: from this session, or from the store if the session does not reach so far back. */
const loadAfter = (parts: RewindParts, session: IndexSession, block: Checkpoint) =>
  undoTo(session, block)
    ? Effect.succeed(session)
    : loadSessionAt(parts, block, Math.min(session.finalized, block.number))

/** Replaces the blocks above this one, in one transaction. `load` returns the session after it. */
const replaceAbove = (
  { advance, rewindTo, sessions }: RewindParts,
  block: number,
  load: Effect.Effect<IndexSession, BlockSourceError | StoreFailure>,
  reach: Reach
) =>
  sessions.changing(
    Effect.gen(function* () {
      const back = yield* load
      back.finalized = Math.min(back.finalized, block)
      yield* advance(back, reach, rewindTo(block))
      yield* sessions.keep(back)
    })
  )

/**
 * Reads the blocks after a position. A node that returned receipts in a known encoding, and now returns them in an unknown
 * one, is wrong: the block would be stored from unproven logs, and found to be wrong again.
 */
const readProvable = Effect.fnUntraced(function* (
  { ranges, reader }: RewindParts,
  { position, state }: IndexSession,
  block: number,
  reach: Reach
) {
  const range = yield* ranges.next(state, position, reach)
  if (range.blocks.some(({ number, proof }) => number === block && proof === "stated")) {
    return yield* reader.bad(
      `answered with receipts of block ${block} in an unknown encoding, after receipts that its header proves`
    )
  }
  yield* ranges.putBack(Option.some(range))
})

/** Whether the chain has another block by now. */
const isReplaced = ({ reader }: RewindParts, { block }: WrongBlock) =>
  reader.headers([block.number]).pipe(
    Effect.map(([header]) => header !== undefined && header.hash !== block.hash),
    Effect.orElseSucceed(() => false)
  )

/** Replaces a block that the prover found to be wrong: rewinds to the one before, and reads what follows from receipts. */
export const repair = Effect.fnUntraced(function* (
  parts: RewindParts,
  session: IndexSession,
  wrong: WrongBlock,
  reach: Reach
) {
  const { config, prover, ranges } = parts
  const { block, isProvable, why } = wrong
  yield* ranges.clear
  const before = block.number - 1
  yield* Effect.logError(
    `Index "${config.key}": ${why} The index is rewound to block ${before}, and reads events from receipts from there on.`
  )
  yield* ranges.distrustLogsTo(Number.MAX_SAFE_INTEGER)
  const load = Effect.suspend(() =>
    before < config.startBlock
      ? Effect.succeed(newSession(config.startBlock))
      : loadAfter(parts, session, { number: before, hash: block.parentHash })
  )
  const loadAndRead = Effect.tap(load, (back) => readProvable(parts, back, block.number, reach))
  yield* replaceAbove(parts, before, isProvable ? loadAndRead : load, reach).pipe(
    // If the chain is another one now, the prover looks at it again.
    Effect.tapErrorTag("BlockSourceError", () => Effect.when(prover.forgetWrong, isReplaced(parts, wrong)))
  )
  yield* prover.forgetWrong
})

/** Replaces the blocks of another branch: rewinds to the common ancestor and applies the new branch, or starts again. */
export const followReorg = Effect.fnUntraced(function* (
  parts: RewindParts,
  session: IndexSession,
  position: number,
  reach: Reach
) {
  const { config, ranges, reader, status, store } = parts
  yield* ranges.clear
  const { block, floor } = yield* findReorgAncestor(reader, store, config, session, reach.head)
  if (block === undefined) yield* startAgain(parts, position, floor, reach)
  else {
    yield* Effect.logInfo(`Index "${config.key}": reorg from block ${position} back to ${block.number}.`)
    const load = Effect.suspend(() => loadAfter(parts, session, block))
    yield* replaceAbove(parts, block.number, load, reach)
  }
  yield* SubscriptionRef.update(status, (before) => ({ ...before, reorgs: before.reorgs + 1 }))
})

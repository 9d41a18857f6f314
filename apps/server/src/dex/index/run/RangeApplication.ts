import { Effect, Fiber, Option } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import { applyBlock } from "../accounting/Accounting.ts"
import type { AccountingRules } from "../accounting/AccountingRules.ts"
import type { ChainReader } from "../chain/ChainReader.ts"
import { readPoolsByBlock } from "../chain/PoolReads.ts"
import { findTouchedPools } from "../decode/ChainFacts.ts"
import type { BlockFacts } from "../decode/ChainFacts.ts"
import type { IndexedBlock } from "../IndexedBlock.ts"
import type { Checkpoint, EntityStore } from "../store/EntityStore.ts"
import type { StoreFailure } from "./IndexFailure.ts"
import { forgetBelow, undoTo } from "./IndexSession.ts"
import type { IndexParts, IndexSession } from "./IndexSession.ts"
import type { GatheredRange } from "./range/BlockGathering.ts"
import type { RangeReader, Reach } from "./range/RangeReader.ts"

interface AppliedBlocks {
  readonly rows: ReadonlyArray<IndexedBlock>
  readonly contradiction: string | undefined
  /** Pools whose contracts must be read after every block that touches them: these blocks must be applied again. */
  readonly diverged: ReadonlySet<string>
}

/** Events between two yields to other fibers: some 10 ms. */
const eventsAtOnce = 200

/** Applies blocks that follow the position. Stops at a block that its contracts contradict. */
export const applyBlocks = Effect.fnUntraced(function* (
  rules: AccountingRules,
  session: IndexSession,
  blocks: ReadonlyArray<BlockFacts>
): Effect.fn.Return<AppliedBlocks> {
  const rows: Array<IndexedBlock> = []
  const diverged = new Set<string>()
  let events = 0
  for (const facts of blocks) {
    if ((events += facts.events.length) > eventsAtOnce) {
      events = 0
      yield* Effect.yieldNow
    }
    const applied = applyBlock(rules, session.state, facts)
    if (facts.events.length > 0 || facts.seeds.length > 0)
      session.applied.push({ number: facts.number, undo: applied.undo })
    rows.push(applied.block)
    for (const pool of applied.diverged) diverged.add(pool)
    if (applied.contradiction !== undefined) return { rows, contradiction: applied.contradiction, diverged }
    session.position = { number: facts.number, hash: facts.hash }
  }
  return { rows, contradiction: undefined, diverged }
})

/** The same blocks with the state of these pools after each block that touches them. */
const withStated = Effect.fnUntraced(function* (
  reader: ChainReader,
  { protocol }: AccountingRules,
  blocks: ReadonlyArray<BlockFacts>,
  pools: ReadonlySet<string>
) {
  const stated = yield* readPoolsByBlock(
    reader,
    protocol.state,
    blocks.map((facts) => ({
      number: facts.number,
      hash: facts.hash,
      pools: [...findTouchedPools(facts)].filter((pool) => pools.has(pool))
    }))
  )
  return blocks.map((facts, index): BlockFacts => ({
    ...facts,
    pools: new Map([...facts.pools, ...(stated[index] ?? [])])
  }))
})

/**
 * Applies blocks that follow the position, and returns their rows. If the contracts state another fee growth or
 * observation index than the events imply, the contracts' values are used, from that block on.
 */
export const applyRange = Effect.fnUntraced(function* (
  { config, reader, rules }: Pick<IndexParts, "config" | "reader" | "rules">,
  session: IndexSession,
  blocks: ReadonlyArray<BlockFacts>
): Effect.fn.Return<ReadonlyArray<IndexedBlock>, BlockSourceError> {
  const { position, state } = session
  let facts = blocks
  for (;;) {
    const { contradiction, rows, diverged } = yield* applyBlocks(rules, session, facts)
    if (contradiction !== undefined) return yield* reader.bad(contradiction)
    if (diverged.size === 0) return rows
    yield* Effect.logInfo(
      `Index "${config.key}": asks contracts from now on, because fee growth does not follow from the events of pools`,
      [...diverged]
    )
    undoTo(session, position)
    for (const pool of diverged) state.diverged.add(pool)
    facts = yield* withStated(reader, rules, facts, diverged)
  }
})

/** A write of the rows of blocks. */
export type WriteBlocks = EntityStore["Service"]["append"]

export interface RangeApplication extends Pick<IndexParts, "config" | "reader" | "rules"> {
  readonly ranges: RangeReader
  /** The most ranges that one call applies. */
  readonly max: number
  readonly append: WriteBlocks
  readonly onWritten: (position: Checkpoint | undefined, head: number) => Effect.Effect<void>
}

/**
 * Applies and writes a range and the final blocks after it: one range is read, one applied and one written at a time.
 * `writeFirst` stores the first one.
 */
export const applyRanges = Effect.fnUntraced(function* (
  application: RangeApplication,
  session: IndexSession,
  reach: Reach,
  first: GatheredRange,
  writeFirst: WriteBlocks
) {
  const { append, config, max, onWritten, ranges } = application
  const writeRange = Effect.fnUntraced(function* (
    write: WriteBlocks,
    rows: ReadonlyArray<IndexedBlock>,
    position: Checkpoint | undefined
  ) {
    // A node that states too high a head must not make later blocks final.
    const finalized = Math.max(0, Math.min(reach.final, position?.number ?? 0))
    yield* write(config.key, rows, finalized)
    session.finalized = Math.max(session.finalized, finalized)
    yield* onWritten(position, reach.head)
  })
  let gathered = first
  let writing: Fiber.Fiber<void, StoreFailure> = yield* Effect.forkScoped(Effect.void)
  for (let count = 1; ; count++) {
    const reading = yield* Effect.forkScoped(ranges.readAhead(session.state, gathered, reach), {
      startImmediately: true
    })
    // Earlier ranges were applied correctly and are written to the end, even if this range fails.
    const rows = yield* applyRange(application, session, gathered.blocks).pipe(
      Effect.tapError(() => Effect.exit(Fiber.join(writing))),
      Effect.tapError(() => ranges.distrustLogsTo(gathered.range.to))
    )
    forgetBelow(session, reach.final)
    yield* Fiber.join(writing)
    const write = count === 1 ? writeFirst : append
    writing = yield* Effect.forkScoped(writeRange(write, rows, session.position), { startImmediately: true })
    const next = yield* Fiber.join(reading)
    if (Option.isNone(next) || count >= max) {
      yield* Fiber.join(writing)
      return yield* ranges.putBack(next)
    }
    gathered = next.value
  }
})

import { Effect, Schedule } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import type { Lease } from "../../../ownership/Lease.ts"
import { toAccountingRules } from "../accounting/AccountingRules.ts"
import type { ChainReader } from "../chain/ChainReader.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import { isProven } from "../IndexedBlock.ts"
import type { Checkpoint, EntityStore } from "../store/EntityStore.ts"
import type { StoreFailure } from "./IndexFailure.ts"
import { forgetBelow, loadSession } from "./IndexSession.ts"
import { gatherBlocks } from "./range/BlockGathering.ts"
import type { GatheredBlocks } from "./range/BlockGathering.ts"
import { applyRange } from "./RangeApplication.ts"

const blocksPerRange = 100

/** The nodes are asked one after the other within an attempt. */
const attempts = Schedule.max([Schedule.exponential("500 millis"), Schedule.recurs(3)])

/** A range of blocks that is about to be stored. */
export interface RecomputedRange {
  readonly last: Checkpoint
  readonly receipts: number
  readonly logs: number
  /** The first block whose header or receipts do not match their hashes in a known encoding. */
  readonly unproven: number | undefined
}

const toRange = ({ blocks, read }: GatheredBlocks, last: Checkpoint): RecomputedRange => ({
  last: { number: last.number, hash: last.hash },
  ...read,
  unproven: blocks.find(({ proof }) => !isProven(proof))?.number
})

/**
 * Indexes the final blocks up to `to`, each from its receipts, which are proven against its header. Continues after the
 * checkpoint of the store. `before` runs before a range is stored.
 */
export const recompute = Effect.fn("Recomputation.run")(function* <E, R>(
  store: EntityStore["Service"],
  reader: ChainReader,
  config: IndexConfig,
  to: number,
  before: (range: RecomputedRange) => Effect.Effect<void, E, R>
): Effect.fn.Return<void, BlockSourceError | StoreFailure | E, Lease | R> {
  const { key, startBlock } = config
  const rules = toAccountingRules(config)
  const session = yield* loadSession({ config, rules, store })

  const gather = (parent: Checkpoint | undefined, pending?: ReadonlySet<string>) => {
    const from = (parent?.number ?? startBlock - 1) + 1
    const last = Math.min(to, from + blocksPerRange - 1)
    const range = { from, to: last, parent, isFinalized: true, hasNext: last < to } as const
    return gatherBlocks({ reader, rules }, session.state, { ...range, logSource: "receipts" }, pending).pipe(
      Effect.catchTag("LogRangeError", Effect.die),
      Effect.retry(attempts)
    )
  }

  const write = Effect.fnUntraced(function* (gathered: GatheredBlocks, last: Checkpoint) {
    const rows = yield* applyRange({ config, reader, rules }, session, gathered.blocks)
    yield* before(toRange(gathered, last))
    yield* store.append(key, rows, to)
    forgetBelow(session, last.number)
  })

  if ((session.position?.number ?? startBlock - 1) >= to) return
  let gathered: GatheredBlocks | undefined = yield* gather(session.position)
  while (gathered !== undefined) {
    const last: Checkpoint | undefined = gathered.blocks.at(-1)
    if (last === undefined) return
    const { created }: GatheredBlocks = gathered
    const [next]: readonly [GatheredBlocks | undefined, void] = yield* Effect.all(
      [
        last.number < to ? gather({ number: last.number, hash: last.hash }, created) : Effect.undefined,
        write(gathered, last)
      ],
      { concurrency: 2 }
    )
    gathered = next
  }
})

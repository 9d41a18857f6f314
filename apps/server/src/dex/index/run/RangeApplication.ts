import { Effect } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import { touchedPools } from "../accounting/Accounting.ts"
import type { AccountingRules } from "../accounting/AccountingRules.ts"
import type { ChainReader } from "../chain/ChainReader.ts"
import { readPoolsByBlock } from "../chain/PoolReads.ts"
import type { BlockFacts } from "../decode/BlockFacts.ts"
import type { IndexedBlock } from "../IndexedBlock.ts"
import { applyBlocks, undoTo } from "./IndexSession.ts"
import type { IndexSession } from "./IndexSession.ts"

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
    blocks.map(({ events, hash, number }) => ({
      number,
      hash,
      pools: [...touchedPools(events)].filter((pool) => pools.has(pool))
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
  reader: ChainReader,
  rules: AccountingRules,
  session: IndexSession,
  blocks: ReadonlyArray<BlockFacts>
): Effect.fn.Return<ReadonlyArray<IndexedBlock>, BlockSourceError> {
  const { position, state } = session
  let facts = blocks
  for (;;) {
    const { contradiction, rows, unproven } = yield* applyBlocks(rules, session, facts)
    if (contradiction !== undefined) return yield* reader.bad(contradiction)
    if (unproven.size === 0) return rows
    yield* Effect.logInfo(`Asks contracts from now on: fee growth does not follow from the events of pools`, [
      ...unproven
    ])
    undoTo(session, position)
    for (const pool of unproven) state.asked.add(pool)
    facts = yield* withStated(reader, rules, facts, unproven)
  }
})

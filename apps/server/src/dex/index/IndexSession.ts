import { Effect, Option } from "effect"
import { applyBlock } from "./Accounting.ts"
import { emptyState, restoreState } from "./AccountingState.ts"
import type { AccountingState } from "./AccountingState.ts"
import type { BlockFacts } from "./BlockFacts.ts"
import type { AccountingRules } from "./IndexConfig.ts"
import type { Checkpoint, EntityStore, IndexedBlock } from "./IndexedBlock.ts"

/** A block that can be taken back. */
interface Applied {
  readonly number: number
  readonly undo: () => void
}

/** The state in memory, and where in the chain it stands. It is given up whenever a write may have failed. */
export interface IndexSession {
  /** Undefined before the first block. */
  position: Checkpoint | undefined
  readonly state: AccountingState
  /** Ascending; only blocks with changes. */
  readonly applied: Array<Applied>
  /** The deepest block to which the state can be taken back. */
  undoFloor: number
}

export const newSession = (startBlock: number): IndexSession => ({
  position: undefined,
  state: emptyState(),
  applied: [],
  undoFloor: startBlock - 1
})

export const loadSession = Effect.fn("Indexer.load")(function* (
  store: EntityStore["Service"],
  rules: AccountingRules,
  key: string,
  startBlock: number
) {
  const position = Option.getOrUndefined(yield* store.checkpoint(key))
  const session: IndexSession = {
    position,
    state: restoreState(rules, yield* store.state(key)),
    applied: [],
    undoFloor: position?.number ?? startBlock - 1
  }
  return session
})

/** Takes the state back to an earlier block. False if it does not reach that far back. */
export const undoTo = (session: IndexSession, block: Checkpoint): boolean => {
  if (block.number < session.undoFloor) return false
  while ((session.applied.at(-1)?.number ?? block.number) > block.number) session.applied.pop()?.undo()
  session.position = block
  return true
}

/** Applies blocks that follow the position. Ends at a block that its contracts contradict. */
export const applyBlocks = (
  rules: AccountingRules,
  session: IndexSession,
  blocks: ReadonlyArray<BlockFacts>
): { readonly rows: ReadonlyArray<IndexedBlock>; readonly contradiction: string | undefined } => {
  const rows: Array<IndexedBlock> = []
  for (const facts of blocks) {
    const { block, contradiction, undo } = applyBlock(rules, session.state, facts)
    if (facts.events.length > 0) session.applied.push({ number: facts.number, undo })
    rows.push(block)
    if (contradiction !== undefined) return { rows, contradiction }
    session.position = { number: facts.number, hash: facts.hash }
  }
  return { rows, contradiction: undefined }
}

/** Forgets how to take back what no reorg can reach. */
export const forgetBelow = (session: IndexSession, finalized: number): void => {
  if (finalized <= session.undoFloor) return
  const kept = session.applied.findIndex(({ number }) => number > finalized)
  session.applied.splice(0, kept < 0 ? session.applied.length : kept)
  session.undoFloor = Math.min(finalized, session.position?.number ?? finalized)
}

import { Effect, Exit, Option, Ref } from "effect"
import type { SubscriptionRef } from "effect"
import type { AccountingRules } from "../accounting/AccountingRules.ts"
import { emptyState, restoreState } from "../accounting/AccountingState.ts"
import type { AccountingState } from "../accounting/AccountingState.ts"
import type { ChainReader } from "../chain/ChainReader.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import type { Checkpoint, EntityStore } from "../store/EntityStore.ts"
import type { StoreFailure } from "./IndexFailure.ts"
import type { IndexProgress } from "./IndexProgress.ts"

/** A block that can be undone. */
interface Applied {
  readonly number: number
  readonly undo: () => void
}

/** The state in memory and its position in the chain. It is discarded whenever a write may have failed. */
export interface IndexSession {
  /** Undefined before the first block. */
  position: Checkpoint | undefined
  /** The newest final block of the index; -1 if there is none. Never decreases, unless a final block was wrong. */
  finalized: number
  readonly state: AccountingState
  /** Ascending; only blocks with changes. */
  readonly applied: Array<Applied>
  /** The oldest block to which the state can be undone. */
  undoFloor: number
}

export const newSession = (startBlock: number): IndexSession => ({
  position: undefined,
  finalized: -1,
  state: emptyState(),
  applied: [],
  undoFloor: startBlock - 1
})

type StoredIndex = Pick<IndexParts, "config" | "rules" | "store">

/** The state after a block of the index. */
export const loadSessionAt = Effect.fn("IndexSession.loadSessionAt")(function* (
  { config, rules, store }: StoredIndex,
  { hash, number }: Checkpoint,
  finalized: number
) {
  const position = { number, hash }
  const state = restoreState(rules, yield* store.state(config.key, number))
  return { position, finalized, state, applied: [], undoFloor: position.number } satisfies IndexSession
})

export const loadSession = Effect.fnUntraced(function* (index: StoredIndex) {
  const { config, store } = index
  const position = Option.getOrUndefined(yield* store.checkpoint(config.key))
  return position === undefined
    ? newSession(config.startBlock)
    : yield* loadSessionAt(index, position, position.finalized)
})

/** Undoes blocks down to an earlier one. False if the session does not reach that far back. */
export const undoTo = (session: IndexSession, block: Checkpoint | undefined): boolean => {
  const number = block?.number ?? session.undoFloor
  if (number < session.undoFloor) return false
  while ((session.applied.at(-1)?.number ?? number) > number) session.applied.pop()?.undo()
  session.position = block
  return true
}

/** Undo data is held for this many blocks. The store has the state of earlier ones, where the chain is long not final. */
const undoable = 1000

/** Drops the undo data of final blocks. */
export const forgetBelow = (session: IndexSession, final: number): void => {
  const finalized = Math.max(final, (session.position?.number ?? 0) - undoable)
  if (finalized <= session.undoFloor) return
  const first = session.applied.findIndex(({ number }) => number > finalized)
  session.applied.splice(0, first < 0 ? session.applied.length : first)
  session.undoFloor = Math.min(finalized, session.position?.number ?? finalized)
}

/** Holds the session of an index, and loads it from the store if there is none. */
export const makeSessions = Effect.fnUntraced(function* (load: Effect.Effect<IndexSession, StoreFailure>) {
  const loaded = yield* Ref.make(Option.none<IndexSession>())
  const latest = yield* Ref.make(Option.none<IndexSession>())
  const keep = (session: IndexSession) =>
    Effect.andThen(Ref.set(latest, Option.some(session)), Ref.set(loaded, Option.some(session)))
  const forget = Ref.set(loaded, Option.none())
  return {
    forget,
    /** The session that was loaded last. Its state may be ahead of the store, if it was discarded. */
    latest: Ref.get(latest),
    keep,
    get: Effect.flatMap(
      Ref.get(loaded),
      Option.match({
        onSome: Effect.succeed,
        onNone: () => Effect.tap(load, keep)
      })
    ),
    /**
     * Changes the state; if the change fails half way, the session is discarded, because the store is authoritative.
     */
    changing: <A, E, R>(change: Effect.Effect<A, E, R>) =>
      Effect.onExit(change, (exit) => (Exit.isSuccess(exit) ? Effect.void : forget))
  }
})

/** The parts of an indexer that its steps and its prover share. */
export interface IndexParts {
  readonly config: IndexConfig
  readonly rules: AccountingRules
  readonly store: EntityStore["Service"]
  readonly reader: ChainReader
  readonly sessions: Effect.Success<ReturnType<typeof makeSessions>>
  readonly status: SubscriptionRef.SubscriptionRef<IndexProgress>
}

import { Effect, Exit, Option, Ref, SubscriptionRef } from "effect"
import { HttpClient } from "effect/http"
import type { BlockSourceError } from "../../blocks/BlockSource.ts"
import { gatherBlocks } from "./BlockGathering.ts"
import type { BlockRange, GatheredBlocks } from "./BlockGathering.ts"
import { makeChainReader } from "./ChainReader.ts"
import type { Tip } from "./ChainReader.ts"
import { findCommonAncestor } from "./CommonAncestor.ts"
import type { IndexConfig } from "./IndexConfig.ts"
import { rulesOf } from "./IndexConfig.ts"
import { EntityStore } from "./IndexedBlock.ts"
import type { Checkpoint } from "./IndexedBlock.ts"
import { ReorgTooDeep } from "./IndexFailure.ts"
import type { IndexFailure } from "./IndexFailure.ts"
import { runSteps } from "./IndexLoop.ts"
import type { StepResult } from "./IndexLoop.ts"
import { applyBlocks, forgetBelow, loadSession, newSession, undoTo } from "./IndexSession.ts"
import type { IndexSession } from "./IndexSession.ts"
import { startingStatus } from "./IndexStatus.ts"
import type { IndexStatus } from "./IndexStatus.ts"
import { makePollInterval } from "./PollInterval.ts"
import { afterFailure, afterSuccess, firstSize, linkedBlocks } from "./RangeSize.ts"
import type { RangeSize } from "./RangeSize.ts"

/** Follows one deployment of one chain. */
export interface Indexer {
  readonly status: SubscriptionRef.SubscriptionRef<IndexStatus>
  /** Asks for the head and indexes the next batch of blocks. A failure leaves the store as it was. */
  readonly step: Effect.Effect<StepResult, IndexFailure>
  /** Steps without end. Completes only if the index must stop, which the status then states. */
  readonly run: Effect.Effect<void>
}

interface Gathered extends GatheredBlocks {
  readonly range: BlockRange
}

export interface IndexerOptions {
  /** Blocks of the first batch. */
  readonly firstSize?: RangeSize
}

const nextRange = (
  { finality, startBlock }: IndexConfig,
  position: Checkpoint | undefined,
  head: number,
  size: RangeSize
): BlockRange => {
  const from = position === undefined ? startBlock : position.number + 1
  const isFinalized = from <= head - finality
  const to = isFinalized
    ? Math.min(head - finality, from + size.blocks - 1)
    : Math.min(head, from + linkedBlocks(size) - 1)
  return { from, to, parent: position, isFinalized }
}

const tooDeep = ({ blockchain, finality, key }: IndexConfig, position: number) =>
  new ReorgTooDeep({
    message:
      `The chain "${blockchain}" has neither block ${position} as it is indexed nor one of the ${finality} ` +
      `blocks before it: a reorg went deeper than the finality. Build the index of "${key}" anew.`
  })

const makeSessions = Effect.fnUntraced(function* (store: EntityStore["Service"], load: ReturnType<typeof loadSession>) {
  const kept = yield* Ref.make(Option.none<IndexSession>())
  const forget = Ref.set(kept, Option.none())
  return {
    forget,
    get: Effect.flatMap(
      Ref.get(kept),
      Option.match({
        onSome: Effect.succeed,
        onNone: () => Effect.tap(load, (loaded) => Ref.set(kept, Option.some(loaded)))
      })
    ),
    /** A change of the state that fails half way leaves it behind: the store is the truth. */
    changing: <A, E>(change: Effect.Effect<A, E>) =>
      Effect.onExit(change, (exit) => (Exit.isSuccess(exit) ? Effect.void : forget))
  }
})

export const makeIndexer = Effect.fnUntraced(function* (
  config: IndexConfig,
  options: IndexerOptions = {}
): Effect.fn.Return<Indexer, never, EntityStore | HttpClient.HttpClient> {
  const { finality, key, startBlock } = config
  const rules = rulesOf(config)
  const store = yield* EntityStore
  const reader = yield* makeChainReader(yield* HttpClient.HttpClient, config)
  const status = yield* SubscriptionRef.make(startingStatus(key))
  const sessions = yield* makeSessions(store, loadSession(store, rules, key, startBlock))
  const size = yield* Ref.make(options.firstSize ?? firstSize)
  const interval = yield* makePollInterval

  const observe = ({ position }: IndexSession, head: number) =>
    SubscriptionRef.update(status, (before): IndexStatus => {
      const behind = head - (position?.number ?? startBlock - 1)
      return {
        ...before,
        state: behind > finality ? "historical" : "realtime",
        head,
        indexed: position?.number,
        lag: Math.max(0, behind)
      }
    })

  /** The blocks after the position: as many as the nodes give at once. */
  const gather = (session: IndexSession, head: number): Effect.Effect<Gathered, BlockSourceError> =>
    Effect.gen(function* () {
      const range = nextRange(config, session.position, head, yield* Ref.get(size))
      const gathering = gatherBlocks(reader, rules, session.state, range)
      return yield* Effect.map(gathering, (gathered): Gathered => ({ ...gathered, range })).pipe(
        Effect.tapError(() => Ref.update(size, (before) => afterFailure(before, range.to - range.from + 1))),
        Effect.catchTag("RangeRefused", ({ error }) =>
          range.from === range.to ? Effect.fail(error) : gather(session, head)
        )
      )
    })

  /** Applies the blocks after the position and hands them to `write`, which stores them. */
  const advance = Effect.fnUntraced(function* (
    session: IndexSession,
    head: number,
    write: EntityStore["Service"]["append"]
  ) {
    const { blocks, logs, range } = yield* gather(session, head)
    const finalized = Math.max(0, head - finality)
    yield* sessions.changing(
      Effect.gen(function* () {
        const { contradiction, rows } = applyBlocks(rules, session, blocks)
        if (contradiction !== undefined) return yield* reader.bad(contradiction)
        yield* write(key, rows, finalized)
      })
    )
    forgetBelow(session, finalized)
    yield* Ref.update(size, (before) => afterSuccess(before, range.to - range.from + 1, logs))
    yield* observe(session, head)
    return "advanced" as const
  })

  /** Where a reorg can reach the first block, it can replace the whole index. */
  const startAgain = Effect.fnUntraced(function* (position: number, head: number) {
    if (position - finality >= startBlock) return yield* tooDeep(config, position)
    return yield* advance(newSession(startBlock), head, (deployment, rows, finalized) =>
      store.rewind(deployment, startBlock - 1, rows, finalized)
    ).pipe(Effect.ensuring(sessions.forget))
  })

  /** Goes back to the newest block that both branches have, and on along the other branch, in one transaction. */
  const followReorg = Effect.fnUntraced(function* (session: IndexSession, position: number, { head }: Tip) {
    const hashes = yield* store.hashes(key, Math.max(0, position - finality))
    const ancestor = yield* findCommonAncestor(reader, hashes, head.number)
    if (ancestor === undefined) return yield* startAgain(position, head.number)
    yield* Effect.logInfo(`Reorg of "${config.blockchain}": from block ${position} back to ${ancestor.number}.`)
    yield* sessions.changing(
      Effect.gen(function* () {
        if (undoTo(session, ancestor)) {
          return yield* advance(session, head.number, (deployment, rows, finalized) =>
            store.rewind(deployment, ancestor.number, rows, finalized)
          )
        }
        // After a restart nothing is left to undo with: the store takes the old branch back, and the state is read anew.
        yield* store.rewind(key, ancestor.number, [], Math.max(0, head.number - finality))
        return yield* sessions.forget
      })
    )
    yield* SubscriptionRef.update(status, (before) => ({ ...before, reorgs: before.reorgs + 1 }))
    return "advanced" as const
  })

  /** Whether the node's chain is another one than the indexed one. A shorter one may only be late. */
  const isReorg = Effect.fnUntraced(function* (position: Checkpoint, { head, known }: Tip) {
    if (Option.isSome(known)) return known.value.hash !== position.hash
    const [kept] = yield* store.hashes(key, head.number)
    return kept?.number === head.number && kept.hash !== head.hash
  })

  const step = Effect.fn("Indexer.step")(function* (): Effect.fn.Return<StepResult, IndexFailure> {
    const session = yield* sessions.get
    const { position } = session
    const tip = yield* reader.tip(position?.number ?? startBlock)
    yield* interval.observe(tip.head)
    yield* observe(session, tip.head.number)
    if (position !== undefined && (yield* isReorg(position, tip))) {
      return yield* followReorg(session, position.number, tip)
    }
    const isAtHead = tip.head.number < (position === undefined ? startBlock : position.number + 1)
    return isAtHead ? "atHead" : yield* advance(session, tip.head.number, store.append)
  })

  return { status, step: step(), run: runSteps(step(), status, interval.get) }
})

import { Effect, Option, Result, SubscriptionRef } from "effect"
import { HttpClient } from "effect/http"
import { makeBlockPace } from "../../../blocks/BlockPace.ts"
import type { BlockPace } from "../../../blocks/BlockPace.ts"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import { backoffMs, recoveryBackoff } from "../../../internal/backoff.ts"
import { makeChangeCounter } from "../../../internal/ChangeCounter.ts"
import type { ChangeCounter } from "../../../internal/ChangeCounter.ts"
import { enlargeHeap } from "../../../internal/process/heapGrowth.ts"
import type { Lease, LeaseLostError } from "../../../ownership/Lease.ts"
import { toResult } from "../../../ownership/StepFailure.ts"
import type { Failure } from "../../../ownership/StepFailure.ts"
import { toAccountingRules } from "../accounting/AccountingRules.ts"
import { makeChainReader } from "../chain/ChainReader.ts"
import type { ChainReader } from "../chain/ChainReader.ts"
import { findProtocol } from "../chain/FactoryProbe.ts"
import type { HeadReading } from "../chain/HeadReads.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import { toProtocolId } from "../protocol/Protocols.ts"
import { EntityStore } from "../store/EntityStore.ts"
import type { Checkpoint } from "../store/EntityStore.ts"
import { toProtocolMismatch } from "./IndexFailure.ts"
import type { IndexFailure, StoreFailure } from "./IndexFailure.ts"
import { startingProgress, withHead, withoutProofAbove } from "./IndexProgress.ts"
import type { IndexProgress } from "./IndexProgress.ts"
import { loadSession, makeSessions } from "./IndexSession.ts"
import type { IndexParts } from "./IndexSession.ts"
import { chooseStep } from "./NextStep.ts"
import { makeProver } from "./Prover.ts"
import type { Prover } from "./Prover.ts"
import { makeRangeReader } from "./range/RangeReader.ts"
import type { RangeReader, Reach } from "./range/RangeReader.ts"
import { applyRanges } from "./RangeApplication.ts"
import type { RangeApplication } from "./RangeApplication.ts"
import { followReorg, repair } from "./Rewinds.ts"
import type { RewindParts } from "./Rewinds.ts"

export type StepResult =
  /** Blocks were indexed; there may be more. */
  | "advanced"
  /** The index is at the head. */
  | "atHead"

/** Follows one deployment of one chain. */
export interface Indexer {
  readonly status: SubscriptionRef.SubscriptionRef<IndexProgress>
  /** Reads the head and indexes the next batch of blocks. A failure leaves the store unchanged. */
  readonly step: Effect.Effect<StepResult, IndexFailure, Lease>
  /** Proves the next blocks. Returns whether there may be more. */
  readonly prove: Effect.Effect<boolean, BlockSourceError | StoreFailure, Lease>
  readonly changes: ChangeCounter
  /** Runs steps forever. Completes only if the index must stop; the status then says why. */
  readonly run: Effect.Effect<void, LeaseLostError, Lease>
}

export interface IndexerOptions {
  /** Blocks of the first batch. */
  readonly firstBlocks?: number
  /** Batches of final blocks in one step. */
  readonly rangesPerStep?: number
  /** Wakes the readers of the index. */
  readonly announce?: Effect.Effect<void>
}

/** The same store, whose writes count as changes, and are announced if they change blocks. */
const announceWrites = (store: EntityStore["Service"], changes: ChangeCounter, announce: Effect.Effect<void>) =>
  EntityStore.of({
    ...store,
    append: (...rows) => changes.write(Effect.ensuring(store.append(...rows), announce)),
    rewind: (...rows) => changes.write(Effect.ensuring(store.rewind(...rows), announce)),
    prove: (...rows) => changes.write(store.prove(...rows))
  })

/** Whether the node's chain differs from the indexed one. A shorter chain may only be late. */
const isReorg = Effect.fnUntraced(function* (
  store: EntityStore["Service"],
  { ephemeral = false, key, startBlock }: IndexConfig,
  position: Checkpoint,
  { head, known }: HeadReading
) {
  if (Option.isSome(known)) return known.value.hash !== position.hash
  if (ephemeral && head.number >= startBlock) return true
  const [stored] = yield* store.hashes(key, head.number, head.number)
  return stored !== undefined && stored.hash !== head.hash
})

/** Fails if the factory is known to be one of another protocol. */
const checkProtocol = Effect.fnUntraced(function* (reader: ChainReader, config: IndexConfig, block: string) {
  const found = yield* findProtocol(reader, config.factory, block)
  if (found !== undefined && found.id !== toProtocolId(config)) return yield* toProtocolMismatch(config, found)
})

const withLargerHeap = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(enlargeHeap),
    () => work,
    (end) => Effect.sync(end)
  )

/** Polls after half the block time, within the limits of `BlockPace`. */
const pollShare = 1 / 2

const toReach = ({ final, head }: HeadReading): Reach => ({ final, head: head.number })

/** A write that replaces the blocks above this one. */
const makeRewindTo =
  ({ config, status, store }: IndexParts): RewindParts["rewindTo"] =>
  (block) =>
  (deployment, rows, finalized) =>
    SubscriptionRef.update(status, (before) => withoutProofAbove(before, block, config.startBlock)).pipe(
      Effect.andThen(store.rewind(deployment, block, rows, finalized))
    )

const observe = ({ config, status }: IndexParts, position: Checkpoint | undefined, head: number) =>
  SubscriptionRef.update(status, (before) => withHead(before, config, position?.number, head))

/** Compares the index with the chain, and chooses what is done next. */
const chooseNext = Effect.fnUntraced(function* (
  parts: IndexParts,
  prover: Prover,
  position: Checkpoint | undefined,
  reading: HeadReading
) {
  const { config, store } = parts
  const head = reading.head.number
  yield* observe(parts, position, head)
  const hasReorg = position !== undefined && (yield* isReorg(store, config, position, reading))
  // Not before a reorg is followed: until then, the index may have other blocks up to there.
  if (!hasReorg) yield* prover.observeFinal(reading.final)
  const wrong = hasReorg || position === undefined ? Option.none() : yield* prover.findWrong(position.number)
  return chooseStep(config, { last: position?.number, head, isReorg: hasReorg, wrong: Option.getOrUndefined(wrong) })
})

/** Makes the step that reads the head and indexes the next batch, follows a reorg, or repairs a block. */
const makeStep = (parts: IndexParts, prover: Prover, ranges: RangeReader, rangesPerStep: number, pace: BlockPace) => {
  const { config, reader, rules, sessions, store } = parts
  const { append } = store
  const application: RangeApplication = {
    config,
    reader,
    rules,
    ranges,
    max: rangesPerStep,
    append,
    onWritten: (position, head) => observe(parts, position, head)
  }

  const advance: RewindParts["advance"] = Effect.fnUntraced(function* (session, reach, write) {
    const first = yield* ranges.next(session.state, session.position, reach)
    // The scope's end interrupts reads and writes in progress when a part fails.
    yield* sessions.changing(Effect.scoped(applyRanges(application, session, reach, first, write)))
  })

  const rewindParts: RewindParts = { ...parts, ranges, prover, advance, rewindTo: makeRewindTo(parts) }

  const step = Effect.fn("Indexer.step")(function* (): Effect.fn.Return<StepResult, IndexFailure, Lease> {
    const session = yield* sessions.get
    const reading = yield* reader.readHead(session.position?.number ?? config.startBlock)
    pace.observe(reading.head)
    const next = yield* chooseNext(parts, prover, session.position, reading)
    const reach = toReach(reading)
    if (next.kind === "wait") return "atHead"
    if (next.kind === "followReorg") yield* followReorg(rewindParts, session, next.last, reach)
    else if (next.kind === "repair") yield* repair(rewindParts, session, next.wrong, reach)
    else {
      if (next.isFirst) yield* checkProtocol(reader, config, reading.head.hash)
      const advanced = advance(session, reach, append)
      yield* next.isHistory ? withLargerHeap(advanced) : advanced
    }
    return "advanced"
  })

  return Effect.tapErrorTag(step(), "BlockSourceError", ({ reason }) =>
    reason === "BadResponse" ? reader.avoidHeadNode : Effect.void
  )
}

/**
 * Runs steps until the index must stop, or another instance owns it. No other failure ends the loop, not even a defect:
 * the status reports it, and the loop continues.
 */
export const runSteps = <R>(
  step: Effect.Effect<StepResult, IndexFailure, R>,
  status: SubscriptionRef.SubscriptionRef<IndexProgress>,
  pollMs: () => number
): Effect.Effect<void, LeaseLostError, R> => {
  const handleFailure = Effect.fnUntraced(function* ({ error, message, retryAfterMs }: Failure<IndexFailure>) {
    const isOver = error?._tag === "ReorgTooDeepError" || error?._tag === "ProtocolMismatchError"
    const { failures, key } = yield* SubscriptionRef.updateAndGet(status, (before): IndexProgress => ({
      ...before,
      state: isOver ? "stopped" : before.state,
      failures: before.failures + 1,
      lastError: { message }
    }))
    // A node that is behind another one, or between two blocks, contradicts itself once.
    yield* failures === 1 && !isOver
      ? Effect.logInfo(`Index "${key}": ${message} The step is repeated.`)
      : Effect.logWarning(`Index "${key}": ${message}`)
    if (!isOver) yield* Effect.sleep(yield* backoffMs(failures, recoveryBackoff, retryAfterMs))
    return isOver
  })

  const handleSuccess = Effect.fnUntraced(function* (result: StepResult) {
    yield* SubscriptionRef.update(status, (before): IndexProgress => ({ ...before, failures: 0, lastError: undefined }))
    if (result === "atHead") yield* Effect.sleep(pollMs())
    return false
  })

  return toResult(step).pipe(
    Effect.flatMap(Result.match({ onSuccess: handleSuccess, onFailure: handleFailure })),
    Effect.repeat({ until: (isOver) => isOver }),
    Effect.asVoid
  )
}

export const makeIndexer = Effect.fnUntraced(function* (
  config: IndexConfig,
  options: IndexerOptions = {}
): Effect.fn.Return<Indexer, never, EntityStore | HttpClient.HttpClient> {
  const { key } = config
  const rules = toAccountingRules(config)
  const changes = makeChangeCounter()
  const { announce = Effect.void, firstBlocks, rangesPerStep = 8 } = options
  const store = announceWrites(yield* EntityStore, changes, announce)
  const reader = yield* makeChainReader(yield* HttpClient.HttpClient, config)
  const status = yield* SubscriptionRef.make(startingProgress(key))
  const load = Effect.gen(function* () {
    const { proven } = Option.getOrUndefined(yield* store.proof(key, 0)) ?? {}
    if (proven !== undefined) yield* reader.expectHashed(proven.number)
    return yield* loadSession({ config, rules, store })
  })
  const sessions = yield* makeSessions(load)
  const ranges = yield* makeRangeReader(config, reader, rules, firstBlocks)
  const parts: IndexParts = { config, rules, store, reader, sessions, status }
  const prover = yield* makeProver(parts)
  const pace = makeBlockPace(pollShare)
  const step = makeStep(parts, prover, ranges, rangesPerStep, pace)
  const run = runSteps(step, status, pace.waitMs)
  return {
    status,
    changes,
    step,
    prove: prover.step,
    run: (config.verify ?? "all") === "all" ? Effect.raceFirst(run, prover.run) : run
  }
})

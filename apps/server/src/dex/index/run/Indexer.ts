import { Effect, Fiber, Option, Ref, SubscriptionRef } from "effect"
import { HttpClient } from "effect/http"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import { makeChangeCounter } from "../../../internal/ChangeCounter.ts"
import type { ChangeCounter } from "../../../internal/ChangeCounter.ts"
import { enlargeHeap } from "../../../internal/heapGrowth.ts"
import type { Lease, LeaseLost } from "../../../ownership/Lease.ts"
import { toAccountingRules } from "../accounting/AccountingRules.ts"
import type { AccountingState } from "../accounting/AccountingState.ts"
import { makeChainReader } from "../chain/ChainReader.ts"
import type { Tip } from "../chain/ChainReader.ts"
import { findProtocol } from "../chain/FactoryProbe.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import type { IndexedBlock } from "../IndexedBlock.ts"
import { toProtocolId } from "../protocol/Protocols.ts"
import { EntityStore } from "../store/EntityStore.ts"
import type { Checkpoint } from "../store/EntityStore.ts"
import { gatherBlocks } from "./BlockGathering.ts"
import type { BlockRange, GatheredRange, LogSource } from "./BlockGathering.ts"
import { isOfDeployment } from "./BlockPlan.ts"
import { toOtherProtocol, toTooDeep } from "./IndexFailure.ts"
import type { IndexFailure, StoreFailure } from "./IndexFailure.ts"
import { makePollInterval, runProver, runSteps } from "./IndexLoop.ts"
import type { StepResult } from "./IndexLoop.ts"
import { forgetBelow, loadSession, loadSessionAt, makeSessions, newSession, undoTo } from "./IndexSession.ts"
import type { IndexSession } from "./IndexSession.ts"
import { startingStatus } from "./IndexStatus.ts"
import type { IndexStatus } from "./IndexStatus.ts"
import { makeLookahead } from "./Lookahead.ts"
import { proveNext } from "./Prover.ts"
import type { WrongBlock } from "./Prover.ts"
import { applyRange } from "./RangeApplication.ts"
import { afterFailure, afterSuccess, firstBlocks, linkedBlocks } from "./RangeSize.ts"
import { findReorgAncestor } from "./ReorgAncestor.ts"

/** Follows one deployment of one chain. */
export interface Indexer {
  readonly status: SubscriptionRef.SubscriptionRef<IndexStatus>
  /** Reads the head and indexes the next batch of blocks. A failure leaves the store unchanged. */
  readonly step: Effect.Effect<StepResult, IndexFailure, Lease>
  /** Proves the next blocks. Returns whether there may be more. */
  readonly prove: Effect.Effect<boolean, BlockSourceError | StoreFailure, Lease>
  readonly changes: ChangeCounter
  /** Runs steps forever. Completes only if the index must stop; the status then says why. */
  readonly run: Effect.Effect<void, LeaseLost, Lease>
}

export interface IndexerOptions {
  /** Blocks of the first batch. */
  readonly firstBlocks?: number
  /** Batches of final blocks in one step. */
  readonly rangesPerStep?: number
}

/** The logs of history are found by `eth_getLogs`, unless it was wrong before. */
const chooseLogSource = (verify: IndexConfig["verify"], isFinalized: boolean, isTrusted: boolean): LogSource => {
  if (verify === "none") return "stated"
  return isFinalized && isTrusted ? "hinted" : "receipts"
}

/** How far the chain reaches: its newest block, and its newest final one. */
interface Reach {
  readonly head: number
  readonly final: number
}

const toReach = ({ final, head }: Tip): Reach => ({ final, head: head.number })

const nextRange = (
  { startBlock, verify }: IndexConfig,
  position: Checkpoint | undefined,
  { final, head }: Reach,
  size: number,
  isTrusted: (from: number) => boolean
): BlockRange => {
  const from = position === undefined ? startBlock : position.number + 1
  const isFinalized = from <= final
  const logSource = chooseLogSource(verify, isFinalized, isTrusted(from))
  const blocks = isFinalized && logSource !== "receipts" ? size : linkedBlocks(size)
  const to = Math.min(isFinalized ? final : head, from + blocks - 1)
  return { from, to, parent: position, isFinalized, hasNext: to < head, logSource }
}

export const makeIndexer = Effect.fnUntraced(function* (
  config: IndexConfig,
  options: IndexerOptions = {}
): Effect.fn.Return<Indexer, never, EntityStore | HttpClient.HttpClient> {
  const { ephemeral = false, finality, key, startBlock } = config
  const rules = toAccountingRules(config)
  const given = yield* EntityStore
  const changes = makeChangeCounter()
  const store = EntityStore.of({
    ...given,
    append: (...rows) => changes.write(given.append(...rows)),
    rewind: (...rows) => changes.write(given.rewind(...rows)),
    prove: (...rows) => changes.write(given.prove(...rows))
  })
  const reader = yield* makeChainReader(yield* HttpClient.HttpClient, config)
  const status = yield* SubscriptionRef.make(startingStatus(key))
  const load = Effect.gen(function* () {
    const { proven } = (yield* store.proof(key, 0)) ?? {}
    if (proven !== undefined) yield* reader.expectHashed(proven.number)
    return yield* loadSession(store, rules, key, startBlock)
  })
  const sessions = yield* makeSessions(load)
  const size = yield* Ref.make(options.firstBlocks ?? firstBlocks)
  const { rangesPerStep = 8 } = options
  const lookahead = yield* makeLookahead
  const interval = yield* makePollInterval

  /** Up to which block `eth_getLogs` is not used, because it left events out or could not be used. */
  const distrustedTo = yield* Ref.make(-1)
  /** The newest final block, when the head was last read. */
  const newestFinal = yield* Ref.make(-1)
  const distrustTo = (block: number) => Ref.update(distrustedTo, (before) => Math.max(before, block))
  /** The first block that the prover found to be wrong. */
  const wrong = yield* Ref.make(Option.none<WrongBlock>())

  const observe = (position: Checkpoint | undefined, head: number) =>
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

  /** The proof of the blocks above this one ends with them. */
  const forgetProofAbove = (block: number) =>
    SubscriptionRef.update(status, (before): IndexStatus => ({
      ...before,
      proven: (before.proven ?? 0) <= block ? before.proven : block < startBlock ? undefined : block
    }))

  /** A write that replaces the blocks above this one. */
  const rewindTo =
    (block: number): EntityStore["Service"]["append"] =>
    (deployment, rows, finalized) =>
      Effect.andThen(forgetProofAbove(block), store.rewind(deployment, block, rows, finalized))

  /** From now on all logs are read from receipts. */
  const distrustFrom = Effect.fnUntraced(function* (block: number) {
    yield* distrustTo(Number.MAX_SAFE_INTEGER)
    yield* Effect.logWarning(
      `Index "${key}": eth_getLogs of "${config.blockchain}" stated other events of block ${block} than its receipts ` +
        `hold. The events of all following blocks are read from receipts.`
    )
  })

  /** The blocks after a position: as many as the nodes return at once. `pending` are pools that the state lacks yet. */
  const gather = (
    state: AccountingState,
    position: Checkpoint | undefined,
    reach: Reach,
    pending?: ReadonlySet<string>
  ): Effect.Effect<GatheredRange, BlockSourceError> =>
    Effect.gen(function* () {
      const distrusted = yield* Ref.get(distrustedTo)
      const range = nextRange(config, position, reach, yield* Ref.get(size), (from) => from > distrusted)
      const blocks = range.to - range.from + 1
      const gathered = yield* gatherBlocks(reader, rules, state, range, pending).pipe(
        Effect.tapError((error) =>
          Ref.update(size, (before) =>
            error._tag === "RangeRefused" ? Math.min(before, error.suggested) : afterFailure(before, blocks)
          )
        ),
        Effect.tapErrorTag("BlockSourceError", ({ reason }) =>
          reason === "BadResponse" && range.logSource === "hinted"
            ? Effect.andThen(distrustTo(range.to), reader.avoidNode)
            : Effect.void
        )
      )
      if (gathered.misstated !== undefined) yield* distrustFrom(gathered.misstated)
      yield* Ref.update(size, (before) => afterSuccess(before, blocks, gathered.logs))
      return { ...gathered, range }
    }).pipe(Effect.catchTag("RangeRefused", () => gather(state, position, reach, pending)))

  /** Prefetches the blocks after these, if they are final. If that fails, they are read again when they are due. */
  const gatherAhead = (
    { state }: IndexSession,
    { blocks, created, range }: GatheredRange,
    reach: Reach
  ): Effect.Effect<Option.Option<GatheredRange>> => {
    const last = blocks.at(-1)
    return last === undefined || range.to >= reach.final
      ? Effect.succeed(Option.none())
      : Effect.option(gather(state, { number: last.number, hash: last.hash }, reach, created))
  }

  /**
   * Applies and writes these blocks and the final ones after them: one range is read, one applied and one written at a
   * time.
   */
  const advanceFrom = Effect.fnUntraced(function* (
    session: IndexSession,
    reach: Reach,
    first: GatheredRange,
    writeFirst: EntityStore["Service"]["append"]
  ) {
    const writeRange = Effect.fnUntraced(function* (
      write: EntityStore["Service"]["append"],
      rows: ReadonlyArray<IndexedBlock>,
      position: Checkpoint | undefined
    ) {
      // A node that states too high a head must not make later blocks final.
      const finalized = Math.max(0, Math.min(reach.final, position?.number ?? 0))
      yield* write(key, rows, finalized)
      session.finalized = Math.max(session.finalized, finalized)
      yield* observe(position, reach.head)
    })
    let gathered = first
    let writing: Fiber.Fiber<void, StoreFailure> = yield* Effect.forkScoped(Effect.void)
    for (let ranges = 1; ; ranges++) {
      const reading = yield* Effect.forkScoped(gatherAhead(session, gathered, reach), { startImmediately: true })
      // Earlier ranges were applied correctly and are written to the end, even if this range fails.
      const rows = yield* applyRange(reader, rules, session, gathered.blocks).pipe(
        Effect.tapError(() => Effect.exit(Fiber.join(writing))),
        Effect.tapError(() => distrustTo(gathered.range.to))
      )
      forgetBelow(session, reach.final)
      yield* Fiber.join(writing)
      const write = ranges === 1 ? writeFirst : store.append
      writing = yield* Effect.forkScoped(writeRange(write, rows, session.position), { startImmediately: true })
      const next = yield* Fiber.join(reading)
      if (Option.isNone(next) || ranges >= rangesPerStep) {
        yield* Fiber.join(writing)
        return yield* lookahead.put(next)
      }
      gathered = next.value
    }
  })

  /** Continues from the position. `write` stores the first range. */
  const advance = Effect.fnUntraced(function* (
    session: IndexSession,
    reach: Reach,
    write: EntityStore["Service"]["append"]
  ) {
    const ready = yield* lookahead.take(session.position)
    const first = ready ?? (yield* gather(session.state, session.position, reach))
    // The scope's end interrupts reads and writes in progress when a part fails.
    yield* sessions.changing(Effect.scoped(advanceFrom(session, reach, first, write)))
    return "advanced" as const
  })

  /** If a reorg can reach the first block, it can replace the whole index. So can a chain that starts over. */
  const startAgain = Effect.fnUntraced(function* (position: number, floor: number, reach: Reach) {
    if (floor >= startBlock && !ephemeral) return yield* toTooDeep(config, position, floor)
    return yield* advance(newSession(startBlock), reach, rewindTo(startBlock - 1)).pipe(
      Effect.ensuring(sessions.forget)
    )
  })

  /** The state after the block: from this session, or from the store if the session does not reach so far back. */
  const sessionAt = (session: IndexSession, block: Checkpoint) =>
    undoTo(session, block)
      ? Effect.succeed(session)
      : loadSessionAt(store, rules, key, block, Math.min(session.finalized, block.number))

  /** Rewinds to the block before a wrong one, and reads the following blocks from receipts. */
  const repair = Effect.fnUntraced(function* (session: IndexSession, { block, why }: WrongBlock, reach: Reach) {
    yield* lookahead.clear
    yield* Effect.logError(
      `Index "${key}": ${why} The index is rewound to block ${block.number - 1}, and reads events from receipts from ` +
        `there on.`
    )
    yield* distrustTo(Number.MAX_SAFE_INTEGER)
    const before = block.number - 1
    yield* sessions.changing(
      Effect.gen(function* () {
        const back =
          before < startBlock
            ? newSession(startBlock)
            : yield* sessionAt(session, { number: before, hash: block.parentHash })
        back.finalized = Math.min(back.finalized, before)
        yield* advance(back, reach, rewindTo(before))
        yield* sessions.keep(back)
      })
    )
    yield* Ref.set(wrong, Option.none())
    return "advanced" as const
  })

  /** Rewinds to the common ancestor and applies the new branch, in one transaction. */
  const followReorg = Effect.fnUntraced(function* (session: IndexSession, position: number, reach: Reach) {
    yield* lookahead.clear
    const { block, floor } = yield* findReorgAncestor(reader, store, config, session, reach.head)
    if (Option.isNone(block)) return yield* startAgain(position, floor, reach)
    const ancestor = block.value
    yield* Effect.logInfo(`Reorg of "${config.blockchain}": from block ${position} back to ${ancestor.number}.`)
    yield* sessions.changing(
      Effect.gen(function* () {
        const back = yield* sessionAt(session, ancestor)
        back.finalized = Math.min(back.finalized, ancestor.number)
        yield* advance(back, reach, rewindTo(ancestor.number))
        yield* sessions.keep(back)
      })
    )
    yield* SubscriptionRef.update(status, (before) => ({ ...before, reorgs: before.reorgs + 1 }))
    return "advanced" as const
  })

  /** Whether the node's chain differs from the indexed one. A shorter chain may only be late. */
  const isReorg = Effect.fnUntraced(function* (position: Checkpoint, { head, known }: Tip) {
    if (Option.isSome(known)) return known.value.hash !== position.hash
    if (ephemeral && head.number >= startBlock) return true
    const [kept] = yield* store.hashes(key, head.number)
    return kept?.number === head.number && kept.hash !== head.hash
  })

  const step = Effect.fn("Indexer.step")(function* (): Effect.fn.Return<StepResult, IndexFailure, Lease> {
    const session = yield* sessions.get
    const { position } = session
    const tip = yield* reader.tip(position?.number ?? startBlock)
    yield* interval.observe(tip.head)
    yield* observe(position, tip.head.number)
    const reach = toReach(tip)
    if (position !== undefined && (yield* isReorg(position, tip))) {
      return yield* followReorg(session, position.number, reach)
    }
    // Not before a reorg is followed: until then, the index may have other blocks up to there.
    yield* Ref.set(newestFinal, tip.final)
    const found = yield* Ref.get(wrong)
    if (Option.isSome(found) && position !== undefined && found.value.block.number <= position.number) {
      return yield* repair(session, found.value, reach)
    }
    if (tip.head.number < (position === undefined ? startBlock : position.number + 1)) return "atHead"
    if (position === undefined) {
      const spoken = yield* findProtocol(reader, config.factory, tip.head.hash)
      if (spoken !== undefined && spoken.id !== toProtocolId(config)) return yield* toOtherProtocol(config, spoken)
    }
    const isHistory = tip.head.number - (position?.number ?? startBlock - 1) > finality
    const advanced = advance(session, reach, store.append)
    if (!isHistory) return yield* advanced
    return yield* Effect.acquireUseRelease(
      Effect.sync(enlargeHeap),
      () => advanced,
      (end) => Effect.sync(end)
    )
  })

  /** Proves the next blocks of the history. */
  const prove = Effect.fnUntraced(function* () {
    const session = Option.getOrUndefined(yield* sessions.latest)
    if (session === undefined) return false
    const result = yield* proveNext(store, reader, key, {
      startBlock,
      finalized: Math.max(session.finalized, yield* Ref.get(newestFinal)),
      head: (yield* SubscriptionRef.get(status)).head ?? 0,
      isOfDeployment: (log) => isOfDeployment(rules, session.state, log)
    })
    if (result.state === "wrong") yield* Ref.set(wrong, Option.some(result))
    const { proven } = (yield* store.proof(key, 0)) ?? {}
    const unproven =
      result.state === "unprovable" ? `Block ${result.number} cannot be proven: ${result.why}.` : undefined
    const before = yield* SubscriptionRef.getAndUpdate(status, (now): IndexStatus => ({
      ...now,
      // A write that failed late may have stored blocks, and their proof, that the index has not taken up yet.
      proven: proven === undefined || now.indexed === undefined ? undefined : Math.min(proven.number, now.indexed),
      unproven
    }))
    if (unproven !== undefined && unproven !== before.unproven) yield* Effect.logWarning(`Index "${key}": ${unproven}`)
    return result.state === "advanced"
  })

  const steps = Effect.tapErrorTag(step(), "BlockSourceError", ({ reason }) =>
    reason === "BadResponse" ? reader.avoidTip : Effect.void
  )
  const run = runSteps(steps, status, interval.get)
  return {
    status,
    changes,
    step: steps,
    prove: prove(),
    run: (config.verify ?? "all") === "all" ? Effect.raceFirst(run, runProver(prove(), status)) : run
  }
})

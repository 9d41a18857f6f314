import { Duration, Effect, Option, Ref, Result, Stream, SubscriptionRef } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import { backoffMs, recoveryBackoff } from "../../../internal/backoff.ts"
import type { Lease } from "../../../ownership/Lease.ts"
import { toResult } from "../../../ownership/StepFailure.ts"
import type { AccountingState } from "../accounting/AccountingState.ts"
import type { ChainReader } from "../chain/ChainReader.ts"
import type { BlockLog } from "../decode/RpcLog.ts"
import { isProven } from "../IndexedBlock.ts"
import type { Checkpoint, ProofPosition } from "../store/EntityStore.ts"
import type { BlockHeader } from "../verify/BlockHeader.ts"
import type { StoreFailure } from "./IndexFailure.ts"
import { withProof } from "./IndexProgress.ts"
import type { IndexProgress } from "./IndexProgress.ts"
import type { IndexParts } from "./IndexSession.ts"
import { isOfDeployment } from "./range/RangeLogs.ts"
import { toOperatorText } from "./UnprovableBlock.ts"
import type { UnprovableBlock } from "./UnprovableBlock.ts"

/** Headers are small: as many as one request takes. */
const blocksPerStep = 100

/** A block of which the index has no events, or other ones, than the chain. */
export interface WrongBlock {
  readonly state: "wrong"
  readonly block: BlockHeader
  /** Whether receipts of it were read that its header proves. */
  readonly isProvable: boolean
  /** A sentence. */
  readonly why: string
}

/** A wrong block of the index as it was after so many rewinds. */
interface FoundWrong extends WrongBlock {
  readonly rewindCount: number
}

type ProofResult =
  /** Every block up to this one is proven; there are more. */
  | { readonly state: "advanced"; readonly block: Checkpoint }
  /** There is no final block after the proven ones. */
  | { readonly state: "idle" }
  | FoundWrong
  | UnprovableBlock

const wrongAt = (block: BlockHeader, why: string, isProvable = false): WrongBlock => ({
  state: "wrong",
  block,
  isProvable,
  why: `Block ${block.number} ${why}`
})

const inventedEvents = "has none of the events that the index has of it."
const unprovenEvents = "was indexed from logs that were not proven."

/** The last of the blocks right after the proven ones that are proven and linked already. */
const skipLinked = ({ next, proven }: ProofPosition, startBlock: number): Checkpoint | undefined => {
  let last = proven
  for (const { hash, number, proof } of next) {
    if (proof !== "chain" || number !== (last?.number ?? startBlock - 1) + 1) break
    last = { number, hash }
  }
  return last === proven ? undefined : last
}

/** A block whose receipts must be read. */
interface Suspect {
  readonly header: BlockHeader
  /** Whether the index has events of it that nothing proves. */
  readonly isStated: boolean
}

/** The first of the blocks whose receipts do not prove that it has no events, as in the index. */
const findUnprovenBlock = Effect.fnUntraced(function* (
  reader: ChainReader,
  suspects: ReadonlyArray<Suspect>,
  isEvent: (log: BlockLog) => boolean
): Effect.fn.Return<WrongBlock | UnprovableBlock | undefined, BlockSourceError> {
  const read = yield* reader.receipts(suspects.map(({ header }) => header))
  for (const [index, { isVerified, logs, number }] of read.entries()) {
    const suspect = suspects[index]
    if (suspect === undefined) continue
    const { header, isStated } = suspect
    if (!isVerified) return { state: "unprovable", number, reason: "receipts" }
    const hasEvents = logs.some(isEvent)
    if (isStated) return wrongAt(header, hasEvents ? unprovenEvents : inventedEvents, true)
    if (hasEvents) return wrongAt(header, "has events that eth_getLogs left out.", true)
  }
  return undefined
})

interface HeaderComparison {
  /** The last block before `end`. It is proven once the receipts of all `suspects` are. */
  readonly last: Checkpoint | undefined
  /** The first block that ends the proof. */
  readonly end: WrongBlock | UnprovableBlock | undefined
  readonly suspects: ReadonlyArray<Suspect>
}

/** Compares linked headers with the blocks that the index has. */
const compareHeaders = (
  reader: ChainReader,
  headers: ReadonlyArray<BlockHeader>,
  indexed: ProofPosition["next"]
): HeaderComparison => {
  const stored = new Map(indexed.map((block) => [block.number, block]))
  const suspects: Array<Suspect> = []
  let last: Checkpoint | undefined
  for (const header of headers) {
    const { hash, hashCheck, number } = header
    if (hashCheck !== "passed") return { last, suspects, end: { state: "unprovable", number, reason: "header" } }
    const block = stored.get(number)
    if (block !== undefined && block.hash !== hash) {
      return { last, suspects, end: wrongAt(header, "is another one in the index.") }
    }
    const isStated = block?.proof === "stated"
    const mayHaveEvents = reader.mayHaveEvents(header)
    if (isStated && !mayHaveEvents) return { last, suspects, end: wrongAt(header, inventedEvents) }
    if (mayHaveEvents && !isProven(block?.proof ?? "none")) suspects.push({ header, isStated })
    last = { number, hash }
  }
  return { last, suspects, end: undefined }
}

/**
 * Proves the next blocks up to `finalized`, which no reorg reaches: each header hashes to its hash and is the child of the
 * one before, and each block in which the index has no proven events has none: its bloom excludes them, or its receipts
 * hold none of the deployment. A block of which the index has events that nothing proves is wrong: it is read again from
 * its receipts.
 */
const proveNext = Effect.fn("Prover.proveNext")(function* (
  { config: { key, startBlock }, reader, rules, store }: IndexParts,
  state: AccountingState,
  finalized: number,
  head: number
): Effect.fn.Return<ProofResult, BlockSourceError | StoreFailure, Lease> {
  const position = yield* store.proof(key, blocksPerStep)
  if (Option.isNone(position)) return { state: "idle" }
  const { next, proven, rewindCount } = position.value
  const linked = skipLinked(position.value, startBlock)
  if (linked !== undefined) {
    yield* store.prove(key, linked, rewindCount)
    return { state: "advanced", block: linked }
  }
  const from = (proven?.number ?? startBlock - 1) + 1
  const newest = next.at(-1)?.number ?? 0
  const to = Math.min(from + blocksPerStep - 1, newest, finalized)
  if (to < from) {
    // Every block near the head was read from its receipts.
    const [after] = next
    const isForeign = after?.number === from && !isProven(after.proof) && from > finalized
    return isForeign ? { state: "unprovable", number: from, reason: "either" } : { state: "idle" }
  }
  const headers = yield* reader.linkedHeaders({ from, to, parent: proven?.hash, next: to < head })
  const isEvent = (log: BlockLog) => reader.isEvent(log) && isOfDeployment(rules, state, log)
  const { end, last, suspects } = compareHeaders(reader, headers, next)
  // A wrong block counts only now, because the index continues from the block before it as from a proven one.
  const unproven = (yield* findUnprovenBlock(reader, suspects, isEvent)) ?? end
  if (unproven?.state === "wrong") return { ...unproven, rewindCount }
  const newestProven = unproven === undefined ? last : headers.find(({ number }) => number === unproven.number - 1)
  if (newestProven === undefined) return unproven ?? { state: "idle" }
  const block = { number: newestProven.number, hash: newestProven.hash }
  yield* store.prove(key, block, rewindCount)
  // The block that cannot be proven is read once in each step: the next step begins with it.
  return unproven ?? { state: "advanced", block }
})

/** Publishes how far the index is proven, and why it is not proven further. */
const publishProof = Effect.fnUntraced(function* ({ config, status, store }: IndexParts, result: ProofResult) {
  const { proven } = Option.getOrUndefined(yield* store.proof(config.key, 0)) ?? {}
  const unproven = result.state === "unprovable" ? toOperatorText(result) : undefined
  const before = yield* SubscriptionRef.getAndUpdate(status, (now) => withProof(now, proven?.number, unproven))
  if (unproven === undefined || unproven === before.unproven) return
  yield* Effect.logWarning(`Index "${config.key}": ${unproven}`)
})

/** How long the proof rests when it can go no further: what stops it may change with the node. */
const proofInterval = Duration.seconds(30)

/** Waits until the head or the index is another one than `before`. */
const awaitBlocks = Effect.fnUntraced(function* ({ status }: IndexParts, { head, indexed }: IndexProgress) {
  const { unproven } = yield* SubscriptionRef.get(status)
  if (unproven !== undefined) yield* Effect.sleep(proofInterval)
  yield* SubscriptionRef.changes(status).pipe(
    Stream.filter((now) => now.head !== head || now.indexed !== indexed),
    Stream.take(1),
    Stream.runDrain
  )
})

/** Repeats a step, which returns whether there may be more to prove. A failure is retried. */
const proveForever = Effect.fnUntraced(function* (
  parts: IndexParts,
  step: Effect.Effect<boolean, BlockSourceError | StoreFailure, Lease>
) {
  let failures = 0
  while (true) {
    const before = yield* SubscriptionRef.get(parts.status)
    const result = yield* toResult(step)
    failures = Result.isSuccess(result) ? 0 : failures + 1
    if (Result.isFailure(result)) {
      yield* Effect.logWarning(`Index "${parts.config.key}" is not proven further: ${result.failure.message}`)
      yield* Effect.sleep(yield* backoffMs(failures, recoveryBackoff, result.failure.retryAfterMs))
    } else if (!result.success) yield* awaitBlocks(parts, before)
  }
})

/** Proves the blocks of an index while it grows. */
export const makeProver = Effect.fnUntraced(function* (parts: IndexParts) {
  const newestFinal = yield* Ref.make(-1)
  const wrong = yield* Ref.make(Option.none<FoundWrong>())

  const step = Effect.gen(function* () {
    const session = Option.getOrUndefined(yield* parts.sessions.latest)
    if (session === undefined) return false
    const { head = 0 } = yield* SubscriptionRef.get(parts.status)
    const finalized = Math.max(session.finalized, yield* Ref.get(newestFinal))
    const result = yield* proveNext(parts, session.state, finalized, head)
    if (result.state === "wrong") yield* Ref.set(wrong, Option.some(result))
    yield* publishProof(parts, result)
    return result.state === "advanced"
  })

  return {
    /** States the newest final block of the chain. */
    observeFinal: (number: number) => Ref.set(newestFinal, number),
    /** The block that was found to be wrong, if the index has reached it, and was not rewound since. */
    findWrong: Effect.fnUntraced(function* (indexed: number) {
      const reached = Option.filter(yield* Ref.get(wrong), ({ block }) => block.number <= indexed)
      if (Option.isNone(reached)) return reached
      const position = yield* parts.store.proof(parts.config.key, 0)
      return Option.filter(reached, ({ rewindCount }) =>
        Option.exists(position, (now) => now.rewindCount === rewindCount)
      )
    }),
    /** The wrong block is replaced, or the chain has another one. */
    forgetWrong: Ref.set(wrong, Option.none()),
    /** Proves the next blocks of the history. Returns whether there may be more. */
    step,
    /** Proves blocks forever, behind the index: the index itself reports nodes that fail. */
    run: proveForever(parts, step)
  }
})

export type Prover = Effect.Success<ReturnType<typeof makeProver>>

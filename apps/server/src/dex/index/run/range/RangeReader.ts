import { Effect, Option, Ref } from "effect"
import type { BlockSourceError } from "../../../../blocks/BlockSource.ts"
import type { AccountingRules } from "../../accounting/AccountingRules.ts"
import type { AccountingState } from "../../accounting/AccountingState.ts"
import type { ChainReader } from "../../chain/ChainReader.ts"
import type { IndexConfig } from "../../IndexConfig.ts"
import type { Checkpoint } from "../../store/EntityStore.ts"
import { gatherBlocks } from "./BlockGathering.ts"
import type { GatheredRange } from "./BlockGathering.ts"
import type { BlockRange, LogSource, RangeParts } from "./RangeLogs.ts"

/** Blocks of the first batch. */
const firstBlocks = 50
const maxBlocks = 50_000
/**
 * Logs per batch, including those of other deployments: few enough that transactions stay short for other users of the
 * store.
 */
const wantedLogs = 1000
/** Blocks within reach of a reorg are read one by one. */
const maxLinked = 100

const within = (blocks: number): number => Math.max(1, Math.min(maxBlocks, Math.floor(blocks)))

/** The number of blocks of the next batch, after a batch of `blocks` failed. */
const afterFailure = (size: number, blocks: number): number => within(Math.min(size, blocks) / 4)

/** After a full batch: more blocks after few logs, fewer after many. A smaller batch, at the head, says nothing. */
const afterSuccess = (size: number, blocks: number, logs: number): number => {
  if (logs > 2 * wantedLogs) return within((blocks * wantedLogs) / logs)
  return blocks >= size && logs < wantedLogs ? within(size * 2) : size
}

const linkedBlocks = (size: number): number => Math.min(size, maxLinked)

/** How far the chain reaches: its newest block, and its newest final one. */
export interface Reach {
  readonly head: number
  readonly final: number
}

/** The source of the logs of a range: `eth_getLogs` for final blocks, while its results are trusted. */
const chooseLogSource = (verify: IndexConfig["verify"], isFinalized: boolean, isTrusted: boolean): LogSource => {
  if (verify === "none") return "logs"
  return isFinalized && isTrusted ? "logs-and-receipts" : "receipts"
}

const nextRange = (
  { startBlock, verify }: IndexConfig,
  position: Checkpoint | undefined,
  { final, head }: Reach,
  size: number,
  distrustedTo: number
): BlockRange => {
  const from = position === undefined ? startBlock : position.number + 1
  const isFinalized = from <= final
  const logSource = chooseLogSource(verify, isFinalized, from > distrustedTo)
  const blocks = isFinalized && logSource !== "receipts" ? size : linkedBlocks(size)
  const to = Math.min(isFinalized ? final : head, from + blocks - 1)
  return { from, to, parent: position, isFinalized, hasNext: to < head, logSource }
}

/** Reads the next blocks of an index in ranges whose size fits the nodes, and at most one range ahead. */
export interface RangeReader {
  /** The blocks after a position: those read ahead, or as many as the nodes return at once. */
  readonly next: (
    state: AccountingState,
    position: Checkpoint | undefined,
    reach: Reach
  ) => Effect.Effect<GatheredRange, BlockSourceError>
  /** Reads the blocks after a range, if they are final. If that fails, they are read again when they are due. */
  readonly readAhead: (
    state: AccountingState,
    range: GatheredRange,
    reach: Reach
  ) => Effect.Effect<Option.Option<GatheredRange>>
  /** Keeps a range that was read ahead for `next`: at most one, so that memory stays bounded. */
  readonly putBack: (range: Option.Option<GatheredRange>) => Effect.Effect<void>
  /** Forgets the range that was read ahead. */
  readonly clear: Effect.Effect<void>
  /** Does not use `eth_getLogs` up to this block, because it left events out or could not be used. */
  readonly distrustLogsTo: (block: number) => Effect.Effect<void>
}

/** The state of a reader, and the parts that it reads with. */
interface RangeReads extends RangeParts {
  readonly config: IndexConfig
  /** The number of blocks of the next range. */
  readonly size: Ref.Ref<number>
  /** Logs up to this block are read from receipts. */
  readonly distrustedTo: Ref.Ref<number>
}

const distrustLogsTo = ({ distrustedTo }: RangeReads, block: number) =>
  Ref.update(distrustedTo, (before) => Math.max(before, block))

/** From now on all logs are read from receipts. */
const distrustLogs = Effect.fnUntraced(function* (reads: RangeReads, block: number) {
  const { blockchain, key } = reads.config
  yield* distrustLogsTo(reads, Number.MAX_SAFE_INTEGER)
  yield* Effect.logWarning(
    `Index "${key}": eth_getLogs of "${blockchain}" stated other events of block ${block} than its receipts hold. ` +
      `The events of all following blocks are read from receipts.`
  )
})

const readOnce = Effect.fnUntraced(function* (
  reads: RangeReads,
  state: AccountingState,
  position: Checkpoint | undefined,
  reach: Reach,
  pending: ReadonlySet<string> | undefined
) {
  const { config, distrustedTo, reader, size } = reads
  const range = nextRange(config, position, reach, yield* Ref.get(size), yield* Ref.get(distrustedTo))
  const count = range.to - range.from + 1
  const gathered = yield* gatherBlocks(reads, state, range, pending).pipe(
    Effect.tapError((error) =>
      Ref.update(size, (before) =>
        error._tag === "LogRangeError" ? Math.min(before, error.suggested) : afterFailure(before, count)
      )
    ),
    Effect.tapErrorTag("BlockSourceError", ({ reason }) =>
      reason === "BadResponse" && range.logSource === "logs-and-receipts"
        ? Effect.andThen(distrustLogsTo(reads, range.to), reader.avoidNode)
        : Effect.void
    )
  )
  if (gathered.misstated !== undefined) yield* distrustLogs(reads, gathered.misstated)
  yield* Ref.update(size, (before) => afterSuccess(before, count, gathered.logs))
  return { ...gathered, range }
})

/** Reads the blocks after a position, in a smaller range if a node refuses it. `pending` are pools that the state lacks yet. */
const readBlocks = (
  reads: RangeReads,
  state: AccountingState,
  position: Checkpoint | undefined,
  reach: Reach,
  pending?: ReadonlySet<string>
): Effect.Effect<GatheredRange, BlockSourceError> =>
  Effect.catchTag(readOnce(reads, state, position, reach, pending), "LogRangeError", () =>
    readBlocks(reads, state, position, reach, pending)
  )

/** `first` is the number of blocks of the first range. */
export const makeRangeReader = Effect.fnUntraced(function* (
  config: IndexConfig,
  reader: ChainReader,
  rules: AccountingRules,
  first = firstBlocks
): Effect.fn.Return<RangeReader> {
  const reads = { config, reader, rules, size: yield* Ref.make(first), distrustedTo: yield* Ref.make(-1) }
  const ahead = yield* Ref.make(Option.none<GatheredRange>())
  return {
    distrustLogsTo: (block) => distrustLogsTo(reads, block),
    clear: Ref.set(ahead, Option.none()),
    putBack: (range) => Ref.set(ahead, range),
    next: Effect.fnUntraced(function* (state, position, reach) {
      const ready = Option.getOrUndefined(yield* Ref.getAndSet(ahead, Option.none()))
      const isNext = ready?.range.parent?.hash === position?.hash
      return ready !== undefined && isNext ? ready : yield* readBlocks(reads, state, position, reach)
    }),
    readAhead: (state, { blocks, created, range }, reach) => {
      const last = blocks.at(-1)
      return last === undefined || range.to >= reach.final
        ? Effect.succeedNone
        : Effect.option(readBlocks(reads, state, { number: last.number, hash: last.hash }, reach, created))
    }
  }
})

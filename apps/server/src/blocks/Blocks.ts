import {
  type BlockchainNotFound,
  BlockNotFound,
  InvalidParameter,
  Overloaded,
  type UpstreamBusy,
  type UpstreamFailed,
  type UpstreamTimeout
} from "@chaintape/core"
import { Clock, Context, Duration, Effect, Layer, Option, Semaphore } from "effect"
import { toProblem } from "../sources/SourceFailure.ts"
import { SourceHealth } from "../sources/SourceHealth.ts"
import { Blockchains } from "./Blockchains.ts"
import type { ConfiguredBlockchain } from "./Blockchains.ts"
import { sortBlocks } from "./BlockOrder.ts"
import type { BlockOrder } from "./BlockOrder.ts"
import { makeBlockReader } from "./BlockReader.ts"
import { BlockSource, BlockSourceError } from "./BlockSource.ts"
import type { SourceBlock } from "./BlockSource.ts"
import { firstNotBefore } from "./TimeSearch.ts"

export type { SourceBlock } from "./BlockSource.ts"

/** Sorting by a field that is not monotonic in the number needs every block of the window. */
const largestSortedWindow = 10_000

/** The deadline of a request, which may take many calls to the source. */
const requestTimeout = "14 seconds"

/** The number of concurrent requests of one blockchain, and of those that may queue. */
const concurrency = 4
const longestQueue = 64
/** How long a stated head counts while nodes state lower ones: after that, the chain has gone back. */
const longestLag = Duration.minutes(5)

export interface BlocksRequest {
  readonly limit: number
  readonly skip: number
  readonly order: Option.Option<BlockOrder>
  readonly block: Option.Option<number>
  /** Unix milliseconds, inclusive. */
  readonly from: Option.Option<number>
  readonly to: Option.Option<number>
}

export interface BlocksResult {
  readonly blocks: ReadonlyArray<SourceBlock>
  readonly asOf: { readonly number: number; readonly hash: string; readonly finalized: boolean }
  /** Whether this response to the request is immutable. */
  readonly immutable: boolean
}

export type BlocksReadProblem =
  | BlockchainNotFound
  | BlockNotFound
  | InvalidParameter
  | Overloaded
  | UpstreamFailed
  | UpstreamBusy
  | UpstreamTimeout

interface Window {
  readonly low: number
  readonly high: number
  readonly head: number
  readonly upper: number
  readonly final: number
}

const range = (low: number, high: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, high - low + 1) }, (_, index) => low + index)

const windowTooLarge = (field: string, size: number) => {
  const message =
    `"${field}" can sort at most ${largestSortedWindow} blocks, and the window holds ${size}: ` +
    "narrow it with from and to, or sort by number or timestamp"
  return new InvalidParameter({
    detail: `The request cannot be served: ${message}.`,
    issues: [{ parameter: "orderBy", message }]
  })
}

const notFound = (blockchain: string, block: number, head: number) =>
  new BlockNotFound({
    blockchain,
    block: String(block),
    head: String(head),
    detail: `The blockchain "${blockchain}" has no block ${block} yet: its newest block is ${head}.`
  })

type Read = ReturnType<typeof makeBlockReader>

/** The first and last block of the window, found by a search over the block times. */
const findWindow = Effect.fnUntraced(function* (read: Read, head: number, final: number, request: BlocksRequest) {
  const upper = Option.getOrElse(request.block, () => head)
  const search = (time: number, low: number) =>
    firstNotBefore(time, low, upper, (numbers) =>
      Effect.map(read(numbers, final), (blocks) => blocks.map(({ timestamp }) => timestamp))
    )
  const low = Option.isNone(request.from) ? 0 : yield* search(Math.ceil(request.from.value / 1000), 0)
  const high = Option.isNone(request.to)
    ? upper
    : (yield* search(Math.floor(request.to.value / 1000) + 1, Math.min(low, upper))) - 1
  return { low, high, head, upper, final } satisfies Window
})

/** The page if the order follows the number. Blocks of equal time are ties, ordered by ascending number. */
const pageByNumber = Effect.fnUntraced(function* (
  read: Read,
  window: Window,
  order: BlockOrder,
  request: BlocksRequest
) {
  const { final, high, low } = window
  if (order.direction === "asc") {
    const first = low + request.skip
    return yield* read(range(first, Math.min(high, first + request.limit - 1)), final)
  }
  const last = high - request.skip
  const first = Math.max(low, last - request.limit + 1)
  if (order.field === "number") return (yield* read(range(first, last), final)).toReversed()
  return yield* pageByTimeDescending(read, window, first, last)
})

const pageByTimeDescending = Effect.fnUntraced(function* (read: Read, window: Window, first: number, last: number) {
  if (last < first) return []
  const getTime = (number: number) => Effect.map(read([number], window.final), ([block]) => block?.timestamp ?? 0)
  const newest = yield* getTime(last)
  const oldest = yield* getTime(first)
  const times = (numbers: ReadonlyArray<number>) =>
    Effect.map(read(numbers, window.final), (blocks) => blocks.map(({ timestamp }) => timestamp))
  const groupEnd = (yield* firstNotBefore(newest + 1, last, window.high, times)) - 1
  const groupStart = yield* firstNotBefore(oldest, window.low, first, times)
  const blocks = yield* read(range(groupStart, groupEnd), window.final)
  const sorted = sortBlocks(blocks, { field: "timestamp", direction: "desc" })
  const skipped = groupEnd - last
  return sorted.slice(skipped, skipped + last - first + 1)
})

const readPage = Effect.fnUntraced(function* (read: Read, window: Window, request: BlocksRequest) {
  const order = Option.getOrElse(request.order, (): BlockOrder => ({ field: "number", direction: "desc" }))
  if (order.field === "number" || order.field === "timestamp") return yield* pageByNumber(read, window, order, request)
  const size = window.high - window.low + 1
  if (size > largestSortedWindow) return yield* windowTooLarge(order.field, size)
  const blocks = yield* read(range(window.low, window.high), window.final)
  return sortBlocks(blocks, order).slice(request.skip, request.skip + request.limit)
})

/** Whether the chain up to `upper` is unchanged since the page was read: a hash commits to all blocks below it. */
const isUnchanged = Effect.fnUntraced(function* (
  read: Read,
  upper: SourceBlock,
  page: ReadonlyArray<SourceBlock>,
  final: number
) {
  for (const { hash, number } of page) {
    if (number === upper.number) return hash === upper.hash
    if (number === upper.number - 1) return hash === upper.parentHash
  }
  const [again] = yield* read([upper.number], final)
  return again?.hash === upper.hash
})

const changed = (blockchain: string) =>
  new BlockSourceError({
    blockchain,
    reason: "BadResponse",
    message: `The blockchain "${blockchain}" changed its branch while it was read.`
  })

const tooSlow = (blockchain: string) =>
  new BlockSourceError({
    blockchain,
    reason: "Timeout",
    message: `The nodes of "${blockchain}" did not answer within ${requestTimeout}.`
  })

const overloaded = (blockchain: string) =>
  new Overloaded({
    retryAfterMs: 1000,
    detail: `Too many requests wait for the blockchain "${blockchain}": try again in a second.`
  })

/** State shared by the requests of one blockchain: its reader, and a bound on running and queued requests. */
const makeLane = (source: BlockSource["Service"], blockchain: string) => {
  const running = Semaphore.makeUnsafe(concurrency)
  let admitted = 0
  let newest = { head: -1, until: 0 }
  return {
    read: makeBlockReader(source, blockchain),
    /** The newest head stated within `longestLag`: the node that states one now may be behind. */
    observe: (head: number): Effect.Effect<number> =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (head >= newest.head || now > newest.until) newest = { head, until: now + Duration.toMillis(longestLag) }
        return newest.head
      }),
    admit: <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | Overloaded, R> =>
      Effect.suspend((): Effect.Effect<A, E | Overloaded, R> => {
        if (admitted >= concurrency + longestQueue) return Effect.fail(overloaded(blockchain))
        admitted += 1
        return Effect.ensuring(
          running.withPermits(1)(work),
          Effect.sync(() => {
            admitted -= 1
          })
        )
      })
  }
}

/** Lists of blocks. */
export class Blocks extends Context.Service<
  Blocks,
  {
    readonly list: (blockchain: string, request: BlocksRequest) => Effect.Effect<BlocksResult, BlocksReadProblem>
  }
>()("@chaintape/server/blocks/Blocks") {
  static readonly layer = Layer.effect(
    Blocks,
    Effect.gen(function* () {
      const blockchains = yield* Blockchains
      const source = yield* BlockSource
      const health = yield* SourceHealth
      const lanes = new Map(blockchains.all.map((blockchain) => [blockchain.id, makeLane(source, blockchain.id)]))

      const list = Effect.fnUntraced(function* (
        { ephemeral, id }: ConfiguredBlockchain,
        { observe, read }: Pick<ReturnType<typeof makeLane>, "observe" | "read">,
        request: BlocksRequest
      ): Effect.fn.Return<BlocksResult, BlockSourceError | BlockNotFound | InvalidParameter> {
        const { final, number: stated } = yield* source.head(id)
        yield* health.advanced(id, stated)
        const newest = yield* observe(stated)
        // A block that was there is not gone because the node that answers now is behind.
        const isKnown = !ephemeral && Option.exists(request.block, (block) => block > stated && block <= newest)
        const head = isKnown ? newest : stated
        const beyond = Option.filter(request.block, (block) => block > head)
        if (Option.isSome(beyond)) return yield* notFound(id, beyond.value, head)
        const [upper] = yield* read([Option.getOrElse(request.block, () => head)], final)
        if (upper === undefined) return yield* changed(id)
        const window = yield* findWindow(read, head, final, request)
        const blocks = yield* readPage(read, window, request)
        if (!(yield* isUnchanged(read, upper, blocks, final))) return yield* changed(id)
        const finalized = window.upper <= final
        const closed = Option.isSome(request.to) && window.high < final
        return {
          blocks,
          asOf: { number: window.upper, hash: upper.hash, finalized },
          immutable: !ephemeral && ((Option.isSome(request.block) && finalized) || closed)
        }
      })

      return Blocks.of({
        list: Effect.fn("Blocks.list")(function* (id, request) {
          const blockchain = yield* blockchains.get(id)
          const lane = lanes.get(id)
          if (lane === undefined) return yield* Effect.die(new Error(`"${id}" has no lane`))
          return yield* lane.admit(list(blockchain, lane, request)).pipe(
            // The chain may have reorganized between two reads: the second attempt sees one branch.
            Effect.retry({
              times: 2,
              while: (error) => error._tag === "BlockSourceError" && error.reason === "BadResponse"
            }),
            Effect.timeoutOrElse({ duration: requestTimeout, orElse: () => Effect.fail(tooSlow(id)) }),
            Effect.tap(() => health.succeeded(id)),
            Effect.tapError((error) =>
              error._tag === "BlockSourceError" ? health.failed(id, error.message) : Effect.void
            ),
            Effect.catchTag("BlockSourceError", (error) => Effect.fail(toProblem(id, error)))
          )
        })
      })
    })
  )
}

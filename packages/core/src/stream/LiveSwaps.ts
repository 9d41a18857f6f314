/**
 * The new swaps of a pool, live.
 *
 * @since 0.1.0
 */
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { PoolAddress } from "../dex/Address.ts"
import { PoolNotFound } from "../dex/DexProblem.ts"
import { Swap } from "../dex/PoolTrade.ts"
import type { ChainFeed } from "../internal/live/chainPolling.ts"
import { chainReading } from "../internal/live/chainReading.ts"
import { toDecoder } from "../internal/live/decoding.ts"
import { liveSwaps as operation } from "../internal/live/operations.ts"
import { toIncompleteResponse, missingBlock } from "../internal/pagination/listReading.ts"
import { checkRequest, liveOptions } from "../internal/pagination/streamRequest.ts"
import type { AsOf } from "../operation/Answer.ts"
import type { LiveOptions, LivePage, Reorg } from "../page/LivePage.ts"
import type { UnexpectedResponse } from "../problem/ClientError.ts"
import type { InvalidParameter } from "../problem/Problem.ts"
import type { InvalidCursor } from "../problem/StreamError.ts"
import { poolTradePages, type ReadPoolTrades } from "./DexTradeStream.ts"

/**
 * The pool of a stream.
 *
 * @example
 * ```ts
 * import { PoolAddress } from "@chaintape/core"
 * import type { LiveSwaps } from "@chaintape/core/streams"
 *
 * const request: LiveSwaps.LiveSwapsRequest = {
 *   exchange: "uniswap-v3",
 *   blockchain: "ethereum",
 *   pool: PoolAddress.make("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640")
 * }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface LiveSwapsRequest extends LiveOptions {
  /** The id of the exchange, such as `uniswap-v3`. */
  readonly exchange: string
  /** The id of the blockchain, such as `ethereum`. */
  readonly blockchain: string
  /** The address of the pool. */
  readonly pool: PoolAddress
}

/**
 * A new swap.
 *
 * @example
 * ```ts
 * import type { LiveSwaps } from "@chaintape/core/streams"
 *
 * const describe = ({ block, swap }: LiveSwaps.NewSwap): string => `${swap.amount0} in block ${block}`
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface NewSwap {
  /** Distinguishes the event from a `Reorg`. */
  readonly _tag: "Swap"
  /** The swap, with positive amounts for what went into the pool. */
  readonly swap: Swap
  /** The address of the pool. */
  readonly pool: PoolAddress
  /** Its block; if it was polled, the block as of which it was found. A `Reorg` refers to this number. */
  readonly block: bigint
}

/** Blocks per poll. */
const maxBlocks = 1000

const decode = toDecoder(Swap)

/**
 * A block before the creation of the pool, which the service does not describe: no other block has its hash, and no swap of
 * the pool can be lost by going back to it.
 */
const beforePool = (number: number): AsOf => ({ number: BigInt(number), hash: "0x", finalized: true, proven: false })

const noSwaps = (number: number) => ({ asOf: beforePool(number), swaps: [] })

const orBeforePool = <A, B, E, R>(read: Effect.Effect<A, E, R>, otherwise: () => B): Effect.Effect<A | B, E, R> =>
  Effect.catchIf(
    read,
    (error) => error instanceof PoolNotFound,
    () => Effect.sync(otherwise)
  )

const check = (request: LiveSwapsRequest) =>
  checkRequest<LiveSwapsRequest>(operation, request, { options: liveOptions, without: ["after"] })

const makeFeed = <E, R>(
  read: ReadPoolTrades<E, R>,
  pool: Pick<LiveSwapsRequest, "exchange" | "blockchain" | "pool">
): ChainFeed<NewSwap, typeof operation, E | InvalidParameter | InvalidCursor | UnexpectedResponse, R> => {
  const name = "dex.liveSwaps"

  /** The newest swap as of a block, and the block. */
  const newest = Effect.fnUntraced(function* (block: number | undefined) {
    const { asOf, value } = yield* read({ ...pool, block, limit: 1, mint: false, burn: false })
    if (Option.isNone(asOf)) return yield* toIncompleteResponse(name, missingBlock)
    return { asOf: asOf.value, swap: value.swaps?.[0] }
  })

  /** The swaps since a time as of a block, the newest first. */
  const since = Effect.fnUntraced(function* (from: DateTime.Utc | undefined, block: number) {
    const request = { ...pool, kind: "swap", block, from } as const
    const pages = yield* Stream.runCollect(poolTradePages(read, request))
    const [first] = pages
    if (first === undefined) return yield* toIncompleteResponse(name, missingBlock)
    return { asOf: first.asOf, swaps: pages.flatMap(({ items }) => items) }
  })

  return {
    operation: name,
    request: pool,
    live: operation,
    liveRequest: (after) => ({ ...pool, after }),
    event: "swap",
    decode: (data, block) => {
      const swap = decode(data)
      return swap === undefined ? undefined : { _tag: "Swap", swap, pool: pool.pool, block }
    },
    blockAt: (number) => {
      const block = Effect.map(newest(number), ({ asOf }) => asOf)
      return number === undefined ? block : orBeforePool(block, () => beforePool(number))
    },
    after: Effect.fnUntraced(function* (number, head) {
      // The swaps of the newest swap's time and later, without those that were known.
      const from = (yield* orBeforePool(newest(number), () => undefined))?.swap?.timestamp
      const end = Number(head.number)
      for (let reach = maxBlocks; ; reach *= 2) {
        const to = Math.min(end, number + reach)
        const polled = since(from, to)
        const { asOf, swaps } = yield* to === end ? polled : orBeforePool(polled, () => noSwaps(number))
        // An index answers as of the newest block that it has stored, which may be the known one.
        if (Number(asOf.number) <= number && to < end) continue
        const before = yield* orBeforePool(since(from, number), () => noSwaps(number))
        const known = new Set(before.swaps.map(({ id }) => id))
        const fresh = swaps.filter(({ id }) => !known.has(id)).reverse()
        return {
          items: fresh.map((swap): NewSwap => ({ _tag: "Swap", swap, pool: pool.pool, block: asOf.number })),
          asOf,
          hash: before.asOf.hash
        }
      }
    })
  }
}

/**
 * Swaps and reorgs page by page, from now on or after a `cursor`. Guarantees:
 *
 * - The stream emits every following swap once, in the order of blocks and logs. If the chain replaces blocks with emitted
 *   swaps, a `Reorg` comes first: discard the swaps whose `block` is `from` or later; those of the new branch follow. It
 *   may go back further than necessary.
 * - If the service streams swaps, they arrive at once. If it does not, as for a deployment that is read from a subgraph,
 *   or the stream is blocked, the client polls every `pollEvery`, with the same guarantees; except that a subgraph states
 *   no hash of an older block, so that only a reorg that replaces the newest one is seen.
 *
 * It fails with the errors of `read` (after the client's retries), or with `InvalidCursor`.
 *
 * @example
 * ```ts
 * import { Client, PoolAddress } from "@chaintape/core"
 * import * as DexOperations from "@chaintape/core/operations/dex"
 * import { LiveSwaps } from "@chaintape/core/streams"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const pages = LiveSwaps.liveSwapPages((request) => call(DexOperations.poolTrades, request), {
 *     exchange: "uniswap-v3",
 *     blockchain: "ethereum",
 *     pool: PoolAddress.make("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640")
 *   })
 *   yield* Stream.runForEach(pages, ({ cursor, events }) => Effect.log(events.length, cursor))
 * })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const liveSwapPages = <E, R>(
  read: ReadPoolTrades<E, R>,
  request: LiveSwapsRequest
): Stream.Stream<LivePage<NewSwap>, E | InvalidParameter | InvalidCursor | UnexpectedResponse, R> =>
  chainReading(
    check(request),
    (pool) => makeFeed(read, pool),
    (page) => [page]
  )

/**
 * The swaps and reorgs of {@link liveSwapPages}, one by one.
 *
 * @example
 * ```ts
 * import { Client, PoolAddress } from "@chaintape/core"
 * import * as DexOperations from "@chaintape/core/operations/dex"
 * import { LiveSwaps } from "@chaintape/core/streams"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const events = LiveSwaps.liveSwaps((request) => call(DexOperations.poolTrades, request), {
 *     exchange: "uniswap-v3",
 *     blockchain: "ethereum",
 *     pool: PoolAddress.make("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640")
 *   })
 *   yield* Stream.runForEach(events, (event) =>
 *     Effect.log(event._tag === "Swap" ? `${event.swap.amount0} in block ${event.block}` : `replaced from ${event.from}`)
 *   )
 * })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const liveSwaps = <E, R>(
  read: ReadPoolTrades<E, R>,
  request: LiveSwapsRequest
): Stream.Stream<NewSwap | Reorg, E | InvalidParameter | InvalidCursor | UnexpectedResponse, R> =>
  chainReading(
    check(request),
    (pool) => makeFeed(read, pool),
    (page) => page.events
  )

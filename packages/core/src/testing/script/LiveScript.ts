/**
 * Live events of a scripted service.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { Script } from "@chaintape/core/testing"
 * import * as Stream from "effect/Stream"
 *
 * const line = Script.liveBlocks(Stream.make({ reorg: { commonAncestor: 7 } }))
 * const service = Script.layerScriptHttp([], [line])
 * ```
 */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Block } from "../../blocks/Block.ts"
import { type Trade, TradeInText } from "../../cex/Trade.ts"
import { Swap } from "../../dex/PoolTrade.ts"
import { unquoteDecimals } from "../../internal/decode/exactNumbers.ts"
import { Gap, Reorg } from "../../internal/live/eventData.ts"
import * as Operations from "../../internal/live/operations.ts"
import type * as Operation from "../../operation/Operation.ts"
import type { Unbranded } from "./Line.ts"
import { asOfBlock } from "./MockResponse.ts"
import { WrongScript } from "./WrongScript.ts"

/**
 * The events of a live stream, or a function from its request. Each connection runs the stream, and ends with it; the client
 * then opens another one, with a request from which it misses nothing.
 *
 * @example
 * ```ts
 * import { Script } from "@chaintape/core/testing"
 * import * as Stream from "effect/Stream"
 *
 * const none = Script.liveBlocks(() => Stream.never)
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type LiveScript<Event, Op extends Operation.Any> =
  | Stream.Stream<Event>
  | ((request: Operation.Request<Op>) => Stream.Stream<Event>)

/**
 * A new trade, or a gap: a range in which trades are missing.
 *
 * @example
 * ```ts
 * import type { Script } from "@chaintape/core/testing"
 * import * as DateTime from "effect/DateTime"
 *
 * const [from, to] = [DateTime.makeUnsafe("2026-01-01T00:00:00Z"), DateTime.makeUnsafe("2026-01-01T00:00:05Z")]
 * const event: Script.LiveTradeEvent = { gap: { from, to, missing: 3 } }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type LiveTradeEvent =
  | { readonly trade: Unbranded<Trade> }
  | {
      readonly gap: {
        /** The time of the last trade before the gap. */
        readonly from: DateTime.Utc
        /** The time of the first trade after the gap. */
        readonly to: DateTime.Utc
        /** The number of missing trades; `null` by default: not known. */
        readonly missing?: number | null | undefined
        /** Whether the service tries to backfill the trades; `open` by default. */
        readonly state?: "open" | "unfillable" | undefined
      }
    }

/**
 * A reorg: all blocks after the common ancestor are replaced.
 *
 * @example
 * ```ts
 * import type { Script } from "@chaintape/core/testing"
 *
 * const event: Script.LiveReorgEvent = { reorg: { commonAncestor: 7 } }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface LiveReorgEvent {
  /** The number of the newest block on both branches, and its hash if it is not the one of `asOfBlock`. */
  readonly reorg: { readonly commonAncestor: number; readonly hash?: string | undefined }
}

/**
 * A new block, or a reorg. The hash is the one of `asOfBlock` by default.
 *
 * @example
 * ```ts
 * import type { Script } from "@chaintape/core/testing"
 *
 * const event: Script.LiveBlockEvent = { reorg: { commonAncestor: 7 } }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type LiveBlockEvent = { readonly block: Unbranded<Block>; readonly hash?: string | undefined } | LiveReorgEvent

/**
 * A new swap in a block, or a reorg. The hash of the block is the one of `asOfBlock` by default.
 *
 * @example
 * ```ts
 * import type { Script } from "@chaintape/core/testing"
 *
 * const event: Script.LiveSwapEvent = { reorg: { commonAncestor: 7 } }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type LiveSwapEvent =
  | { readonly swap: Unbranded<Swap>; readonly block: number; readonly hash?: string | undefined }
  | LiveReorgEvent

interface Written {
  readonly name: string
  readonly id: string
  readonly data: string
}

/**
 * An operation that is streamed, and the events of a request.
 *
 * @example
 * ```ts
 * import { Script } from "@chaintape/core/testing"
 * import * as Stream from "effect/Stream"
 *
 * const line: Script.LiveLine = Script.liveSwaps(Stream.make({ reorg: { commonAncestor: 7 } }))
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface LiveLine {
  /** The operation that is streamed. */
  readonly operation: Operation.Any
  /** The events of a request, in the format of the service. */
  readonly events: (request: never) => Stream.Stream<Written>
}

const encode = <S extends Schema.Codec<unknown, unknown>>(schema: S, of: string) => {
  const encoding = Schema.encodeUnknownEffect(Schema.toCodecJson(schema))
  return (value: unknown): Effect.Effect<string> =>
    encoding(value).pipe(
      Effect.map((wire) => JSON.stringify(wire)),
      Effect.catch(({ message }) =>
        Effect.die(new WrongScript(`A ${of} given is not one that the service can send: ${message}`))
      )
    )
}

const encodeTrade = encode(TradeInText, "trade")
const encodeBlock = encode(Block, "block")
const encodeSwap = encode(Swap, "swap")
const encodeGap = encode(Gap, "gap")
const encodeReorg = encode(Reorg, "reorg")

const liveLine = <Op extends Operation.Any, Event>(
  operation: Op,
  script: LiveScript<Event, Op>,
  write: (event: Event) => Effect.Effect<Written>
): LiveLine => ({
  operation,
  events: (request) => Stream.mapEffect(Predicate.isFunction(script) ? script(request) : script, write)
})

const hashAt = (number: number, hash: string | undefined) => hash ?? asOfBlock(number).hash

const writeReorg = ({ reorg }: LiveReorgEvent): Effect.Effect<Written> => {
  const { commonAncestor: number } = reorg
  const hash = hashAt(number, reorg.hash)
  const id = `${number}-${hash}`
  const encoded = encodeReorg({ from: number + 1, commonAncestor: { number, hash } })
  return Effect.map(encoded, (data) => ({ name: "reorg", id, data }))
}

const writeTrade = (event: LiveTradeEvent): Effect.Effect<Written> => {
  if ("trade" in event) {
    return Effect.map(encodeTrade(event.trade), (text) => ({
      name: "trade",
      id: event.trade.id,
      data: unquoteDecimals(text)
    }))
  }
  const { from, missing = null, state = "open", to } = event.gap
  const [fromTime, toTime] = [DateTime.toEpochMillis(from), DateTime.toEpochMillis(to)]
  return Effect.map(encodeGap({ fromTime, toTime, missing, state }), (data) => ({ name: "gap", id: "gap", data }))
}

/**
 * The live trades of a market.
 *
 * @example
 * ```ts
 * import { Script } from "@chaintape/core/testing"
 * import * as Schedule from "effect/Schedule"
 * import * as Stream from "effect/Stream"
 * import * as DateTime from "effect/DateTime"
 *
 * const line = Script.liveTrades(({ since = DateTime.makeUnsafe(0) }) =>
 *   Stream.map(Stream.fromSchedule(Schedule.spaced("1 second")), (seconds) => ({
 *     trade: {
 *       id: String(seconds),
 *       timestamp: DateTime.add(since, { seconds }),
 *       price: "100",
 *       size: "1",
 *       cost: "100",
 *       side: "buy" as const
 *     }
 *   }))
 * )
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const liveTrades = (script: LiveScript<LiveTradeEvent, typeof Operations.liveTrades>): LiveLine =>
  liveLine(Operations.liveTrades, script, writeTrade)

/**
 * The live blocks of a chain.
 *
 * @example
 * ```ts
 * import { Script } from "@chaintape/core/testing"
 * import * as Stream from "effect/Stream"
 *
 * const line = Script.liveBlocks(Stream.make({ reorg: { commonAncestor: 7 } }))
 * const service = Script.layerScriptHttp([], [line])
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const liveBlocks = (script: LiveScript<LiveBlockEvent, typeof Operations.liveBlocks>): LiveLine =>
  liveLine(Operations.liveBlocks, script, (event) => {
    if ("reorg" in event) return writeReorg(event)
    const number = Number(event.block.number)
    const id = `${number}-${hashAt(number, event.hash)}`
    return Effect.map(encodeBlock(event.block), (data) => ({ name: "block", id, data }))
  })

/**
 * The live swaps of a pool.
 *
 * @example
 * ```ts
 * import { Script } from "@chaintape/core/testing"
 * import * as Stream from "effect/Stream"
 *
 * const line = Script.liveSwaps(Stream.make({ reorg: { commonAncestor: 7 } }))
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const liveSwaps = (script: LiveScript<LiveSwapEvent, typeof Operations.liveSwaps>): LiveLine =>
  liveLine(Operations.liveSwaps, script, (event) => {
    if ("reorg" in event) return writeReorg(event)
    const { block, hash, swap } = event
    const id = `${block}-${hashAt(block, hash)}-${swap.logIndex}`
    return Effect.map(encodeSwap(swap), (data) => ({ name: "swap", id, data }))
  })

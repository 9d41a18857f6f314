/** Reads what a chain has and a reader has not, by polling. */
import * as Effect from "effect/Effect"
import { BlockNotFound } from "../../blocks/BlocksProblem.ts"
import type { AsOf } from "../../operation/Answer.ts"
import type * as Operation from "../../operation/Operation.ts"
import type { Reorg } from "../../page/LivePage.ts"
import { BlockReplaced } from "../../problem/StreamError.ts"
import type { ReconnectingEventSource } from "./eventSource.ts"
import {
  type ChainPosition,
  isBlock,
  type Mark,
  addMark,
  atStart,
  type Marks,
  selectMarksBelow,
  getNewest
} from "./marks.ts"

/** A followed chain. */
export interface ChainFeed<A, Op extends Operation.Any, E, R> {
  readonly operation: string
  /** The request, independent of the transport. */
  readonly request: object
  readonly live: Op
  readonly liveRequest: (after: string) => Operation.Input<Op>
  /** The name of the event with data, as opposed to `reorg`. */
  readonly event: string
  readonly decode: (data: string, block: bigint) => A | undefined
  /** The block with this number, or the newest one. */
  readonly blockAt: (number: number | undefined) => Effect.Effect<AsOf, E, R>
  /**
   * The items after a block, up to `head` or, if that is too much at once, up to an earlier block; and the hash
   * that the block has now.
   */
  readonly after: (number: number, head: AsOf) => Effect.Effect<PolledRange<A>, E | BlockReplaced, R>
}

export interface PolledRange<A> {
  readonly items: ReadonlyArray<A>
  readonly asOf: AsOf
  readonly hash: string
}

export interface Position extends ChainPosition {
  readonly isAtEnd: boolean
}

export interface Read<A> {
  readonly events: ReadonlyArray<A | Reorg>
  readonly next: Position
}

export const toMark = ({ hash, number }: AsOf, isPolled: boolean): Mark => ({ number: Number(number), hash, isPolled })

/**
 * A reorg: everything after the mark must be discarded. An index that has no block of both branches names block -1, as of
 * which nothing can be read.
 */
export const toReorg = (marks: ReadonlyArray<Mark>, mark: Mark, isAtEnd: boolean): Read<never> => {
  const { hash, number } = mark
  const commonAncestor = { number: BigInt(number), hash }
  return {
    events: [{ _tag: "Reorg", from: BigInt(number) + 1n, commonAncestor }],
    next: { marks: addMark(marks, number < 0 ? atStart : mark), log: undefined, isAtEnd }
  }
}

/** Polls for what follows a position. */
export const makePolling = <A, Op extends Operation.Any, E, R>(
  chain: ChainFeed<A, Op, E, R>,
  source: ReconnectingEventSource<Op>
) => {
  /** A final block before another one. */
  const findFinalMark = Effect.fnUntraced(function* (number: number) {
    for (let depth = 1; ; depth *= 2) {
      const block = yield* chain.blockAt(Math.max(0, number - depth))
      // A subgraph states neither what is final nor the hash of an older block.
      if (block.finalized || block.hash === "" || block.number === 0n) return toMark(block, false)
    }
  })

  /** The newest mark up to a number that is still on the chain, or a final block before all of them. */
  const findCommonMark = Effect.fnUntraced(function* (marks: Marks, number: number) {
    for (const mark of selectMarksBelow(marks, number + 1).toReversed()) {
      const { hash } = yield* chain.blockAt(mark.number)
      if (isBlock(mark, hash)) return hash === "" ? mark : { ...mark, hash }
    }
    return yield* findFinalMark(Math.min(marks[0].number, number))
  })

  return Effect.fnUntraced(function* (position: ChainPosition): Effect.fn.Return<Read<A>, E, R> {
    const { log, marks } = position
    const newest = getNewest(marks)
    const nothing = { events: [], next: { ...position, isAtEnd: true } }
    const head = yield* source.observe(chain.blockAt(undefined))
    if (log !== undefined) {
      // A part of a block cannot be queried.
      return toReorg(marks, yield* findCommonMark(marks, Math.min(newest.number - 1, Number(head.number))), false)
    }
    const height = Number(head.number)
    // A node that lags behind shows the old chain.
    if (height < newest.number || (height === newest.number && isBlock(newest, head.hash))) return nothing
    if (height === newest.number) return toReorg(marks, yield* findCommonMark(marks, height - 1), false)
    const polled = yield* Effect.catch(chain.after(newest.number, head), (error) =>
      // Pages interrupted by a reorg, which may have shortened the chain, are read again.
      error instanceof BlockReplaced || error instanceof BlockNotFound ? Effect.undefined : Effect.fail(error)
    )
    if (polled === undefined) return nothing
    if (!isBlock(newest, polled.hash)) return toReorg(marks, yield* findCommonMark(marks, height), false)
    const { hash, number } = polled.asOf
    const isAtEnd = number >= head.number || number <= newest.number
    const asOf = hash === "" && number === head.number ? head : polled.asOf
    const mark = toMark(asOf, polled.items.length > 0)
    return { events: polled.items, next: { marks: addMark(marks, mark), log: undefined, isAtEnd } }
  })
}

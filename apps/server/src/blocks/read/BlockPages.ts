import { InvalidParameter } from "@chaintape/core"
import type * as BlocksOperations from "@chaintape/core/operations/blocks"
import { Effect, Option } from "effect"
import type { SourceBlock } from "../SourceBlock.ts"
import type { makeBlockReader } from "./BlockReader.ts"

type BlockField = (typeof BlocksOperations.blocks.query.orderBy.fields)[number]

export interface BlockOrder {
  readonly field: BlockField
  readonly direction: "asc" | "desc"
}

/** An unknown difficulty sorts before all known ones. */
const toSortValue = (block: SourceBlock, field: BlockField) => block[field] ?? -1n

/** Sorted by the field; ties by number, ascending. */
const sortBlocks = (
  blocks: ReadonlyArray<SourceBlock>,
  { direction, field }: BlockOrder
): ReadonlyArray<SourceBlock> => {
  const sign = direction === "asc" ? 1 : -1
  return blocks.toSorted((a, b) => {
    const [one, other] = [toSortValue(a, field), toSortValue(b, field)]
    return sign * (one < other ? -1 : one > other ? 1 : 0) || a.number - b.number
  })
}

/** Sorting by a field that is not monotonic in the number needs every block of the window. */
const maxSortedWindow = 10_000

export interface BlocksRequest {
  readonly limit: number
  readonly skip: number
  readonly order: Option.Option<BlockOrder>
  readonly block: Option.Option<number>
  /** Unix milliseconds, inclusive. */
  readonly from: Option.Option<number>
  readonly to: Option.Option<number>
}

interface Window {
  readonly low: number
  readonly high: number
  readonly upper: number
  readonly final: number
}

const range = (low: number, high: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, high - low + 1) }, (_, index) => low + index)

const windowTooLarge = (field: string, size: number) => {
  const message =
    `"${field}" can sort at most ${maxSortedWindow} blocks, and the window holds ${size}: ` +
    "narrow it with from and to, or sort by number or timestamp"
  return new InvalidParameter({
    detail: `The request cannot be served: ${message}.`,
    issues: [{ parameter: "orderBy", message }]
  })
}

type Read = ReturnType<typeof makeBlockReader>

const readTimes = (read: Read, final: number) => (numbers: ReadonlyArray<number>) =>
  Effect.map(read(numbers, final), (blocks) => blocks.map(({ timestamp }) => timestamp))

/** Probes per batch: each round divides the remaining range by one more than that. */
const probes = 15

/**
 * The smallest number in `[low, high]` whose time is not before `time`, or `high + 1`. Times must not decrease with the
 * number. A chain of 25 million blocks takes seven rounds.
 */
const firstNotBefore = Effect.fnUntraced(function* <E, R>(
  time: number,
  low: number,
  high: number,
  timesOf: (numbers: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>, E, R>
): Effect.fn.Return<number, E, R> {
  let from = low
  let end = high + 1 // the answer lies in [from, end]
  while (from < end) {
    const step = Math.max(1, Math.ceil((end - from) / (probes + 1)))
    const numbers: Array<number> = []
    for (let number = from + step - 1; number < end; number += step) numbers.push(number)
    const times = yield* timesOf(numbers)
    const reached = times.findIndex((found) => found >= time)
    const before = reached < 0 ? numbers.at(-1) : numbers[reached - 1]
    if (reached >= 0) end = numbers[reached] ?? end
    if (before !== undefined) from = before + 1
  }
  return from
})

/** The first and last block of the window, found by a search over the block times. */
export const findWindow = Effect.fnUntraced(function* (
  read: Read,
  head: number,
  final: number,
  request: BlocksRequest
) {
  const upper = Option.getOrElse(request.block, () => head)
  const search = (time: number, low: number) => firstNotBefore(time, low, upper, readTimes(read, final))
  const low = Option.isNone(request.from) ? 0 : yield* search(Math.ceil(request.from.value / 1000), 0)
  const high = Option.isNone(request.to)
    ? upper
    : (yield* search(Math.floor(request.to.value / 1000) + 1, Math.min(low, upper))) - 1
  return { low, high, upper, final } satisfies Window
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
  const times = readTimes(read, window.final)
  const [newest = 0] = yield* times([last])
  const [oldest = 0] = yield* times([first])
  const groupEnd = (yield* firstNotBefore(newest + 1, last, window.high, times)) - 1
  const groupStart = yield* firstNotBefore(oldest, window.low, first, times)
  const blocks = yield* read(range(groupStart, groupEnd), window.final)
  const sorted = sortBlocks(blocks, { field: "timestamp", direction: "desc" })
  const skipped = groupEnd - last
  return sorted.slice(skipped, skipped + last - first + 1)
})

export const readPage = Effect.fnUntraced(function* (read: Read, window: Window, request: BlocksRequest) {
  const order = Option.getOrElse(request.order, (): BlockOrder => ({ field: "number", direction: "desc" }))
  if (order.field === "number" || order.field === "timestamp") return yield* pageByNumber(read, window, order, request)
  const size = window.high - window.low + 1
  if (size > maxSortedWindow) return yield* windowTooLarge(order.field, size)
  const blocks = yield* read(range(window.low, window.high), window.final)
  return sortBlocks(blocks, order).slice(request.skip, request.skip + request.limit)
})

/** Whether the chain up to `upper` is unchanged since the page was read: a hash commits to all blocks below it. */
export const isUnchanged = Effect.fnUntraced(function* (
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

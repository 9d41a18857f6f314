/** Reads a chain as it grows: over a live stream if the service has one, otherwise by polling. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as Operation from "../../operation/Operation.ts"
import type { LiveOptions, LivePage, Reorg } from "../../page/LivePage.ts"
import type { InvalidParameter } from "../../problem/Problem.ts"
import type { InvalidCursor } from "../../problem/StreamError.ts"
import { elapsedMillis } from "../transport/elapsed.ts"
import { toReorg, type ChainFeed, makePolling, type Position, type Read, toMark } from "./chainPolling.ts"
import { decodePosition, getCursor, isAbbreviated } from "./chainPosition.ts"
import { decodeReorg } from "./eventData.ts"
import type { ServerEvent } from "./eventParser.ts"
import { makeEventSource, quietMs, type ReconnectingEventSource } from "./eventSource.ts"
import {
  type ChainPosition,
  type Mark,
  addMark,
  type Marks,
  selectMarksBelow,
  getNewest,
  toPositionText,
  parsePosition
} from "./marks.ts"

interface DecodedEvent<A> extends Read<A> {
  /** Whether the stream continues from there. */
  readonly isContinued: boolean
}

/**
 * Translates a `reorg` of the service. Polled data may be older than the block as of which it was read: then all of it
 * is discarded as well, and the stream does not send it again. Undefined if only a poll can find where the data begins.
 */
const decodeReorgEvent = (marks: Marks, ancestor: Pick<Mark, "number" | "hash">): DecodedEvent<never> | undefined => {
  const first = marks.find(({ number }) => number > ancestor.number)
  const before = selectMarksBelow(marks, ancestor.number + 1).at(-1)
  if (first?.isPolled === true && before?.number !== ancestor.number) {
    return before === undefined || isAbbreviated(before)
      ? undefined
      : { ...toReorg(marks, before, true), isContinued: false }
  }
  const isPolled = before?.number === ancestor.number && before.isPolled
  return { ...toReorg(marks, { ...ancestor, isPolled }, true), isContinued: true }
}

/** Undefined if the event is malformed, or if a poll must follow it. */
const decodeEvent = <A, Op extends Operation.Any, E, R>(
  { decode, event }: ChainFeed<A, Op, E, R>,
  position: Position,
  { data, id, name }: ServerEvent
): DecodedEvent<A> | undefined => {
  if (name === "reorg") {
    const ancestor = decodeReorg(data)?.commonAncestor
    return ancestor === undefined ? undefined : decodeReorgEvent(position.marks, ancestor)
  }
  if (name !== event) return { events: [], next: position, isContinued: true }
  const at = parsePosition(id)
  const item = at === undefined ? undefined : decode(data, BigInt(at.number))
  if (at === undefined || item === undefined) return undefined
  const { hash, log, number } = at
  const newest = getNewest(position.marks)
  const isSame = newest.hash === hash
  // A reorg precedes what replaces a block: anything else up to the position has arrived already.
  const isKnown = number < newest.number || (isSame && (log ?? 0) <= (position.log ?? Infinity))
  if (isKnown) return { events: [], next: position, isContinued: true }
  const marks = isSame ? position.marks : addMark(position.marks, { number, hash, isPolled: false })
  return { events: [item], next: { marks, log, isAtEnd: true }, isContinued: true }
}

const makeStreamReads = <A, Op extends Operation.Any, E, R>(
  chain: ChainFeed<A, Op, E, R>,
  source: ReconnectingEventSource<Op>,
  poll: (position: ChainPosition) => Effect.Effect<Read<A>, E, R>
) => {
  let readAt = 0

  const applyEvents = Effect.fnUntraced(function* (position: Position, arrived: ReadonlyArray<ServerEvent>) {
    const events: Array<A | Reorg> = []
    let next = position
    for (const event of arrived) {
      const decoded = decodeEvent(chain, next, event)
      if (decoded === undefined) {
        yield* source.fail
        break
      }
      events.push(...decoded.events)
      next = decoded.next
      if (!decoded.isContinued) {
        yield* source.pause(0)
        break
      }
    }
    if (events.length > 0) source.reset()
    return { events, next } satisfies Read<A>
  })

  /** Polls for events that a silent stream may have missed. If there are any, the stream is not reliable. */
  const compare = Effect.fnUntraced(function* (position: Position) {
    const polled = yield* poll(position)
    if (polled.events.length > 0) yield* source.fail
    return polled
  })

  const read = Effect.fnUntraced(function* (position: Position): Effect.fn.Return<Read<A>, E, R> {
    const arrived = yield* source.next
    if (Option.isNone(arrived)) return { events: [], next: { ...position, isAtEnd: true } }
    const now = yield* elapsedMillis
    const isQuiet = arrived.value.length === 0 && now - readAt >= quietMs
    if (arrived.value.length > 0 || isQuiet) readAt = now
    return yield* isQuiet && position.log === undefined ? compare(position) : applyEvents(position, arrived.value)
  })

  const open = Effect.fnUntraced(function* (position: Position) {
    const isOpen = yield* source.open(chain.liveRequest(toPositionText(position)))
    readAt = yield* elapsedMillis
    return isOpen
  })

  return { read, open }
}

const makeChainReader = Effect.fnUntraced(function* <A, Op extends Operation.Any, E, R>(
  chain: ChainFeed<A, Op, E, R>,
  pollEvery: Duration.Input
) {
  const source = yield* makeEventSource(chain.live)
  const poll = makePolling(chain, source)
  const { read, open } = makeStreamReads(chain, source, poll)

  const next = Effect.fnUntraced(function* (position: Position): Effect.fn.Return<Read<A>, E, R> {
    if (source.isOpen()) return yield* read(position)
    if (!position.isAtEnd) return yield* poll(position)
    const wait = yield* source.delay
    yield* Effect.sleep(wait ?? pollEvery)
    if (yield* open(position)) return yield* read(position)
    return wait === undefined ? yield* poll(position) : { events: [], next: position }
  })

  /** The first read also determines the route of the live stream. */
  const begin = Effect.fnUntraced(function* (position: ChainPosition | undefined) {
    const head = yield* source.observe(chain.blockAt(undefined))
    const { log, marks }: ChainPosition = position ?? { marks: [toMark(head, false)], log: undefined }
    return { marks, log, isAtEnd: true } satisfies Position
  })

  return { begin, next }
})

/** The events from now on, or after a cursor. Each read is one element, which `shape` selects from it. */
export const chainReading = <Checked extends LiveOptions, A, Op extends Operation.Any, Shown, E, R>(
  checked: Effect.Effect<Checked, InvalidParameter>,
  getChain: (request: Omit<Checked, keyof LiveOptions>) => ChainFeed<A, Op, E, R>,
  shape: (page: LivePage<A>) => ReadonlyArray<Shown>
): Stream.Stream<Shown, E | InvalidParameter | InvalidCursor, R> =>
  Stream.unwrap(
    Effect.map(checked, ({ cursor, pollEvery, ...request }) =>
      readChain(getChain(request), { cursor, pollEvery }, shape)
    )
  )

const readChain = <A, Op extends Operation.Any, Shown, E, R>(
  chain: ChainFeed<A, Op, E, R>,
  { cursor, pollEvery = Duration.seconds(1) }: LiveOptions,
  shape: (page: LivePage<A>) => ReadonlyArray<Shown>
): Stream.Stream<Shown, E | InvalidCursor, R> => {
  const { operation, request } = chain
  const pageOf = ({ events, next }: Read<A>): LivePage<A> => ({
    events,
    get cursor() {
      return getCursor(operation, request, next)
    }
  })
  return Stream.unwrap(
    Effect.gen(function* () {
      const position = cursor === undefined ? undefined : yield* decodePosition(operation, request, cursor)
      const reader = yield* makeChainReader(chain, pollEvery)
      const start = yield* reader.begin(position)
      return Stream.paginate(start, (position: Position) =>
        Effect.map(
          reader.next(position),
          (read) => [read.events.length === 0 ? [] : shape(pageOf(read)), Option.some(read.next)] as const
        )
      )
    })
  )
}

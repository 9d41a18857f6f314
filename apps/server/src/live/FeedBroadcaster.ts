import { Effect, Latch, Schedule } from "effect"
import type { Exit, Scope } from "effect"
import { backoffMs } from "../internal/backoff.ts"
import { monotonicMillis } from "../internal/monotonic.ts"
import type { LiveEvent, LiveError, LiveFeed, LiveReader, UnknownCursorError } from "./LiveFeed.ts"
import { eventFrame, failing, heartbeatFrame, heartbeatMs } from "./LiveFrame.ts"
import { liveMetrics } from "./LiveMetrics.ts"
import { makeRecentFrames } from "./RecentFrames.ts"
import type { SubscriberBuffer } from "./SubscriberBuffer.ts"

/** The head of a feed, which is read once for all of its subscribers. */
export interface FeedBroadcaster {
  /** The position. Waits for the first read of the feed. */
  readonly position: Effect.Effect<string>
  /** Whether the events after a cursor are still in memory. */
  readonly isKnown: (cursor: string) => boolean
  /**
   * Whether the subscriber is attached: the events after its cursor are put into its buffer first. It is not attached if
   * they are no longer in memory, or more than its buffer has room for.
   */
  readonly join: (buffer: SubscriberBuffer, cursor: string) => boolean
  readonly leave: (buffer: SubscriberBuffer) => void
  /** Completes when the position has changed. */
  readonly moved: Effect.Effect<void>
}

/** Events per read. */
const maxAtOnce = 1000

/** Events in memory, after which a subscriber that returns soon resumes without reading the store. */
const remembered = 4096

/** How long a feed may fail before its subscribers are disconnected, so that they try another instance. */
const maxFailureMs = 10_000

const backoff = { firstMs: 400, maxMs: 2000 }

const encoder = new TextEncoder()

/** Logs the first of several failures in a row as a warning. */
const logFailure = (failures: number, ...message: ReadonlyArray<unknown>) =>
  (failures === 1 ? Effect.logWarning : Effect.logDebug)(...message)

const openReader = (feed: LiveFeed): Effect.Effect<LiveReader> =>
  Effect.suspend(() => {
    let failures = 0
    return feed.open({ from: "now" }).pipe(
      Effect.tapCause((cause) => logFailure(++failures, `The end of ${feed.name} cannot be found`, cause)),
      // A defect must not end a feed for as long as it has subscribers.
      Effect.sandbox,
      Effect.retry(Schedule.spaced("500 millis")),
      // An endless schedule has no failure.
      Effect.orDie
    )
  })

/** The frames of events as one part, whose pieces they are. */
const encodeFrames = (events: ReadonlyArray<LiveEvent>) => {
  const texts = events.map(eventFrame)
  const bytes = encoder.encode(texts.join(""))
  let start = 0
  const frames = events.map(({ cursor }, at) => {
    const end = start + Buffer.byteLength(texts[at] ?? "")
    const frame = bytes.subarray(start, end)
    start = end
    return { cursor, frame }
  })
  return { bytes, frames }
}

/** Whether the buffer had room for the frames. */
const putFrames = (buffer: SubscriberBuffer, frames: ReadonlyArray<Uint8Array>): boolean => {
  const bytes = frames.reduce((sum, frame) => sum + frame.length, 0)
  if (!buffer.hasRoomFor(bytes, frames.length)) return false
  for (const frame of frames) buffer.put(frame, 1)
  return true
}

/** The shared state of the subscribers of a feed: its position, its newest frames, and those to whom the next ones are sent. */
const makeFeedHead = (name: string, startedAt: number) => {
  const recent = makeRecentFrames(remembered)
  const followers = new Set<SubscriberBuffer>()
  const isOpen = Latch.makeUnsafe()
  const movement = Latch.makeUnsafe()
  let position = ""
  let sentAt = startedAt

  const send = (bytes: Uint8Array, events: number, now: number) => {
    for (const follower of followers) follower.put(bytes, events)
    sentAt = now
  }

  /** Everything from one read is sent at once. */
  const sendEvents = (events: ReadonlyArray<LiveEvent>, now: number) => {
    const { bytes, frames } = encodeFrames(events)
    for (const { cursor, frame } of frames) recent.add(cursor, frame)
    send(bytes, events.length, now)
  }

  const broadcaster: FeedBroadcaster = {
    position: Effect.map(isOpen.await, () => position),
    isKnown: recent.has,
    join: (buffer, cursor) => {
      const frames = recent.after(cursor)
      if (frames === undefined || !putFrames(buffer, frames)) return false
      followers.add(buffer)
      return true
    },
    leave: (buffer) => void followers.delete(buffer),
    moved: movement.await
  }

  return {
    broadcaster,
    /** States the position from which the feed is read. */
    open: (cursor: string) => {
      position = cursor
      recent.mark(cursor)
      return isOpen.open
    },
    /** Sends the events of one read, after which the feed is at the cursor, or a heartbeat if there are none for long. */
    advance: Effect.fnUntraced(function* (events: ReadonlyArray<LiveEvent>, cursor: string) {
      const now = yield* monotonicMillis
      if (events.length > 0) {
        sendEvents(events, now)
        yield* liveMetrics.sent(events.length, followers.size)
      } else if (now - sentAt >= heartbeatMs) {
        send(heartbeatFrame, 0, now)
      }
      recent.mark(cursor)
      const isNew = events.length > 0 || cursor !== position
      position = cursor
      if (isNew) yield* movement.release
    }),
    /** Disconnects the subscribers. */
    fail: () => {
      for (const follower of followers) follower.finish(failing(name))
    }
  }
}

/** Reads the feed without end. */
const follow = Effect.fnUntraced(function* (feed: LiveFeed, head: ReturnType<typeof makeFeedHead>) {
  const reader = yield* openReader(feed)
  yield* head.open(reader.cursor())
  const changed = yield* feed.watch
  const readNext = Effect.gen(function* () {
    const events = yield* reader.next(maxAtOnce)
    yield* head.advance(events, reader.cursor())
    return events.length
  })
  let failingSince: number | undefined
  let failures = 0
  while (true) {
    const exit: Exit.Exit<number, LiveError | UnknownCursorError> = yield* Effect.exit(readNext)
    if (exit._tag === "Success") {
      failingSince = undefined
      failures = 0
      if (exit.value < maxAtOnce) yield* changed
      continue
    }
    const now = yield* monotonicMillis
    failingSince ??= now
    failures++
    yield* logFailure(failures, `The events of ${feed.name} cannot be read`, exit.cause)
    if (now - failingSince >= maxFailureMs) head.fail()
    yield* Effect.sleep(yield* backoffMs(failures, backoff))
  }
})

/** Reads the feed from now on, until the scope ends. */
export const makeFeedBroadcaster = Effect.fnUntraced(function* (
  feed: LiveFeed
): Effect.fn.Return<FeedBroadcaster, never, Scope.Scope> {
  const head = makeFeedHead(feed.name, yield* monotonicMillis)
  yield* Effect.forkScoped(Effect.scoped(follow(feed, head)))
  return head.broadcaster
})

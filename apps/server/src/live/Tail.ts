import { Cause, Effect, Latch, Schedule } from "effect"
import type { Exit, Scope } from "effect"
import { monotonicMillis } from "../internal/monotonic.ts"
import type { LiveEvent, LiveFailure, LiveFeed, LiveReader, UnknownCursor } from "./LiveFeed.ts"
import { eventFrame, failing, heartbeatFrame, heartbeatMs } from "./LiveFrame.ts"
import { liveMetrics } from "./LiveMetrics.ts"
import type { Outbox } from "./Outbox.ts"
import { makeRecentFrames } from "./RecentFrames.ts"

/** The newest end of a feed, which is read once for all who follow it. */
export interface Tail {
  /** Where it stands. Waits for the first look at the feed. */
  readonly position: Effect.Effect<string>
  /** Whether what was told behind a cursor is remembered. */
  readonly isKnown: (cursor: string) => boolean
  /** Whether the reader follows from now on: what was told behind its cursor is put into its outbox first. */
  readonly join: (outbox: Outbox, cursor: string) => boolean
  readonly leave: (outbox: Outbox) => void
  /** Completes when it has moved on. */
  readonly moved: Effect.Effect<void>
}

/** Events of one look. */
const mostAtOnce = 1000

/** Events behind which a reader that comes back soon needs no look into the store. */
const remembered = 4096

/** How long a feed may fail before its readers are sent elsewhere. */
const patienceMs = 10_000

const firstPauseMs = 200
const longestPauseMs = 2000

const encoder = new TextEncoder()

const opened = (feed: LiveFeed): Effect.Effect<LiveReader> =>
  feed.open({ from: "now" }).pipe(
    Effect.tapError((error) => Effect.logWarning(`The end of ${feed.name} cannot be found: ${error.message}`)),
    Effect.retry(Schedule.spaced("500 millis")),
    // Without an end of the schedule there is no failure.
    Effect.orDie
  )

/** Reads the feed from now on, until the scope ends. */
export const makeTail = Effect.fnUntraced(function* (feed: LiveFeed): Effect.fn.Return<Tail, never, Scope.Scope> {
  const recent = makeRecentFrames(remembered)
  const followers = new Set<Outbox>()
  const isOpen = Latch.makeUnsafe()
  const hasMoved = Latch.makeUnsafe()
  let position = ""
  let toldAt = yield* monotonicMillis

  const tell = (bytes: Uint8Array, events: number) => {
    for (const follower of followers) follower.put(bytes, events)
  }

  /** All that was read at once goes out at once: one part, whose pieces are the frames. */
  const tellAll = (events: ReadonlyArray<LiveEvent>) => {
    const frames = events.map(eventFrame)
    const bytes = encoder.encode(frames.join(""))
    let start = 0
    for (const [at, event] of events.entries()) {
      const end = start + Buffer.byteLength(frames[at] ?? "")
      recent.add(event.cursor, bytes.subarray(start, end))
      start = end
    }
    tell(bytes, events.length)
  }

  const look = Effect.fnUntraced(function* (from: LiveReader) {
    const events = yield* from.next(mostAtOnce)
    const now = yield* monotonicMillis
    if (events.length > 0) {
      tellAll(events)
      yield* liveMetrics.told(events.length, followers.size)
      toldAt = now
    } else if (now - toldAt >= heartbeatMs) {
      tell(heartbeatFrame, 0)
      toldAt = now
    }
    const cursor = from.cursor()
    recent.mark(cursor)
    if (events.length > 0 || cursor !== position) hasMoved.openUnsafe()
    position = cursor
    hasMoved.closeUnsafe()
    return events.length
  })

  const follow = Effect.gen(function* () {
    const from = yield* opened(feed)
    position = from.cursor()
    recent.mark(position)
    yield* isOpen.open
    const changed = yield* feed.watch
    let failingSince: number | undefined
    let failures = 0
    while (true) {
      const exit: Exit.Exit<number, LiveFailure | UnknownCursor> = yield* Effect.exit(look(from))
      if (exit._tag === "Success") {
        failingSince = undefined
        failures = 0
        if (exit.value < mostAtOnce) yield* changed
        continue
      }
      if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.interrupt
      const now = yield* monotonicMillis
      failingSince ??= now
      failures++
      yield* Effect.logWarning(`The events of ${feed.name} cannot be read`, exit.cause)
      if (now - failingSince >= patienceMs) for (const follower of followers) follower.finish(failing(feed.name))
      yield* Effect.sleep(Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 8)))
    }
  })
  yield* Effect.forkScoped(Effect.scoped(follow))

  return {
    position: Effect.map(isOpen.await, () => position),
    isKnown: recent.has,
    join: (outbox, cursor) => {
      const frames = recent.behind(cursor)
      if (frames === undefined) return false
      if (frames.length > 0) outbox.put(Buffer.concat(frames), frames.length)
      followers.add(outbox)
      return true
    },
    leave: (outbox) => void followers.delete(outbox),
    moved: hasMoved.await
  }
})

import { Effect } from "effect"
import type { Semaphore } from "effect"
import { monotonicMillis } from "../internal/monotonic.ts"
import type { FeedBroadcaster } from "./FeedBroadcaster.ts"
import type { LiveReader } from "./LiveFeed.ts"
import { eventFrame, heartbeatFrame, heartbeatMs } from "./LiveFrame.ts"
import { liveMetrics } from "./LiveMetrics.ts"
import type { SubscriberBuffer } from "./SubscriberBuffer.ts"

/** Events per page for a subscriber that lags behind. */
const rowsOfPage = 500

/** Reads without events while a subscriber waits for its start position, which may be in the future. */
const firstPauseMs = 50
const maxPauseMs = 1000

const encoder = new TextEncoder()

/**
 * Reads what the subscriber lacks, page by page on demand, until the broadcaster has its position in memory.
 */
export const catchUp = Effect.fnUntraced(function* (
  turns: Semaphore.Semaphore,
  broadcaster: FeedBroadcaster,
  reader: LiveReader,
  buffer: SubscriberBuffer
) {
  let pause = firstPauseMs
  let sentAt = yield* monotonicMillis
  while (!buffer.isOver && !broadcaster.join(buffer, reader.cursor())) {
    const events = yield* turns.withPermit(reader.next(rowsOfPage))
    if (events.length === 0) {
      yield* Effect.timeoutOption(broadcaster.moved, pause)
      pause = Math.min(maxPauseMs, pause * 2)
      const now = yield* monotonicMillis
      if (now - sentAt < heartbeatMs) continue
      buffer.put(heartbeatFrame, 0)
      sentAt = now
      continue
    }
    pause = firstPauseMs
    sentAt = yield* monotonicMillis
    buffer.put(encoder.encode(events.map(eventFrame).join("")), events.length)
    yield* liveMetrics.sent(events.length, 1)
    yield* buffer.drained
  }
})

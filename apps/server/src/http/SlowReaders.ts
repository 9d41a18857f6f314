import type { ServerResponse } from "node:http"
import { Clock, Context, Effect, Layer, Metric } from "effect"
import { monotonicMillis, monotonicMillisOf } from "../internal/monotonic.ts"
import { unsent } from "../internal/unsent.ts"

/** The least that a reader must take of an answer that waits for it. */
export interface Pace {
  readonly bytes: number
  readonly withinMs: number
}

/** More than six kilobytes a second. */
export const standardPace: Pace = { bytes: 96 * 1024, withinMs: 15_000 }

interface Reading {
  /** Bytes of writes that the operating system has taken whole by then. */
  readonly taken: number
  /** Bytes that it has not taken of the write that was under way then. */
  unsent: number
  readonly since: number
}

const cut = Metric.counter("chaintape_http_slow_readers_total", {
  description: "Answers that were cut off because their reader took them too slowly",
  incremental: true
})

/** An answer may be one write or many: whatever is through counts, and what goes out of the one under way. */
const takenOf = ({ socket, writableLength }: ServerResponse) => ({
  taken: (socket?.bytesWritten ?? 0) - writableLength,
  unsent: socket === null ? 0 : unsent(socket)
})

/**
 * Cuts off readers who take an answer so slowly that they hold its memory and its place for ever. A connection on which
 * nothing at all moves is not for here: the server's own timeout ends it.
 */
export class SlowReaders extends Context.Service<SlowReaders, { readonly watch: (response: ServerResponse) => void }>()(
  "@chaintape/server/http/SlowReaders"
) {
  static readonly layer = ({ bytes, withinMs }: Pace = standardPace) =>
    Layer.effect(
      SlowReaders,
      Effect.gen(function* () {
        const readings = new Map<ServerResponse, Reading>()
        const judge = (response: ServerResponse, reading: Reading, now: number): boolean => {
          const found = takenOf(response)
          const isWaiting = response.headersSent && response.writableLength > 0
          const moved = Math.max(found.taken - reading.taken, reading.unsent - found.unsent)
          if (!isWaiting || moved >= bytes) {
            readings.set(response, { ...found, since: now })
            return false
          }
          // Another write is under way.
          if (found.unsent > reading.unsent) reading.unsent = found.unsent
          return now - reading.since >= withinMs
        }
        const look = Effect.gen(function* () {
          const now = yield* monotonicMillis
          for (const [response, reading] of readings) {
            if (!judge(response, reading, now)) continue
            response.destroy()
            yield* Metric.update(cut, 1)
          }
        })
        yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(withinMs / 10), look)))
        const clock = yield* Clock.Clock
        return SlowReaders.of({
          watch: (response) => {
            // What waits for the reader of a stream is bounded there, however slowly it is taken.
            if (response.req.url?.startsWith("/live/") === true) return
            readings.set(response, { ...takenOf(response), since: monotonicMillisOf(clock) })
            response.on("close", () => readings.delete(response))
          }
        })
      })
    )
}

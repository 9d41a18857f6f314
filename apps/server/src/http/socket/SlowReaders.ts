import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { Clock, Context, Effect, Layer, Metric, Predicate } from "effect"
import { LinkedList } from "../../internal/LinkedList.ts"
import { monotonicMillis, toMonotonicMillis } from "../../internal/monotonic.ts"

/** The minimum rate at which a client must read a pending response. */
export interface MinimumReadRate {
  readonly bytes: number
  readonly withinMs: number
}

/** Seven kilobytes a second. With the time between two checks, a client that is slower is disconnected within 10 s. */
export const standardReadRate: MinimumReadRate = { bytes: 64 * 1024, withinMs: 9000 }

interface Reading {
  readonly response: ServerResponse
  /** Bytes of writes that the operating system had accepted completely by then. */
  taken: number
  /** Bytes of the current write that it had not accepted then. */
  unsent: number
  since: number
}

const cut = Metric.counter("chaintape_http_slow_readers_total", {
  description: "Responses that were cut off because their reader took them too slowly",
  incremental: true
})

/**
 * The bytes of the current write that the operating system has not accepted yet. The runtime checks the same number
 * before it closes a connection without progress, but does not expose it in its types. 0 if unknown.
 */
const getUnsent = (socket: Socket): number => {
  const handle = Predicate.hasProperty(socket, "_handle") ? socket._handle : undefined
  const size = Predicate.hasProperty(handle, "writeQueueSize") ? handle.writeQueueSize : undefined
  return typeof size === "number" ? size : 0
}

/** A response may be one write or many: completed writes count, and the accepted part of the current one. */
const measureTaken = ({ socket, writableLength }: ServerResponse) => ({
  taken: (socket?.bytesWritten ?? 0) - writableLength,
  unsent: socket === null ? 0 : getUnsent(socket)
})

/**
 * Disconnects clients that read a response so slowly that it would hold its memory and its slot forever. Connections
 * without any progress are left to the server's own timeout.
 */
export class SlowReaders extends Context.Service<SlowReaders, { readonly watch: (response: ServerResponse) => void }>()(
  "@chaintape/server/http/socket/SlowReaders"
) {
  static readonly layer = ({ bytes, withinMs }: MinimumReadRate = standardReadRate) =>
    Layer.effect(
      SlowReaders,
      Effect.gen(function* () {
        const readings = new LinkedList<Reading>()
        const judge = (reading: Reading, now: number): boolean => {
          const { response } = reading
          const found = measureTaken(response)
          // A pipelined response has no socket until those before it are sent, which are judged.
          const isWaiting = response.headersSent && response.writableLength > 0 && response.socket !== null
          const moved = Math.max(found.taken - reading.taken, reading.unsent - found.unsent)
          if (!isWaiting || moved >= bytes) {
            Object.assign(reading, found, { since: now })
            return false
          }
          // Another write is in progress.
          if (found.unsent > reading.unsent) reading.unsent = found.unsent
          return now - reading.since >= withinMs
        }
        const checkReaders = Effect.gen(function* () {
          const now = yield* monotonicMillis
          for (const reading of readings.toArray()) {
            if (!judge(reading, now)) continue
            reading.response.destroy()
            yield* Metric.update(cut, 1)
          }
        })
        yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(withinMs / 10), checkReaders)))
        const clock = yield* Clock.Clock
        return SlowReaders.of({
          watch: (response) => {
            // The buffer of a stream's reader is bounded elsewhere, however slowly it reads.
            if (response.req.url?.startsWith("/live/") === true) return
            const { taken, unsent } = measureTaken(response)
            response.on("close", readings.add({ response, taken, unsent, since: toMonotonicMillis(clock) }))
          }
        })
      })
    )
}

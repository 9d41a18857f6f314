import { once } from "node:events"
import { createServer } from "node:http"
import type { ServerResponse } from "node:http"
import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Schedule } from "effect"
import { SlowReaders } from "../../../src/http/socket/SlowReaders.ts"
import { firstThatHolds } from "../../FirstThatHolds.ts"
import { makeSteppedClock } from "../../SteppedClock.ts"

/** More than the operating system buffers for a slow reader. */
const size = 48 * 1024 * 1024

/**
 * One write, of which the reader reads `bytes` every 25 ms: returns whether it was cut off within eight seconds. It
 * must read `least` bytes in three seconds; `meanwhile` runs after the first read.
 */
const isCut = (bytes: number, least = 96 * 1024, meanwhile: Effect.Effect<void> = Effect.void, requests = 1) =>
  Effect.gen(function* () {
    const { watch } = yield* SlowReaders
    const body = Buffer.alloc(size)
    const server = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const made = createServer((_request, response) => {
          response.writeHead(200, { "content-length": size })
          response.end(body)
          watch(response)
        })
        made.listen(0, "127.0.0.1")
        await once(made, "listening")
        return made
      }),
      (made) => Effect.sync(() => void made.close().closeAllConnections())
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    let last: ServerResponse | undefined
    server.on("request", (_request, response) => void (last = response))
    const isLastCut = Effect.sync(() => last?.destroyed === true)
    const closed = Effect.repeat(isLastCut, { until: (isOver) => isOver, schedule: Schedule.spaced("50 millis") })
    const reader = yield* Effect.acquireRelease(
      Effect.sync(() => connect(port, "127.0.0.1")),
      (socket) => Effect.sync(() => socket.destroy())
    )
    reader.on("error", () => {})
    reader.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(requests))
    const take = setInterval(() => void reader.read(bytes), 25)
    yield* Effect.addFinalizer(() => Effect.sync(() => clearInterval(take)))
    yield* Effect.forkScoped(Effect.delay(meanwhile, "1 second"))
    return yield* Effect.race(closed, Effect.as(Effect.sleep("8 seconds"), false))
  }).pipe(Effect.scoped, Effect.provide(SlowReaders.layer({ bytes: least, withinMs: 3000 })))

// Each waits for seconds without using the CPU.
describe("the reader of an answer that is one write of 48 MB", { concurrent: true }, () => {
  it.live("is not cut off while the write makes progress", () =>
    Effect.gen(function* () {
      yield* firstThatHolds(isCut(64 * 1024), (cut) => !cut)
    })
  )

  it.live("is not cut off because the clock is set forward by an hour", () =>
    Effect.gen(function* () {
      const { clock, step } = yield* makeSteppedClock
      let hours = 0
      // Repeatedly: the reader makes progress before every check.
      const stepping = Effect.suspend(() => step(++hours * 3_600_000)).pipe(
        Effect.andThen(Effect.sleep("100 millis")),
        Effect.forever
      )
      const cut = Effect.provideService(isCut(64 * 1024, 3 * 2 ** 20, stepping), Clock.Clock, clock)
      yield* firstThatHolds(cut, (isOver) => !isOver)
    })
  )

  it.live("is not cut off because it has requested another response, which waits for this one", () =>
    Effect.gen(function* () {
      yield* firstThatHolds(isCut(64 * 1024, 96 * 1024, Effect.void, 2), (cut) => !cut)
    })
  )

  it.live("is cut off below the minimum rate", () =>
    Effect.gen(function* () {
      assert.isTrue(yield* isCut(16))
    })
  )
})

import { once } from "node:events"
import { createServer } from "node:http"
import type { ServerResponse } from "node:http"
import { connect } from "node:net"
import { setImmediate } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Predicate } from "effect"
import { TestClock } from "effect/testing"
import { SlowReaders } from "../../../src/http/socket/SlowReaders.ts"
import { makeSteppedClock } from "../../SteppedClock.ts"

/** More than the operating system buffers for a slow reader. */
const size = 48 * 1024 * 1024

const minimum = { bytes: 96 * 1024, withinMs: 3000 }

/** The sockets are real, and only the test moves the clock: the machine's speed decides nothing. */
const turn = Effect.promise(() => setImmediate())

/** Responses of one write each, on one connection, and a reader that reads nothing by itself. */
const openResponses = Effect.fnUntraced(function* (requests = 1) {
  const { watch } = yield* SlowReaders
  const body = Buffer.alloc(size)
  const responses: Array<ServerResponse> = []
  const server = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const made = createServer((_request, response) => {
        response.writeHead(200, { "content-length": size })
        response.end(body)
        watch(response)
        responses.push(response)
      })
      made.listen(0, "127.0.0.1")
      await once(made, "listening")
      return made
    }),
    (made) => Effect.sync(() => void made.close().closeAllConnections())
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const reader = yield* Effect.acquireRelease(
    Effect.sync(() => connect(port, "127.0.0.1")),
    (socket) => Effect.sync(() => socket.destroy())
  )
  reader.on("error", () => {})
  reader.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(requests))
  while (responses.length < requests) yield* turn
  /** The bytes of the write that the operating system has not accepted. */
  const getUnsent = () => {
    const socket = responses[0]?.socket
    const handle = Predicate.hasProperty(socket, "_handle") ? socket._handle : undefined
    return Predicate.hasProperty(handle, "writeQueueSize") ? Number(handle.writeQueueSize) : 0
  }
  /** Reads until the operating system has accepted the minimum. */
  const read = Effect.gen(function* () {
    const before = getUnsent()
    while (before - getUnsent() < minimum.bytes && !isCut()) {
      reader.read()
      yield* turn
    }
  })
  const isCut = () => responses.some(({ destroyed }) => destroyed)
  return { read, isCut, getUnsent }
})

/** Reads the minimum in each of five periods. `meanwhile` runs after the first check of each, which sees that. */
const readAtMinimum = Effect.fnUntraced(function* (meanwhile: Effect.Effect<void> = Effect.void, requests = 1) {
  const { getUnsent, isCut, read } = yield* openResponses(requests)
  for (let period = 0; period < 5; period++) {
    yield* read
    yield* TestClock.adjust(minimum.withinMs / 10)
    yield* meanwhile
    yield* TestClock.adjust(0.9 * minimum.withinMs)
    assert.isFalse(isCut())
  }
  assert.isAbove(getUnsent(), 0)
})

const watched = SlowReaders.layer(minimum)

describe("the reader of an answer that is one write of 48 MB", () => {
  it.effect("is not cut off while the write makes progress", () => readAtMinimum().pipe(Effect.provide(watched)))

  it.effect("is not cut off because the clock is set forward by an hour", () =>
    Effect.gen(function* () {
      const { clock, step } = yield* makeSteppedClock
      let hours = 0
      const forward = Effect.suspend(() => step(++hours * 3_600_000))
      yield* readAtMinimum(forward).pipe(Effect.provide(watched), Effect.provideService(Clock.Clock, clock))
    })
  )

  it.effect("is not cut off because it has requested another response, which waits for this one", () =>
    readAtMinimum(Effect.void, 2).pipe(Effect.provide(watched))
  )

  it.effect("is cut off below the minimum rate, after the time for it", () =>
    Effect.gen(function* () {
      const { isCut, read } = yield* openResponses()
      yield* read
      // Beyond the buffers of the operating system, which it fills without a reader.
      yield* TestClock.adjust(minimum.withinMs)
      assert.isFalse(isCut())
      yield* TestClock.adjust(minimum.withinMs)
      assert.isTrue(isCut())
    }).pipe(Effect.provide(watched))
  )
})

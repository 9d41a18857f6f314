import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { connect, type ConnectionEndedError, type EventConnection } from "../../src/internal/live/connection.ts"
import { liveBlocks } from "../../src/internal/live/operations.ts"
import { eventText, goOn as goOnFor, liveResponse, settled } from "./LiveWire.ts"

const goOn = (milliseconds: number) => goOnFor(milliseconds, 100)

const opening = eventText("open", "7", { cursor: "7" })
const heartbeat = ": heartbeat\n\n"

/** Connects to a service whose response the test writes. */
const connecting = Effect.gen(function* () {
  const wire = liveResponse()
  const http = HttpClient.make((request) => Effect.succeed(HttpClientResponse.fromWeb(request, wire.response)))
  const fiber = yield* Effect.forkScoped(
    connect({ http, options: { baseUrl: "http://model" } }, liveBlocks, { path: "/live/blocks/ethereum", query: [] })
  )
  yield* settled
  return { wire, fiber }
})

const connected = Effect.gen(function* () {
  const { fiber, wire } = yield* connecting
  yield* wire.send(opening)
  yield* settled
  return { wire, connection: yield* Fiber.join(fiber) }
})

/** Reads until the connection ends; `ended` is undefined until then. */
const reading = Effect.fnUntraced(function* ({ next }: EventConnection) {
  const names: Array<string> = []
  const fiber = yield* Effect.forkScoped(
    Effect.forever(Effect.flatMap(next, (events) => Effect.sync(() => names.push(...events.map(({ name }) => name)))))
  )
  const ended = Effect.sync(() => fiber.pollUnsafe()).pipe(
    Effect.flatMap((exit) => (exit === undefined ? Effect.undefined : Effect.flip(Exit.asVoid(exit)))),
    Effect.map((error: ConnectionEndedError | undefined) => error?.why)
  )
  return { names, ended }
})

describe("the connection of a live stream", () => {
  it.effect("is lost where the body of a refusal does not end", () =>
    Effect.gen(function* () {
      const refusal = new Response(new ReadableStream(), { status: 503 })
      const http = HttpClient.make((request) => Effect.succeed(HttpClientResponse.fromWeb(request, refusal)))
      const fiber = yield* Effect.forkScoped(
        connect({ http, options: { baseUrl: "http://model" } }, liveBlocks, {
          path: "/live/blocks/ethereum",
          query: []
        })
      )
      yield* goOn(4900)
      assert.isUndefined(fiber.pollUnsafe())
      yield* goOn(100)
      assert.strictEqual((yield* Effect.flip(Fiber.join(fiber))).why, "lost")
    })
  )

  it.effect.each([
    ["", "30", 30_000],
    ["<h1>Busy</h1>", "Thu, 01 Jan 1970 00:00:30 GMT", 30_000],
    ['{"retryAfterMs":70}', "30", 70],
    ["", "soon", undefined]
  ] as const)("waits as long as a refusal asks: body %j, Retry-After %j", ([body, retryAfter, milliseconds]) =>
    Effect.gen(function* () {
      const refusal = new Response(body, { status: 503, headers: { "retry-after": retryAfter } })
      const http = HttpClient.make((request) => Effect.succeed(HttpClientResponse.fromWeb(request, refusal)))
      const lost = yield* Effect.flip(
        connect({ http, options: { baseUrl: "http://model" } }, liveBlocks, {
          path: "/live/blocks/ethereum",
          query: []
        })
      )
      assert.deepStrictEqual([lost.why, lost.retryAfterMs], ["lost", milliseconds])
    })
  )

  it.effect("cancels the body of a response that is no live stream", () =>
    Effect.gen(function* () {
      let isCancelled = false
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode("<p>Sign in</p>")),
        cancel: () => {
          isCancelled = true
        }
      })
      const page = new Response(body, { headers: { "content-type": "text/html" } })
      const http = HttpClient.make((request) => Effect.succeed(HttpClientResponse.fromWeb(request, page)))
      const ended = yield* Effect.flip(
        Effect.scoped(
          connect({ http, options: { baseUrl: "http://model" } }, liveBlocks, {
            path: "/live/blocks/ethereum",
            query: []
          })
        )
      )
      assert.strictEqual(ended.why, "silent")
      assert.strictEqual(ended.message, "The connection delivers no events that can be read.")
      assert.isTrue(isCancelled)
    })
  )

  it.effect("is lost after 45 seconds in which nothing comes, and not before", () =>
    Effect.gen(function* () {
      const { connection } = yield* connected
      const { ended } = yield* reading(connection)
      yield* goOn(44_900)
      assert.isUndefined(yield* ended)
      yield* goOn(100)
      assert.strictEqual(yield* ended, "lost")
    })
  )

  it.effect("lives on heartbeats alone", () =>
    Effect.gen(function* () {
      const { connection, wire } = yield* connected
      const { ended, names } = yield* reading(connection)
      for (let beat = 0; beat < 8; beat++) {
        yield* goOn(44_000)
        yield* wire.send(heartbeat)
        yield* settled
      }
      assert.isUndefined(yield* ended)
      assert.deepStrictEqual(names, [])
    })
  )

  it.effect("accepts an event of a mebibyte, and ends at a larger one", () =>
    Effect.gen(function* () {
      for (const [characters, end] of [
        [2 ** 20, undefined],
        [2 ** 20 + 1, "silent"]
      ] as const) {
        const { connection, wire } = yield* connected
        const { ended, names } = yield* reading(connection)
        // Only the incomplete line is kept in memory.
        yield* wire.send("data: ".padEnd(characters, "x"))
        yield* goOn(100)
        assert.strictEqual(yield* ended, end)
        yield* wire.send("\n\n")
        yield* goOn(100)
        assert.lengthOf(names, end === undefined ? 1 : 0)
      }
    })
  )

  it.effect("is silent where the first event does not come within five seconds, or is another", () =>
    Effect.gen(function* () {
      const late = yield* connecting
      yield* goOn(4900)
      assert.isUndefined(late.fiber.pollUnsafe())
      yield* goOn(100)
      assert.strictEqual((yield* Effect.flip(Fiber.join(late.fiber))).why, "silent")

      const other = yield* connecting
      yield* other.wire.send(eventText("block", "7", {}))
      yield* settled
      assert.strictEqual((yield* Effect.flip(Fiber.join(other.fiber))).why, "silent")
    })
  )

  it.effect("emits the events before the end event of the service, and then the end", () =>
    Effect.gen(function* () {
      const { connection, wire } = yield* connected
      const { ended, names } = yield* reading(connection)
      yield* wire.send(
        eventText("block", "8", {}) + eventText("end", "8", { reason: "closing", retryAfterMs: 70 }) + opening
      )
      yield* goOn(100)
      assert.deepStrictEqual(names, ["block"])
      assert.strictEqual(yield* ended, "lost")
    })
  )
})

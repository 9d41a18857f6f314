import { connect } from "node:net"
import type { Socket } from "node:net"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { BulkResponses } from "../../../src/cex/api/BulkResponses.ts"
import { standardReadRate } from "../../../src/http/socket/SlowReaders.ts"
import { key, keyed, RunningService } from "../../RunningService.ts"
import { recordedServiceAt } from "../RecordedService.ts"

const bulk = "/v2/cex/recorded/BTC-USD/trades?limit=50000"
const silent = "/v2/cex/recorded/SILENT-USD/trades?limit=50000"

/** The slots of the service under test. */
let taken: Effect.Effect<number> = Effect.succeed(0)
const probe = Layer.effectDiscard(
  Effect.map(BulkResponses, (bulkAnswers) => {
    taken = bulkAnswers.taken
  })
).pipe(Layer.provide(BulkResponses.layer))

interface Wanted {
  readonly path?: string
  readonly method?: string
  readonly headers?: string
  /** How many requests are sent at once on the connection. */
  readonly count?: number
}

/** A connection that has sent its requests, and reads nothing of the responses. */
const unread = ({ count = 1, headers = "", method = "GET", path = bulk }: Wanted) =>
  Effect.acquireRelease(
    Effect.flatMap(RunningService, ({ origin }) =>
      Effect.callback<Socket>((resume) => {
        const { hostname, port } = new URL(origin)
        const socket = connect({ host: hostname, port: Number(port), onread: { buffer: Buffer.alloc(1), callback } })
        socket.on("error", () => {})
        socket.write(`${method} ${path} HTTP/1.1\r\nhost: x\r\napi-key: ${key}\r\n${headers}\r\n`.repeat(count))
        socket.once("connect", () => resume(Effect.succeed(socket)))
      })
    ),
    (socket) => Effect.sync(() => socket.destroy())
  )
const callback = () => false

const slotsWhen = (holds: (count: number) => boolean, withinMs: number) =>
  taken.pipe(
    Effect.repeat({ until: holds, schedule: Schedule.spaced("10 millis") }),
    Effect.timeoutOrElse({ duration: withinMs, orElse: () => taken })
  )

/** Far less than the time limits of the service for calls to an exchange. */
const atOnceMs = 1500

/** Without a number of slots, the operating system may accept the whole response. */
type Case = readonly [name: string, wanted: Wanted, slots?: number]

const connections: ReadonlyArray<Case> = [
  ["one response", {}, 1],
  ["an encoded response", { headers: "accept-encoding: br\r\n" }],
  ["sixteen pipelined requests", { count: 16 }, 16],
  ["sixteen pipelined requests for encoded responses", { count: 16, headers: "accept-encoding: gzip\r\n" }],
  ["sixteen pipelined HEAD requests", { count: 16, method: "HEAD" }],
  ["sixteen pipelined requests for what the client has", { count: 16, headers: "if-none-match: *\r\n" }]
]

const waiting: ReadonlyArray<Case> = [
  ["a request that waits for its exchange", { path: silent }, 1],
  ["sixteen pipelined requests that wait for their exchange", { path: silent, count: 16 }, 16]
]

const rateMs = 1000

describe.each([
  ["the full pipeline", false],
  ["the cache", true]
])("slots for large responses from %s", (_way, isStill) => {
  layer(recordedServiceAt({ isStill, probe, minimumReadRate: { bytes: 96 * 1024, withinMs: rateMs } }), {
    timeout: "60 seconds",
    excludeTestServices: true
  })((it) => {
    const opened = (wanted: Wanted, slots: number | undefined) =>
      Effect.gen(function* () {
        yield* keyed(bulk)
        assert.strictEqual(yield* slotsWhen((count) => count === 0, atOnceMs), 0)
        const socket = yield* unread(wanted)
        if (slots !== undefined) assert.strictEqual(yield* slotsWhen((count) => count === slots, atOnceMs), slots)
        return socket
      })

    const isFreeAfter = (end: (socket: Socket) => void, withinMs: number) =>
      Effect.fnUntraced(function* ([, wanted, slots]: Case) {
        end(yield* opened(wanted, slots))
        assert.strictEqual(yield* slotsWhen((count) => count === 0, withinMs), 0)
      }, Effect.scoped)

    it.effect.each([...connections, ...waiting])(
      "are free at once when the client resets its connection: %s",
      isFreeAfter((socket) => void socket.resetAndDestroy(), atOnceMs)
    )

    it.effect.each([...connections, ...waiting])(
      "are free at once when the client closes its connection: %s",
      isFreeAfter((socket) => void socket.destroy(), atOnceMs)
    )

    it.effect.each(connections)(
      "are free within the time of the minimum rate when the client reads nothing: %s",
      isFreeAfter(() => {}, 4 * rateMs)
    )

    it.effect.each([...connections, ...waiting])(
      "are free within the time of the minimum rate when the client ends its side: %s",
      isFreeAfter((socket) => void socket.end(), 4 * rateMs)
    )
  })
})

describe("the standard minimum rate", () => {
  it("frees a slot within ten seconds, the time between two checks included", () => {
    assert.isAtMost(standardReadRate.withinMs * 1.1, 10_000)
  })
})

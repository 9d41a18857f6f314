import { connect } from "node:net"
import { gunzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Exit, Fiber, Layer, Schedule, Scope } from "effect"
import { recordedServiceAt } from "../../cex/RecordedService.ts"
import { keyed, RunningService } from "../../RunningService.ts"
import { until } from "../../StartedProgram.ts"
import { slowSocket } from "./SlowSocket.ts"

const bulk = "/v2/cex/recorded/BTC-USD/trades?limit=50000"

/** A service, and its stop. */
const stoppable = Effect.fnUntraced(function* (isStill: boolean) {
  const scope = yield* Scope.make()
  const built = yield* Layer.buildWithScope(recordedServiceAt({ isStill }), scope)
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const stop = Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    yield* Scope.close(scope, Exit.void)
    return (yield* Clock.currentTimeMillis) - begun
  })
  return { ...Context.get(built, RunningService), built, stop }
})

/** Waits until the service accepts no connection any more: its stop has begun. */
const listensNoMore = (origin: string) => {
  const { hostname, port } = new URL(origin)
  return Effect.callback<boolean>((resume) => {
    const socket = connect(Number(port), hostname)
    socket.on("connect", () => {
      socket.destroy()
      resume(Effect.succeed(false))
    })
    socket.on("error", () => resume(Effect.succeed(true)))
  }).pipe(
    Effect.repeat({ until: (isRefused) => isRefused, schedule: Schedule.spaced("10 millis") }),
    Effect.timeout("30 seconds")
  )
}

const bodyIn = (text: string) => text.slice(text.indexOf("\r\n\r\n") + 4)
const lengthIn = (text: string) => Number(/content-length: (\d+)/i.exec(text)?.[1])

/** The body of a response in chunks; undefined if its last chunk is missing. */
const dechunked = (body: string): Buffer | undefined => {
  const parts: Array<Buffer> = []
  for (let at = 0; ;) {
    const end = body.indexOf("\r\n", at)
    const length = end < 0 ? Number.NaN : Number.parseInt(body.slice(at, end), 16)
    if (Number.isNaN(length)) return undefined
    if (length === 0) return Buffer.concat(parts)
    parts.push(Buffer.from(body.slice(end + 2, end + 2 + length), "latin1"))
    at = end + 4 + length
  }
}

describe.each([
  ["from the tape", false],
  ["from the cache", true]
])("a stop while 50,000 trades are sent %s", (_from, isStill) => {
  it.live(
    "lets slow readers receive all of it, encoded or not",
    () =>
      Effect.gen(function* () {
        const { built, origin, stop } = yield* stoppable(isStill)
        const whole = yield* Effect.provideContext(keyed(bulk), built)
        const [plain, coded] = [yield* slowSocket(origin), yield* slowSocket(origin)]
        plain.send(bulk)
        coded.send(bulk, { "accept-encoding": "gzip" })
        plain.read(1024)
        coded.read(1024)
        yield* until("both responses", () => plain.text().length > 1000 && coded.text().length > 1000)
        const stopping = yield* Effect.forkChild(stop)
        yield* listensNoMore(origin)
        plain.read(24 * 1024)
        coded.read(8 * 1024)
        const took = yield* Fiber.join(stopping)
        yield* plain.ended
        yield* coded.ended
        assert.strictEqual(bodyIn(plain.text()).length, whole.body.length)
        const unzipped = gunzipSync(dechunked(bodyIn(coded.text())) ?? Buffer.alloc(0))
        assert.strictEqual(unzipped.length, whole.body.length)
        assert.isBelow(took, 40_000)
      }).pipe(Effect.scoped),
    60_000
  )

  it.live(
    "disconnects those who do not read within its time, and their response is not complete",
    () =>
      Effect.gen(function* () {
        const { built, origin, stop } = yield* stoppable(isStill)
        yield* Effect.provideContext(keyed(bulk), built)
        const reader = yield* slowSocket(origin)
        reader.send(bulk)
        reader.read(1)
        yield* until("the beginning", () => reader.text().length > 0)
        const took = yield* stop
        reader.read(1_000_000)
        const end = yield* reader.ended
        assert.isBelow(bodyIn(reader.text()).length, lengthIn(reader.text()), end)
        assert.isBelow(took, 40_000)
      }).pipe(Effect.scoped),
    60_000
  )
})

import { createServer } from "node:net"
import type { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Latch, Layer, Logger, Option, Predicate, Redacted, Schedule } from "effect"
import { RedisLink, toRedisScript } from "../../src/store/RedisLink.ts"

const redis = process.env["REDIS_URL"] ?? ""

const linkTo = (url: string) =>
  Effect.map(Layer.build(Layer.fresh(RedisLink.layer(Redacted.make(url)))), (built) => Context.get(built, RedisLink))

/** A busy machine may miss the times of the first attempts. */
const untilAnswering = (link: RedisLink["Service"]) =>
  Effect.repeat(Effect.sync(link.isAvailable), { until: (is) => is, schedule: Schedule.spaced("20 millis") })

/** A server that answers every piece of data in its own way. */
const serverOf = (reply: (socket: Socket, data: string) => void) =>
  Effect.gen(function* () {
    const sockets = new Set<Socket>()
    const counts = { connections: 0 }
    const server = createServer((socket) => {
      counts.connections++
      sockets.add(socket)
      socket.on("error", () => {}).on("data", (data) => reply(socket, data.toString("latin1")))
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          for (const socket of sockets) socket.destroy()
        })
    )
    const address = server.address()
    return { url: `redis://127.0.0.1:${Predicate.isObject(address) ? address.port : 0}`, counts }
  })

const logging = () => {
  const lines: Array<string> = []
  return { lines, layer: Logger.layer([Logger.map(Logger.formatJson, (line) => lines.push(line))]) }
}

/** Keeps this process from everything else, as modules that load at a start do. */
const beBusy = (ms: number) =>
  Effect.sync(() => {
    const end = performance.now() + ms
    while (performance.now() < end);
  })

describe("a link to Redis", { timeout: 60_000 }, () => {
  it.live.skipIf(redis === "")("does not take the pauses of a busy process for silence (REDIS_URL)", () => {
    const { layer, lines } = logging()
    return Effect.gen(function* () {
      const building = yield* Effect.forkScoped(linkTo(redis))
      yield* Effect.repeat(Effect.andThen(beBusy(400), Effect.sleep("1 millis")), { times: 4 })
      const link = yield* Fiber.join(building)
      assert.isTrue(link.isAvailable())
      for (let times = 0; times < 3; times++) {
        const sent = yield* Effect.forkScoped(link.send(["PING"], Option.some))
        yield* Effect.yieldNow
        yield* beBusy(500)
        assert.isTrue(Option.isSome(yield* Fiber.join(sent)))
      }
      assert.deepStrictEqual(
        lines.filter((line) => line.includes("does not answer")),
        []
      )
    }).pipe(Effect.scoped, Effect.provide(layer))
  })

  it.live.skipIf(redis === "")("continues to answer after a refused command, and warns once (REDIS_URL)", () => {
    const { layer, lines } = logging()
    return Effect.gen(function* () {
      const link = yield* linkTo(redis)
      yield* untilAnswering(link)
      const start = lines.length
      for (let times = 0; times < 3; times++) assert.isTrue(Option.isNone(yield* link.send(["NOSUCH"], Option.some)))
      assert.isTrue(Option.isNone(yield* link.send(["PING"], () => Option.none())))
      assert.deepStrictEqual(yield* link.send(["PING"], Option.some), Option.some("PONG"))
      assert.isTrue(link.isAvailable())
      assert.strictEqual(lines.filter((line) => line.includes("NOSUCH")).length, 1, lines.join("\n"))
      assert.strictEqual(
        lines.slice(start).filter((line) => line.includes("does not answer")).length,
        0,
        lines.join("\n")
      )
    }).pipe(Effect.scoped, Effect.provide(layer))
  })

  it.live("is closed without a crash while the server replies garbage, and tries again", () =>
    Effect.gen(function* () {
      const { counts, url } = yield* serverOf((socket) => socket.write("\u0000{]garbage\r\n"))
      const link = yield* linkTo(url)
      yield* Effect.repeat(
        Effect.sync(() => counts.connections),
        { until: (count) => count >= 3, schedule: Schedule.spaced("20 millis") }
      )
      assert.isFalse(link.isAvailable())
      assert.isTrue(Option.isNone(yield* link.send(["PING"], Option.some)))
    }).pipe(Effect.scoped)
  )

  it.live("is not opened by a server that accepts connections and never replies", () =>
    Effect.gen(function* () {
      const { counts, url } = yield* serverOf(() => {})
      const link = yield* linkTo(url)
      yield* Effect.repeat(
        Effect.sync(() => counts.connections),
        { until: (count) => count >= 2, schedule: Schedule.spaced("50 millis") }
      )
      assert.isFalse(link.isAvailable())
    }).pipe(Effect.scoped)
  )

  it.live.each([
    ["late", "*0\r\n", 600],
    ["in half", "*4\r\n$5\r\nhel", 0],
    ["with garbage", "\u0000{]garbage\r\n", 0],
    ["with an error", "-LOADING Redis is loading the dataset in memory\r\n", 0]
  ] as const)("is not opened by a server that answers scripts %s, however often it is tried", ([, answer, afterMs]) => {
    const { layer, lines } = logging()
    return Effect.gen(function* () {
      const { counts, url } = yield* serverOf((socket, data) => {
        const commands = data.match(/\*\d+\r\n/g)?.length ?? 0
        const sent = data.includes("EVAL") ? answer : "+OK\r\n".repeat(commands)
        setTimeout(() => socket.write(sent), data.includes("EVAL") ? afterMs : 0)
      })
      const link = yield* linkTo(url)
      const waits: Array<boolean> = []
      yield* Effect.repeat(
        Effect.tap(link.run(toRedisScript("return 2"), { keys: [], values: [] }, Option.some), (reply) =>
          Effect.sync(() => waits.push(link.isAvailable() || Option.isSome(reply)))
        ),
        { until: () => counts.connections >= 5, schedule: Schedule.spaced("10 millis") }
      )
      assert.isFalse(waits.includes(true))
      assert.strictEqual(lines.length, 1, lines.join("\n"))
      assert.include(lines[0], "Redis does not answer")
      assert.strictEqual(lines[0]?.includes("LOADING"), answer.includes("LOADING"))
    }).pipe(Effect.scoped, Effect.provide(layer))
  })

  it.live.each([
    ["READONLY You can't write against a read only replica.", false],
    ["OOM command not allowed when used memory > 'maxmemory'.", false],
    ["WRONGTYPE Operation against a key holding the wrong kind of value", true]
  ] as const)("is closed by the refusal of a server that can serve nothing: %s", ([refusal, isOpen]) =>
    Effect.gen(function* () {
      const { counts, url } = yield* serverOf((socket, data) => {
        const commands = data.match(/\*\d+\r\n/g)?.length ?? 0
        const isTrial = data.includes("EVAL\r\n")
        socket.write(data.includes("EVALSHA") ? `-${refusal}\r\n` : isTrial ? ":1\r\n" : "+OK\r\n".repeat(commands))
      })
      const link = yield* linkTo(url)
      yield* untilAnswering(link)
      const reply = yield* link.run(toRedisScript("return 2"), { keys: [], values: [] }, Option.some)
      assert.isTrue(Option.isNone(reply))
      if (isOpen) return assert.isTrue(link.isAvailable())
      yield* Effect.repeat(
        Effect.sync(() => counts.connections),
        { until: (count) => count >= 2, schedule: Schedule.spaced("10 millis") }
      )
    }).pipe(Effect.scoped)
  )

  it.live("subscribes again if a subscription has no reply, and warns once", () => {
    const { layer, lines } = logging()
    return Effect.gen(function* () {
      let subscriptions = 0
      const { url } = yield* serverOf((socket, data) => {
        if (data.includes("subscribe")) return void subscriptions++
        const commands = data.match(/\*\d+\r\n/g)?.length ?? 0
        socket.write(data.includes("EVAL") ? ":1\r\n" : "+OK\r\n".repeat(commands))
      })
      const link = yield* linkTo(url)
      yield* link.listen("channel", () => Effect.void)
      yield* Effect.repeat(
        Effect.sync(() => subscriptions),
        { until: (count) => count >= 3, schedule: Schedule.spaced("20 millis") }
      ).pipe(Effect.timeout("20 seconds"))
      assert.lengthOf(
        lines.filter((line) => line.includes('does not serve the channel \\"channel\\"')),
        1
      )
    }).pipe(Effect.scoped, Effect.provide(layer))
  })

  it.live.skipIf(redis === "")("drops what a slow listener cannot take, warns, and goes on (REDIS_URL)", () => {
    const { layer, lines } = logging()
    return Effect.gen(function* () {
      const link = yield* linkTo(redis)
      yield* untilAnswering(link)
      const channel = `flood-${process.pid}`
      const publish = (count: number) =>
        link.run(
          toRedisScript('local n = 0 for i = 1, ARGV[1] do n = redis.call("PUBLISH", KEYS[1], i) end return n'),
          { keys: [`${link.prefix}${channel}`], values: [String(count)] },
          Option.some
        )
      const isHeard = Effect.map(publish(1), Option.contains<unknown>(1))
      const gate = yield* Latch.make(false)
      const taken: Array<string> = []
      yield* link.listen(channel, (message) =>
        Effect.andThen(
          Effect.sync(() => void taken.push(message)),
          gate.await
        )
      )
      yield* Effect.repeat(isHeard, { until: (is) => is, schedule: Schedule.spaced("20 millis") })
      // Redis sends each message to the first listener first.
      let passed = 0
      yield* link.listen(channel, () => Effect.sync(() => void passed++))
      yield* Effect.repeat(publish(1), { until: Option.contains<unknown>(2), schedule: Schedule.spaced("20 millis") })
      yield* publish(12_000)
      yield* Effect.repeat(
        Effect.sync(() => passed),
        { until: (count) => count >= 10_000, schedule: Schedule.spaced("20 millis") }
      )
      yield* gate.open
      yield* Effect.repeat(publish(1), { until: () => taken.length > 10_001, schedule: Schedule.spaced("20 millis") })
      assert.isBelow(taken.length, 11_000)
      assert.lengthOf(
        lines.filter((line) => line.includes(`Messages of the channel \\"${channel}\\" are lost`)),
        1
      )
    }).pipe(Effect.scoped, Effect.provide(layer))
  })

  it.live("says that an address cannot be used without printing it", () => {
    const { layer, lines } = logging()
    return Effect.gen(function* () {
      yield* linkTo("http://user:secret@127.0.0.1:1")
      const text = lines.join("\n")
      assert.include(text, "The address in REDIS_URL cannot be used")
      assert.notInclude(text, "secret")
    }).pipe(Effect.scoped, Effect.provide(layer))
  })
})

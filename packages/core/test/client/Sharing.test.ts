import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import * as Blocks from "../../src/api/BlocksOperations.ts"
import * as Operations from "../../src/api/CexOperations.ts"
import { type Behaviour, json, problem, type SeenRequest, stubService } from "./StubService.ts"

const block = (id: string) => [{ id, name: id }]
const idOf = (request: SeenRequest) => request.url.pathname.split("/")[3] ?? ""

/** Responds after 100 ms, and counts for each path the requests in flight, their maximum, and the cancelled ones. */
const slowService = () =>
  Effect.gen(function* () {
    const underWay = new Map<string, number>()
    let max = 0
    let givenUp = 0
    const behaviour: Behaviour = (_, request) => {
      const path = request.url.pathname
      underWay.set(path, (underWay.get(path) ?? 0) + 1)
      max = Math.max(max, ...underWay.values())
      return Effect.delay(json([]), "100 millis").pipe(
        Effect.onInterrupt(() => Effect.sync(() => void givenUp++)),
        Effect.ensuring(Effect.sync(() => underWay.set(path, (underWay.get(path) ?? 0) - 1)))
      )
    }
    const { client, requests } = yield* stubService(behaviour, { retry: { rateLimit: false } })
    const read = (blockchain: string) => client.call(Blocks.blocks, { blockchain })
    return { client, read, requests, seen: () => ({ max, givenUp }) }
  })

const below = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

/** A caller that starts at one time and leaves at another. Both in tens of milliseconds, so that many overlap. */
const Caller = Schema.Struct({ id: Schema.Literals(["a", "b"]), at: below(40), patience: below(30) })

describe("equal reads at the same time", () => {
  it.effect.prop(
    "share one request while any of their callers waits",
    [Schema.Array(Caller).check(Schema.isMaxLength(12))],
    ([callers]) =>
      Effect.gen(function* () {
        const { read, requests, seen } = yield* slowService()
        const lives = callers.map(({ at, id, patience }) =>
          read(id).pipe(
            Effect.timeoutOption(Duration.millis(patience * 10 + 5)),
            Effect.map((answer) => ({ at: at * 10, patience: patience * 10 + 5, answer })),
            Effect.delay(Duration.millis(at * 10))
          )
        )
        const fiber = yield* Effect.forkChild(Effect.all(lives, { concurrency: "unbounded" }))
        yield* TestClock.adjust("10 seconds")
        const ended = yield* Fiber.join(fiber)
        assert.isAtMost(seen().max, 1)
        // A caller that stays as long as a response takes receives one, earlier if the request had started before.
        for (const { answer, patience } of ended) if (patience > 100) assert.strictEqual(answer._tag, "Some")
        assert.isAtMost(requests.length, callers.length)
        // A request is cancelled only when it has no caller left, so each has a response or a caller that left.
        const answered = requests.length - seen().givenUp
        assert.strictEqual(
          answered > 0,
          ended.some(({ answer }) => answer._tag === "Some")
        )
      })
  )

  it.effect("have one answer, and the next read sends a request", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService((count) => Effect.delay(json(block(`b${count}`)), "1 second"))
      const fifty = Effect.all(
        Array.from({ length: 50 }, () => client.call(Blocks.blockchains, {})),
        { concurrency: "unbounded" }
      )
      const first = yield* Effect.forkChild(fifty)
      yield* TestClock.adjust("1 second")
      const answers = yield* Fiber.join(first)
      assert.deepStrictEqual(new Set(answers.map(({ value }) => value[0]?.id)), new Set(["b1"]))
      const next = yield* Effect.forkChild(client.call(Blocks.blockchains, {}))
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(next)).value[0]?.id, "b2")
      assert.lengthOf(requests, 2)
    })
  )

  it.effect("have one failure, with the attempts that were made for all", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(() => problem(503, "overloaded", { retryAfterMs: 10 }))
      const call = Effect.flip(client.call(Blocks.blockchains, {}))
      const fiber = yield* Effect.forkChild(Effect.all([call, call, call], { concurrency: "unbounded" }))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(
        (yield* Fiber.join(fiber)).map(({ _tag }) => _tag),
        ["Overloaded", "Overloaded", "Overloaded"]
      )
      assert.lengthOf(requests, 4)
    })
  )

  it.effect("continue when the first caller leaves, and end with the last", () =>
    Effect.gen(function* () {
      const { read, requests, seen } = yield* slowService()
      const [first, second, third] = yield* Effect.all([
        Effect.forkChild(read("a")),
        Effect.forkChild(read("a")),
        Effect.forkChild(read("b"))
      ])
      yield* TestClock.adjust("50 millis")
      yield* Fiber.interrupt(first)
      yield* Fiber.interrupt(third)
      assert.deepStrictEqual(seen(), { max: 1, givenUp: 1 })
      yield* TestClock.adjust("50 millis")
      assert.isTrue(Exit.isSuccess(yield* Fiber.await(second)))
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(first)))
      assert.deepStrictEqual(requests.map(idOf), ["a", "b"])
    })
  )

  it.effect("send a new request after the last caller has left", () =>
    Effect.gen(function* () {
      const { read, requests } = yield* slowService()
      const first = yield* Effect.forkChild(read("a"))
      yield* TestClock.adjust("50 millis")
      yield* Fiber.interrupt(first)
      const second = yield* Effect.forkChild(read("a"))
      yield* TestClock.adjust("99 millis")
      assert.isUndefined(second.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(second)
      assert.lengthOf(requests, 2)
    })
  )

  it.effect("send a new request while the abandoned one still ends", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(
        (count) =>
          Effect.delay(json(block(`b${count}`)), "100 millis").pipe(Effect.onInterrupt(() => Effect.sleep("1 minute"))),
        { retry: { rateLimit: false } }
      )
      const first = yield* Effect.forkChild(client.call(Blocks.blockchains, {}))
      yield* TestClock.adjust("50 millis")
      const leaving = yield* Effect.forkChild(Fiber.interrupt(first))
      yield* TestClock.adjust("1 millis")
      const second = yield* Effect.forkChild(client.call(Blocks.blockchains, {}))
      yield* TestClock.adjust("100 millis")
      assert.strictEqual((yield* Fiber.join(second)).value[0]?.id, "b2")
      assert.lengthOf(requests, 2)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(leaving)
    })
  )

  it.effect("do not share with others: another value, another operation, options of their own", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(() => Effect.delay(json([]), "1 second"))
      const deadline = { deadline: Duration.seconds(9) }
      const ended = <A, E>(call: Effect.Effect<A, E>) => Effect.asVoid(Effect.exit(call))
      const calls = [
        ended(client.call(Operations.exchanges, {})),
        ended(client.call(Operations.exchange, { exchange: "exchanges" })),
        ended(client.call(Blocks.blocks, { blockchain: "a" })),
        ended(client.call(Blocks.blocks, { blockchain: "a", limit: 1 })),
        ended(client.call(Blocks.blocks, { blockchain: "a", limit: 2 })),
        ended(client.call(Blocks.blocks, { blockchain: "a", skip: 2 })),
        ended(client.call(Blocks.blocks, { blockchain: "a" }, deadline)),
        ended(client.call(Blocks.blocks, { blockchain: "a" }, deadline))
      ]
      const fiber = yield* Effect.forkChild(Effect.all(calls, { concurrency: "unbounded" }))
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      assert.lengthOf(requests, calls.length)
    })
  )

  it.effect("are equal whatever the order of their members", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(() => Effect.delay(json([]), "1 second"))
      const calls = [
        client.call(Blocks.blocks, { blockchain: "a", limit: 1, skip: 2 }),
        client.call(Blocks.blocks, { skip: 2, limit: 1, blockchain: "a", orderBy: undefined })
      ]
      const fiber = yield* Effect.forkChild(Effect.all(calls, { concurrency: "unbounded" }))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(fiber)
      assert.lengthOf(requests, 1)
      assert.strictEqual(yield* Clock.currentTimeMillis, 1000)
    })
  )
})

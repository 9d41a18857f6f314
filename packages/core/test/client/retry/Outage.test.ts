import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import * as Operations from "../../../src/api/BlocksOperations.ts"
import * as RetryPolicy from "../../../src/options/RetryPolicy.ts"
import { type Behaviour, json, problem, stubService, text, unreachable } from "../StubService.ts"

const good = json([])
const policy = RetryPolicy.standard

interface Ended {
  readonly tag: string
  readonly begin: number
  readonly end: number
}

/** A call: when it began and ended, and its result. */
const timed = <A, E extends { readonly _tag: string }>(call: Effect.Effect<A, E>): Effect.Effect<Ended> =>
  Effect.gen(function* () {
    const begin = yield* Clock.currentTimeMillis
    const tag = yield* Effect.match(call, { onFailure: ({ _tag }) => _tag, onSuccess: () => "good" })
    return { tag, begin, end: yield* Clock.currentTimeMillis }
  })

const outages: ReadonlyArray<readonly [string, ReturnType<Behaviour>]> = [
  ["connections are refused", unreachable],
  ["nothing is answered", Effect.never],
  ["a proxy answers 502", text("", 502)]
]

describe("an outage of 30 seconds under 20 concurrent callers", () => {
  const callers = 20
  const from = 10_000
  const to = 40_000

  /** Each caller calls, pauses for two seconds and calls again, for 80 seconds. */
  const lived = (outage: ReturnType<Behaviour>) =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService((_, { at }) => (at >= from && at < to ? outage : good))
      const caller = Effect.fnUntraced(function* (blockchain: string) {
        const calls: Array<Ended> = []
        while ((yield* Clock.currentTimeMillis) < 80_000) {
          calls.push(yield* timed(client.call(Operations.blocks, { blockchain })))
          yield* Effect.sleep("2 seconds")
        }
        return calls
      })
      const fiber = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: callers }, (_, index) => caller(String(index))),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("3 minutes")
      return { calls: (yield* Fiber.join(fiber)).flat(), requests }
    })

  it.effect.each(outages)(
    "with %s receives few requests, fails every call in time, and is recovered from",
    ([, outage]) =>
      Effect.gen(function* () {
        const { calls, requests } = yield* lived(outage)
        const during = requests.filter(({ at }) => at >= from && at < to)
        const began = calls.filter(({ begin, end }) => end >= from && begin < to).length
        // One attempt of each call, and the retries of the budget.
        assert.isAtMost(during.length, began + policy.retryBudget)
        for (const { begin, end, tag } of calls) {
          assert.isAtMost(end - begin, Duration.toMillis(policy.deadline))
          if (tag === "good") continue
          assert.include(["TransportError", "RequestTimeout", "UnexpectedResponse"], tag)
          assert.isAtLeast(end, from)
          assert.isBelow(begin, to)
        }
        const afterwards = calls.filter(({ begin }) => begin >= to)
        assert.isAtLeast(afterwards.length, callers * 15)
        assert.deepStrictEqual([...new Set(afterwards.map(({ tag }) => tag))], ["good"])
      })
  )
})

const answers: { readonly [name: string]: ReturnType<Behaviour> } = {
  good,
  unreachable,
  hanging: Effect.never,
  slow: Effect.delay(json([]), "3 seconds"),
  cutOff: text('[{"na'),
  gateway: text("", 502),
  internal: problem(500, "internal"),
  busy: problem(503, "overloaded", { retryAfterMs: 700 }),
  later: problem(503, "not-ready", { retryAfterMs: 60_000 }),
  wrong: problem(400, "invalid-parameter", { issues: [] })
}
const below = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const script = Schema.Array(Schema.Literals(Object.keys(answers))).check(Schema.isMinLength(1), Schema.isMaxLength(60))
const pauses = Schema.Array(below(4000)).check(Schema.isMinLength(1), Schema.isMaxLength(40))
const settings = Schema.Struct({
  attempts: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 6 })),
  retryBudget: below(12),
  deadline: Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 20_000 }))
})

describe("any behaviour of the service", () => {
  it.effect.prop(
    "the requests are no more than the calls, the budget and what successes gave back, and no call ends late",
    [script, pauses, settings],
    ([names, begins, { attempts, retryBudget, deadline }]) =>
      Effect.gen(function* () {
        const { client, requests } = yield* stubService(
          (count) => answers[names[count % names.length] ?? "good"] ?? Effect.die("no such answer"),
          {
            retry: {
              attempts,
              retryBudget,
              retryRefund: 0.5,
              attemptTimeout: Duration.seconds(4),
              deadline: Duration.millis(deadline)
            }
          }
        )
        const fiber = yield* Effect.forkChild(
          Effect.all(
            begins.map((pause, index) =>
              Effect.delay(timed(client.call(Operations.blocks, { blockchain: String(index) })), Duration.millis(pause))
            ),
            { concurrency: "unbounded" }
          )
        )
        yield* TestClock.adjust("2 minutes")
        const calls = yield* Fiber.join(fiber)
        for (const { begin, end } of calls) assert.isAtMost(end - begin, deadline)
        const refunds = calls.filter(({ tag }) => tag === "good").length * 0.5
        assert.isAtMost(requests.length, calls.length + retryBudget + refunds)
        assert.isAtMost(requests.length, calls.length * attempts)
      }),
    { arbitrary: { runs: 150 } }
  )
})

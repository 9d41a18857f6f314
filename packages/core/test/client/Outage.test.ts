import * as Operations from "@chaintape/core/api/BlocksOperations"
import * as System from "@chaintape/core/api/SystemOperations"
import * as RetryPolicy from "@chaintape/core/client/RetryPolicy"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import { type Behaviour, json, problem, stubService, text, unreachable } from "./StubService.ts"

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

describe("an outage of 30 seconds under 50 concurrent callers", () => {
  const callers = 50
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
    "where %s meets few requests, gives every caller its error in time, and is over",
    ([, outage]) =>
      Effect.gen(function* () {
        const { calls, requests } = yield* lived(outage)
        const during = requests.filter(({ at }) => at >= from && at < to)
        // One attempt of each caller, the retries of the budget, and one for each cool-down.
        const coolDowns = (to - from) / Duration.toMillis(policy.coolDown)
        assert.isAtMost(during.length, callers + policy.budget + coolDowns)
        for (const { begin, end, tag } of calls) {
          assert.isAtMost(end - begin, Duration.toMillis(policy.deadline))
          if (tag === "good") continue
          assert.include(["TransportError", "TimeoutError", "UnexpectedAnswer", "CircuitOpen"], tag)
          assert.isAtLeast(end, from)
          assert.isAtMost(begin, to + Duration.toMillis(policy.coolDown))
        }
        assert.isAbove(calls.filter(({ tag }) => tag === "CircuitOpen").length, callers)
        const afterwards = calls.filter(({ begin }) => begin > to + Duration.toMillis(policy.coolDown))
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
  budget: below(12),
  failuresToOpen: Schema.Literals([2, 10, Number.MAX_SAFE_INTEGER]),
  deadline: Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 20_000 }))
})

describe("whatever the service does", () => {
  it.effect.prop(
    "the requests are no more than the calls, the budget and what successes gave back, and no call ends late",
    [script, pauses, settings],
    ([names, begins, { attempts, budget, deadline, failuresToOpen }]) =>
      Effect.gen(function* () {
        const { client, requests } = yield* stubService(
          (count) => answers[names[count % names.length] ?? "good"] ?? Effect.die("no such answer"),
          {
            retry: {
              attempts,
              budget,
              failuresToOpen,
              budgetRefund: 0.5,
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
        const sent = calls.filter(({ tag }) => tag !== "CircuitOpen").length
        assert.isAtMost(requests.length, sent + budget + refunds)
        assert.isAtMost(requests.length, calls.length * attempts)
      }),
    { arbitrary: { runs: 150 } }
  )

  it.effect.prop(
    "an open circuit lets through one request in each cool-down until something answers",
    [pauses],
    ([begins]) =>
      Effect.gen(function* () {
        const { client, requests } = yield* stubService(() => unreachable, {
          retry: { attempts: 1, failuresToOpen: 1 }
        })
        for (const pause of begins) {
          yield* TestClock.adjust(Duration.millis(pause))
          yield* Effect.result(client.call(System.ping, {}))
        }
        const times = requests.map(({ at }) => at)
        for (const [index, at] of times.entries()) {
          assert.isTrue(index === 0 || at - (times[index - 1] ?? 0) >= Duration.toMillis(policy.coolDown))
        }
      })
  )
})

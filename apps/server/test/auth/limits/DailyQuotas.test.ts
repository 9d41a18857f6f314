import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlError } from "effect/sql"
import { makeDailyQuotas } from "../../../src/auth/limits/DailyQuotas.ts"
import { dayCharge } from "../../../src/auth/limits/MemoryLimits.ts"
import { Usage } from "../../../src/auth/usage/Usage.ts"
import { makeLogLines } from "../../internal/log/logLines.ts"
import { usageInMemory } from "../../RunningService.ts"

const now = Date.UTC(2026, 10, 27, 12)
const failed = new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause: new Error("It is slow.") }) })

/** Usage whose store fails until `answer` is called. */
const makeUsage = Effect.map(Usage, (usage) => {
  let answers = false
  let reads = 0
  return {
    usage: Usage.of({
      ...usage,
      since: (_, date) =>
        Effect.suspend(() => {
          reads++
          return answers
            ? Effect.succeed([{ key: "one", day: date, cost: 100, requests: 100, refused: 0 }])
            : Effect.fail(failed)
        })
    }),
    reads: () => reads,
    answer: () => void (answers = true)
  }
})

const usageLayer = Usage.layer.pipe(Layer.provide(usageInMemory))

describe("the quota of a key whose stored usage cannot be read", () => {
  it.effect("includes the stored usage once the store answers, and the usage in the meantime", () =>
    Effect.gen(function* () {
      const { answer, reads, usage } = yield* makeUsage
      const quotas = yield* makeDailyQuotas(usage, 10)
      const charge = (units: number) => quotas.charge(dayCharge("one", 103, units), now)
      yield* quotas.open("one", now)
      assert.isTrue(quotas.isOpen("one", now))
      assert.strictEqual(charge(2).remaining, 101)
      answer()
      yield* quotas.open("one", now + 4999)
      assert.strictEqual(reads(), 1)
      assert.isFalse(quotas.isOpen("one", now + 5000))
      yield* Effect.all(
        Array.from({ length: 20 }, () => quotas.open("one", now + 5000)),
        { concurrency: "unbounded" }
      )
      yield* Effect.repeat(Effect.yieldNow, { times: 50 })
      assert.strictEqual(reads(), 2)
      assert.strictEqual(quotas.getUsed("one", now), 100)
      assert.isTrue(quotas.isOpen("one", now + 60_000))
      assert.isTrue(charge(4).isRefused)
    }).pipe(Effect.provide(usageLayer))
  )

  it.effect("includes the stored usage also if the clock is set back by an hour", () =>
    Effect.gen(function* () {
      const { answer, usage } = yield* makeUsage
      const quotas = yield* makeDailyQuotas(usage, 10)
      yield* quotas.open("one", now)
      answer()
      const later = now - 3_600_000
      assert.isFalse(quotas.isOpen("one", later))
      yield* quotas.open("one", later)
      yield* Effect.repeat(Effect.yieldNow, { times: 50 })
      assert.strictEqual(quotas.getUsed("one", later), 100)
    }).pipe(Effect.provide(usageLayer))
  )

  it.effect("is logged once in an outage of the store, however many keys are used", () => {
    const { layer, lines } = makeLogLines()
    return Effect.gen(function* () {
      const { answer, usage } = yield* makeUsage
      const quotas = yield* makeDailyQuotas(usage, 10)
      for (const key of ["one", "two", "three"]) yield* quotas.open(key, now)
      answer()
      for (const key of ["four", "five"]) yield* quotas.open(key, now)
      const message = "The use of keys cannot be read"
      assert.deepStrictEqual(lines, [`Warn ${message}`, `Info Resolved: ${message}`])
    }).pipe(Effect.provide([usageLayer, layer]))
  })

  it.effect("is not read any more once the limits end", () =>
    Effect.gen(function* () {
      const { usage } = yield* makeUsage
      let reads = 0
      let state = "idle"
      const silent = Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (state = "interrupted")))
      const since: typeof usage.since = (keys, date) =>
        Effect.suspend(() => {
          if (++reads === 1) return usage.since(keys, date)
          state = "being read"
          return silent
        })
      yield* Effect.gen(function* () {
        const quotas = yield* makeDailyQuotas({ ...usage, since }, 10)
        yield* quotas.open("one", now)
        yield* quotas.open("one", now + 5000)
        yield* Effect.yieldNow
        assert.strictEqual(state, "being read")
      }).pipe(Effect.scoped)
      assert.strictEqual(state, "interrupted")
    }).pipe(Effect.provide(usageLayer))
  )
})

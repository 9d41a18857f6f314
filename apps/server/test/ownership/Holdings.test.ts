import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Logger, Metric, Scheduler } from "effect"
import { TestClock } from "effect/testing"
import { makeHoldings } from "../../src/ownership/Holdings.ts"
import type { Holdings } from "../../src/ownership/Holdings.ts"
import { LeaseLostError } from "../../src/ownership/Lease.ts"
import { pauseAfterLossMs } from "../../src/ownership/Timing.ts"
import { makeStubLeases } from "./StubStore.ts"

describe("work that another instance has taken", () => {
  it.effect("is not retaken until all instances agree on the owner", () =>
    Effect.gen(function* () {
      const { epochOf, sql } = yield* makeStubLeases()
      const { all, hold, lose } = yield* makeHoldings(sql, "test", 0)
      const begin = Effect.succeed({ run: Effect.never, status: Effect.succeed(null) })
      yield* Effect.forkChild(hold({ name: "work", role: "recorder", begin }))
      yield* TestClock.adjust(0)
      for (const { lease } of all()) yield* lose(lease)
      yield* TestClock.adjust(pauseAfterLossMs - 1)
      assert.strictEqual(epochOf("work"), 1)
      yield* TestClock.adjust(1)
      assert.strictEqual(epochOf("work"), 2)
    }).pipe(Effect.scoped)
  )
})

describe("work that ends at once", () => {
  it.effect("is held no longer, and taken again, wherever the fiber that begins it yields", () =>
    Effect.forEach(
      Array.from({ length: 60 }, (_, index) => index + 20),
      Effect.fnUntraced(function* (steps) {
        const { epochOf, sql } = yield* makeStubLeases()
        const { all, hold } = yield* makeHoldings(sql, "test", 0)
        const run = Effect.suspend(() =>
          epochOf("work") === 1 ? new LeaseLostError({ name: "work", epoch: 1 }) : Effect.never
        )
        const begin = Effect.succeed({ run, status: Effect.succeed(null) })
        yield* hold({ name: "work", role: "recorder", begin }).pipe(
          Effect.provideService(Scheduler.MaxOpsBeforeYield, steps),
          Effect.forkChild
        )
        const settled = Effect.repeat(Effect.yieldNow, { times: 50 })
        yield* settled
        assert.lengthOf(all(), 0)
        yield* TestClock.adjust(pauseAfterLossMs)
        yield* settled
        const epochs = all().map(({ lease }) => lease.epoch)
        assert.deepStrictEqual(epochs, [2], `${steps} steps`)
      }, Effect.scoped),
      { discard: true }
    )
  )
})

/** Work that `hold` does, until `use` has ended. Returns what was logged. */
const logged = Effect.fnUntraced(function* (
  use: (holdings: Holdings, holding: Fiber.Fiber<never>) => Effect.Effect<void>,
  run: Effect.Effect<never> = Effect.never
) {
  const said: Array<string> = []
  const logger = Logger.make<unknown, void>(({ logLevel, message }) => void said.push(`${logLevel} ${message}`))
  const { sql } = yield* makeStubLeases()
  yield* Effect.gen(function* () {
    const holdings = yield* makeHoldings(sql, "test", 0)
    const begin = Effect.succeed({ run, status: Effect.succeed(null) })
    const holding = yield* Effect.forkChild(holdings.hold({ name: "work", role: "recorder", begin }))
    yield* TestClock.adjust(0)
    yield* use(holdings, holding)
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
  return said
})

const lose = ({ all, lose: end }: Holdings) => Effect.forEach(all(), ({ lease }) => end(lease), { discard: true })

const begun = (epoch: number) => `Info This instance does "work" from now on, in epoch ${epoch}.`

describe("work that another instance takes", () => {
  const handedOver = 'Info "work" ends on this instance: it was handed over to another one.'
  const takenOver = 'Warn "work" ends on this instance: another one has taken it over.'

  it.effect("is a handover if it is no longer assigned to this instance, whichever of the two is noticed first", () =>
    Effect.gen(function* () {
      const assignedElsewhere = yield* logged((holdings, holding) =>
        Effect.andThen(Fiber.interrupt(holding), lose(holdings))
      )
      assert.deepStrictEqual(assignedElsewhere, [begun(1), handedOver])
      const taken = yield* logged((holdings, holding) =>
        lose(holdings).pipe(
          Effect.andThen(TestClock.adjust(pauseAfterLossMs - 1)),
          Effect.andThen(Fiber.interrupt(holding))
        )
      )
      assert.deepStrictEqual(taken, [begun(1), handedOver])
    })
  )

  it.effect("is counted as lost, whether it was handed over or taken over", () =>
    Effect.gen(function* () {
      const description = "Pieces of work that another instance has taken from this one, also in handovers"
      const lost = Metric.counter("chaintape_leases_lost_total", { description, incremental: true })
      yield* logged((holdings, holding) => Effect.andThen(Fiber.interrupt(holding), lose(holdings)))
      assert.strictEqual((yield* Metric.value(lost)).count, 1)
      yield* logged((holdings) => Effect.andThen(lose(holdings), TestClock.adjust(pauseAfterLossMs)))
      assert.strictEqual((yield* Metric.value(lost)).count, 2)
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("is a warning if it is still assigned to this instance", () =>
    Effect.gen(function* () {
      const said = yield* logged((holdings) => Effect.andThen(lose(holdings), TestClock.adjust(pauseAfterLossMs)))
      assert.deepStrictEqual(said, [begun(1), takenOver, begun(2)])
    })
  )

  it.effect("is reported as taken over, and not as failed, if its transaction cannot be rolled back", () =>
    Effect.gen(function* () {
      const said = yield* logged(
        (holdings) => Effect.andThen(lose(holdings), TestClock.adjust(pauseAfterLossMs)),
        Effect.onInterrupt(Effect.never, () => Effect.die(new Error("Connection closed")))
      )
      assert.deepStrictEqual(said, [begun(1), takenOver, begun(2)])
    })
  )

  it.effect("is not reported at the end of this instance", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* logged(() => Effect.void), [begun(1)])
    })
  )
})

describe("work that cannot begin", () => {
  it.effect("is tried again after a defect", () =>
    Effect.gen(function* () {
      const { sql } = yield* makeStubLeases()
      const { all, hold } = yield* makeHoldings(sql, "test", 0)
      let tries = 0
      const begin = Effect.suspend(() =>
        ++tries === 1
          ? // As of a hash function for whose code there is no memory.
            Effect.die(new Error("unexpected"))
          : Effect.succeed({ run: Effect.never, status: Effect.succeed(null) })
      )
      yield* Effect.forkChild(hold({ name: "work", role: "indexer", begin }))
      yield* TestClock.adjust(pauseAfterLossMs)
      assert.deepStrictEqual(
        all().map(({ lease }) => lease.name),
        ["work"]
      )
    }).pipe(Effect.scoped)
  )
})

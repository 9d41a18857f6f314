import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Schema, Scope } from "effect"
import { makeFreshReads } from "../../../src/cex/trades/RecordedMarkets.ts"

/** A store whose reads end on demand. Each returns the state at its start. */
const store = () => {
  const under: Array<{ readonly key: string; readonly end: (failed: boolean) => void }> = []
  let written = 0
  const read = (key: string) =>
    Effect.suspend(() => {
      const seen = written
      const done = Deferred.makeUnsafe<number, string>()
      const own = {
        key,
        end: (failed: boolean) => Deferred.doneUnsafe(done, failed ? Exit.fail("no") : Exit.succeed(seen))
      }
      under.push(own)
      return Effect.ensuring(
        Deferred.await(done),
        Effect.sync(() => under.splice(under.indexOf(own), 1))
      )
    })
  return { under, read, write: () => (written += 1), written: () => written }
}

const settled = Effect.repeat(Effect.yieldNow, { times: 20 })

describe("reads of the store that callers share", () => {
  it.effect("read once, after the current read, for all callers that arrived during it", () =>
    Effect.gen(function* () {
      const { read, under, write } = store()
      const reads = yield* makeFreshReads<number, string>()
      const ask = Effect.forkChild(reads("a", read("a")))
      const first = yield* ask
      yield* settled
      write()
      const others = [yield* ask, yield* ask, yield* ask]
      yield* settled
      assert.strictEqual(under.length, 1)
      under[0]?.end(false)
      assert.strictEqual(yield* Fiber.join(first), 0)
      yield* settled
      assert.strictEqual(under.length, 1)
      under[0]?.end(false)
      for (const other of others) assert.strictEqual(yield* Fiber.join(other), 1)
      yield* settled
      assert.strictEqual(under.length, 0)
    })
  )

  it.effect("read for waiting callers also if the caller before them is interrupted", () =>
    Effect.gen(function* () {
      const { read, under } = store()
      const reads = yield* makeFreshReads<number, string>()
      const first = yield* Effect.forkChild(reads("a", read("a")))
      yield* settled
      const second = yield* Effect.forkChild(reads("a", read("a")))
      yield* settled
      yield* Fiber.interrupt(first)
      yield* settled
      under[0]?.end(false)
      assert.strictEqual(yield* Fiber.join(second), 0)
    })
  )

  const Step = Schema.Union([
    Schema.Struct({ kind: Schema.Literal("ask"), key: Schema.Literals(["a", "b"]) }),
    Schema.Struct({ kind: Schema.Literal("write") }),
    Schema.Struct({ kind: Schema.Literal("end"), which: Schema.Literals([0, 1]), failed: Schema.Boolean }),
    Schema.Struct({ kind: Schema.Literal("leave"), which: Schema.Literals([0, 1, 2, 3, 4, 5]) })
  ])
  const Steps = Schema.Array(Step)

  it.effect.prop(
    "give each caller a value that was read after its call, with one read of a key at a time",
    [Steps],
    ([steps]) =>
      Effect.gen(function* () {
        const { read, under, write, written } = store()
        const reads = yield* makeFreshReads<number, string>()
        const asked: Array<{ readonly least: number; readonly fiber: Fiber.Fiber<number, string> }> = []
        const gone = new Set<number>()
        const check = () => {
          const keys = under.map(({ key }) => key)
          assert.strictEqual(new Set(keys).size, keys.length)
        }
        for (const step of steps) {
          if (step.kind === "ask") {
            asked.push({ least: written(), fiber: yield* Effect.forkChild(reads(step.key, read(step.key))) })
          } else if (step.kind === "write") write()
          else if (step.kind === "end") under[step.which]?.end(step.failed)
          else if (step.which < asked.length) {
            gone.add(step.which)
            const leaving = asked[step.which]
            if (leaving !== undefined) yield* Fiber.interrupt(leaving.fiber)
          }
          yield* settled
          check()
        }
        while (under.length > 0) {
          under[0]?.end(false)
          yield* settled
          check()
        }
        for (const [at, { fiber, least }] of asked.entries()) {
          const exit = yield* Fiber.await(fiber)
          if (Exit.isSuccess(exit)) assert.isAtLeast(exit.value, least)
          else if (!gone.has(at)) assert.strictEqual(yield* Effect.flip(Fiber.join(fiber)), "no")
        }
      })
  )

  it.effect("end their callers with the scope, also while the read of several of them runs", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const fresh = yield* Scope.provide(makeFreshReads<string, never>(), scope)
      const first = yield* Deferred.make<string>()
      const begun = yield* Deferred.make<void>()
      const shared = Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
      const one = yield* Effect.forkChild(fresh("key", Deferred.await(first)), { startImmediately: true })
      const two = yield* Effect.forkChild(fresh("key", shared), { startImmediately: true })
      yield* Deferred.succeed(first, "one")
      assert.strictEqual(yield* Fiber.join(one), "one")
      yield* Deferred.await(begun)
      yield* Scope.close(scope, Exit.void)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(two)))
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { makeChangeCounter } from "../../src/internal/ChangeCounter.ts"

describe("ChangeCounter", () => {
  it.effect("shows a write that was made since, and none while one is made", () =>
    Effect.gen(function* () {
      const changes = makeChangeCounter()
      const isUnchanged = changes.watch()
      assert.strictEqual(isUnchanged?.(), true)
      const during = yield* changes.write(Effect.sync(() => [changes.watch(), isUnchanged?.()]))
      assert.deepStrictEqual(during, [undefined, false])
      assert.deepStrictEqual([isUnchanged?.(), changes.watch()?.()], [false, true])
    })
  )

  // As the indexer writes blocks while its prover writes a proof.
  it.effect("opens no check while one of two concurrent writes is made", () =>
    Effect.gen(function* () {
      const changes = makeChangeCounter()
      const begin = Effect.gen(function* () {
        const end = yield* Deferred.make<void>()
        const writing = yield* Effect.forkChild(changes.write(Deferred.await(end)), { startImmediately: true })
        return Effect.andThen(Deferred.succeed(end, undefined), Fiber.join(writing))
      })
      const endFirst = yield* begin
      const endSecond = yield* begin
      assert.isUndefined(changes.watch())
      yield* endFirst
      assert.isUndefined(changes.watch())
      yield* endSecond
      assert.strictEqual(changes.watch()?.(), true)
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { makeFirstFailureWarning, makeOutageWarning } from "../../../src/internal/log/firstFailure.ts"
import { makeLogLines } from "./logLines.ts"

const outage = ["Warn It cannot be read", "Info Resolved: It cannot be read"]

describe("an effect that is repeated", () => {
  it.effect("logs the first failure of each outage as a warning, and its end", () => {
    const { layer, lines } = makeLogLines()
    return Effect.gen(function* () {
      const warn = makeOutageWarning("It cannot be read")
      assert.strictEqual(yield* warn(Effect.succeed(1)), 1)
      for (let round = 1; round < 3; round++) {
        assert.strictEqual(yield* Effect.flip(warn(Effect.fail("down"))), "down")
        assert.isTrue(Exit.hasDies(yield* Effect.exit(warn(Effect.die("down")))))
        assert.strictEqual(yield* warn(Effect.succeed(2)), 2)
        yield* warn(Effect.succeed(3))
      }
      assert.deepStrictEqual(lines, [...outage, ...outage])
    }).pipe(Effect.provide(layer))
  })

  it.effect("is not failing where its caller left", () => {
    const { layer, lines } = makeLogLines()
    return Effect.gen(function* () {
      const exit = yield* Effect.exit(makeOutageWarning("It cannot be read")(Effect.interrupt))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
      assert.deepStrictEqual(lines, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("goes on after a failure that it only logs", () => {
    const { layer, lines } = makeLogLines()
    return Effect.gen(function* () {
      const warn = makeFirstFailureWarning("It cannot be read")
      for (const effect of [Effect.fail("down"), Effect.die("down"), Effect.succeed(1)]) yield* warn(effect)
      assert.deepStrictEqual(lines, outage)
    }).pipe(Effect.provide(layer))
  })
})

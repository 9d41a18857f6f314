import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Logger, SubscriptionRef } from "effect"
import { TestClock } from "effect/testing"
import { BlockSourceError } from "../../../../src/blocks/BlockSource.ts"
import { runSteps } from "../../../../src/dex/index/run/Indexer.ts"
import type { StepResult } from "../../../../src/dex/index/run/Indexer.ts"
import { ReorgTooDeepError } from "../../../../src/dex/index/run/IndexFailure.ts"
import { startingProgress } from "../../../../src/dex/index/run/IndexProgress.ts"

const contradiction = new BlockSourceError({ blockchain: "model", reason: "BadResponse", message: "Another price." })
const end = new ReorgTooDeepError({ message: "Too deep." })

describe("runSteps", () => {
  it.effect("warns of a failure that repeats or ends the index, and logs the first one as information", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.make<unknown, void>(({ logLevel, message }) => void lines.push(`${logLevel} ${message}`))
      const results: Array<StepResult | BlockSourceError | ReorgTooDeepError> = [
        contradiction,
        "advanced",
        contradiction,
        contradiction,
        contradiction,
        "advanced",
        end
      ]
      const step = Effect.suspend(() => {
        const next = results.shift() ?? end
        return typeof next === "string" ? Effect.succeed(next) : Effect.fail(next)
      })
      const status = yield* SubscriptionRef.make(startingProgress("dex/model"))
      const loop = runSteps(step, status, () => 1000).pipe(Effect.provide(Logger.layer([logger])))
      const running = yield* Effect.forkChild(loop)
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(running)
      const again = 'Info Index "dex/model": Another price. The step is repeated.'
      const warning = 'Warn Index "dex/model": Another price.'
      assert.deepStrictEqual(lines, [again, again, warning, warning, 'Warn Index "dex/model": Too deep.'])
    })
  )
})

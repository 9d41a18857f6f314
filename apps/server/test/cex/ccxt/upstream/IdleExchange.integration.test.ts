import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { evenTape, latest, market, start, withSandbox } from "../Sandbox.ts"
import type { Stub } from "../StubExchange.ts"

const listsIn = ({ requests }: Stub) => requests.filter((path) => !path.includes("/trades")).length

describe("an exchange without callers", () => {
  it.effect("is released with its market list, and connected again by the next caller", () =>
    withSandbox(evenTape(50), (source, stub) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start + 3_600_000)
        const ask = source.trades("sandbox", market, latest(10))
        yield* ask
        const listsOfStart = listsIn(stub)
        yield* TestClock.adjust("9 minutes")
        yield* ask
        assert.strictEqual(listsIn(stub), listsOfStart)
        yield* TestClock.adjust("12 minutes")
        const { trades } = yield* ask
        assert.lengthOf(trades, 10)
        assert.strictEqual(listsIn(stub), 2 * listsOfStart)
      })
    )
  )
})

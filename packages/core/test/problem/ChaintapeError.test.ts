import { assert, describe, it } from "@effect/vitest"
import { ChaintapeError, TransportError } from "../../src/index.ts"

class OwnError extends ChaintapeError {
  readonly _tag = "OwnError"
  readonly isRetryable = false
}

describe("a class that extends ChaintapeError", () => {
  it("has no instances but its own, which are also ChaintapeErrors", () => {
    const error: unknown = new TransportError({ operation: "cex.trades", attempts: 1, detail: "reset" })
    const own: unknown = new OwnError()
    assert.deepStrictEqual([error instanceof ChaintapeError, error instanceof OwnError], [true, false])
    assert.deepStrictEqual([own instanceof ChaintapeError, own instanceof OwnError], [true, true])
    assert.isFalse(Object.create(null) instanceof ChaintapeError)
  })
})

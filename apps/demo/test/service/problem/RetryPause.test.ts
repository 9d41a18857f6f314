import { InvalidApiKey, RateLimited } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import { toRetryPause } from "../../../src/service/problem/RetryPause.ts"

const toSeconds = (error: unknown) => Duration.toSeconds(toRetryPause(error, "3 seconds"))

describe("the pause after a failed read", () => {
  it("is what the service asks for, and at most a minute", () => {
    const wait = (retryAfterMs: number) => new RateLimited({ detail: "The budget is used up.", retryAfterMs })
    assert.deepStrictEqual([20_000, 500, 86_400_000].map(wait).map(toSeconds), [20, 3, 60])
  })

  it("is a minute after a wrong key, of which each address may send few", () => {
    assert.strictEqual(toSeconds(new InvalidApiKey({ detail: "The API key is not valid." })), 60)
  })

  it("is the usual one if the service asks for none", () => {
    assert.deepStrictEqual([new Error("no answer"), undefined].map(toSeconds), [3, 3])
  })
})

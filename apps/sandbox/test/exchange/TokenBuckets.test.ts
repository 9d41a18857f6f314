import { assert, describe, it } from "@effect/vitest"
import { TokenBuckets } from "../../src/exchange/TokenBuckets.ts"

describe("the bucket of an address", () => {
  it("refills over time, and loses nothing when the clock is set back", () => {
    const buckets = new TokenBuckets({ requestsPerSecond: 1, burst: 2 })
    const taken = [5000, 1000, 1000, 1999, 2000].map((now) => buckets.take("192.0.2.1", now))
    assert.deepStrictEqual(taken, [true, true, false, false, true])
  })
})

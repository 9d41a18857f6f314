import { InvalidApiKey, KeyNotAllowed, RateLimited, TransportError, UpstreamFailed } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import { isSourceUnavailable } from "../../../src/service/problem/SourceUnavailable.ts"

describe("a failure that takes one source out of the page", () => {
  it.each([
    new UpstreamFailed({ source: "kraken", reason: "unavailable", detail: "It is down." }),
    new KeyNotAllowed({ group: "dex", detail: "The key is for cex." }),
    new TransportError({ operation: "dex.pools", attempts: 1, detail: "reset" })
  ])("is that of a source: $_tag", (error) => {
    assert.isTrue(isSourceUnavailable(error))
  })

  it.each([
    new InvalidApiKey({ detail: "The key is unknown." }),
    new RateLimited({ retryAfterMs: 1000, detail: "Too many." }),
    new TypeError("a mistake")
  ])("is not one that every request has: $name", (error) => {
    assert.isFalse(isSourceUnavailable(error))
  })
})

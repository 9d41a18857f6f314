import { InvalidApiKey, UnexpectedResponse, UpstreamFailed } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import { toShownProblem } from "../../../src/service/problem/ShownProblem.ts"

const unexpected = (status: number, detail: string) =>
  toShownProblem(new UnexpectedResponse({ operation: "dex.pools", attempts: 1, status, detail })).message

describe("the sentence of an error", () => {
  it("is that of the service, if it has one", () => {
    const failed = new UpstreamFailed({ source: "kraken", reason: "unavailable", detail: "Kraken is down." })
    assert.strictEqual(toShownProblem(failed).message, "Kraken is down.")
    assert.isTrue(toShownProblem(new InvalidApiKey({ detail: "The key is unknown." })).isWrongKey)
  })

  it("says that a proxy answered, or that the page is of another version than the service", () => {
    assert.strictEqual(
      unexpected(502, "a body that is no problem of this interface"),
      "The response has status 502, and may be from a program in front of the service. The page retries by itself."
    )
    assert.strictEqual(
      unexpected(200, 'Missing key at ["feeTier"]'),
      "The service answered in a form that this page does not know: reload the page."
    )
  })
})

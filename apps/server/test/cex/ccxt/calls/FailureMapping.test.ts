import { assert, describe, it } from "@effect/vitest"
import { exchangeError } from "../../../../src/cex/ccxt/calls/FailureMapping.ts"
import { CcxtError } from "../../../../src/cex/ccxt/class/CcxtError.ts"

const toReason = (...names: ReadonlyArray<string>) => {
  const error = new CcxtError({ names, status: 200, retryAfter: undefined, message: "code 51000" })
  return exchangeError("sandbox", error, 0).reason
}

describe("an error in a response with the status 200", () => {
  it("is about the request or the market if the exchange states so, and otherwise a bad response", () => {
    assert.strictEqual(toReason("BadRequest", "ExchangeError", "BaseError"), "Rejected")
    assert.strictEqual(toReason("BadSymbol", "BadRequest", "ExchangeError", "BaseError"), "MarketNotFound")
    assert.strictEqual(toReason("ExchangeError", "BaseError"), "BadResponse")
  })
})

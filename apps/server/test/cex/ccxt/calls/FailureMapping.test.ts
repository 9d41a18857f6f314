import { assert, describe, it } from "@effect/vitest"
import { exchangeError } from "../../../../src/cex/ccxt/calls/FailureMapping.ts"
import { CcxtError } from "../../../../src/cex/ccxt/class/CcxtError.ts"

const toError = (status: number, ...names: ReadonlyArray<string>) =>
  exchangeError("sandbox", new CcxtError({ names, status, retryAfter: undefined, message: "code 51000" }), 0)

const toReason = (...names: ReadonlyArray<string>) => toError(200, ...names).reason

describe("an error in a response with the status 200", () => {
  it("is about the request or the market if the exchange states so, and otherwise a bad response", () => {
    assert.strictEqual(toReason("BadRequest", "ExchangeError", "BaseError"), "Rejected")
    assert.strictEqual(toReason("BadSymbol", "BadRequest", "ExchangeError", "BaseError"), "MarketNotFound")
    assert.strictEqual(toReason("ExchangeError", "BaseError"), "BadResponse")
  })
})

describe("an exchange under maintenance", () => {
  it("is busy, whatever status it sends", () => {
    for (const status of [200, 503]) {
      const { message, reason } = toError(status, "OnMaintenance", "ExchangeNotAvailable", "BaseError")
      assert.deepStrictEqual([reason, message], ["Busy", 'The exchange "sandbox" is under maintenance.'])
    }
  })
})

describe("a rejected request", () => {
  it("has its status in the message, whatever its class is called", () => {
    for (const name of ["BadRequest", "ExchangeNotAvailable", "ExchangeError"]) {
      const { message, reason } = toError(400, name, "BaseError")
      assert.deepStrictEqual(
        [reason, message],
        ["Rejected", 'The exchange "sandbox" rejected the request (status 400).']
      )
    }
  })
})

import { assert, describe, it } from "@effect/vitest"
import { isEmptyBody } from "../../../../src/cex/ccxt/rows/EmptyBody.ts"

describe("isEmptyBody", () => {
  it("accepts only a body that holds an empty list and no other", () => {
    for (const body of [[], { data: [] }, { error: false, message: null, data: { rows: [] } }])
      assert.isTrue(isEmptyBody(body))
    for (const body of [undefined, {}, { data: null }, [[]], { data: [], rows: [1] }]) assert.isFalse(isEmptyBody(body))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { referenceHeaders } from "../../../src/http/docs/HeaderReference.ts"
import { commonHeaders } from "../../../src/http/response/ResponseHeaders.ts"

describe("the reference of headers", () => {
  it("describes each header that scripts of other origins may read", () => {
    assert.sameMembers(
      referenceHeaders.map(({ name }) => name.toLowerCase()),
      String(commonHeaders["access-control-expose-headers"]).split(", ")
    )
  })
})

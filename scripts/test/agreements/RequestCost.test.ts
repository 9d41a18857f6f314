import { Predicate } from "effect"
import { assert, describe, it } from "vitest"
import { toCost } from "../../../apps/server/src/auth/limits/Admissions.ts"
import { operations } from "../../../packages/contract/src/index.ts"
import { getUnits } from "../../../packages/core/src/internal/retry/admission.ts"

/** The operations, each with the largest `limit` that its contract accepts; undefined without that parameter. */
const maxLimits = operations.map(({ group, name, query }) => {
  const maximum = "limit" in query ? query.limit.json["maximum"] : undefined
  return [`${group}.${name}`, Predicate.isNumber(maximum) ? maximum : undefined] as const
})

const limited = maxLimits.flatMap(([operation, maximum]) =>
  maximum === undefined ? [] : [[operation, maximum] as const]
)

describe("the cost of a request", () => {
  it("is one without a limit, for the service and for a client", () => {
    for (const [operation] of maxLimits)
      assert.deepStrictEqual([toCost({ operation, limit: undefined }), getUnits({})], [1, 1], operation)
  })

  it.each(limited)(
    "is the same for the service and a client, with each limit of %s from 1 to %s",
    (operation, maximum) => {
      const limits = Array.from({ length: maximum }, (_, before) => before + 1)
      assert.deepStrictEqual(
        limits.map((limit) => toCost({ operation, limit: String(limit) })),
        limits.map((limit) => getUnits({ limit }))
      )
      assert.strictEqual(getUnits({ limit: maximum }), 1 + Math.floor(maximum / 1000))
    }
  )

  it("depends on the limit of most operations with rows", () => assert.isAbove(limited.length, 7))
})

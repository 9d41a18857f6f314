import { assert, describe, it } from "@effect/vitest"
import * as CexOperations from "../../src/api/CexOperations.ts"
import { parameterIssues } from "../../src/operation/ParameterIssues.ts"

const path = { exchange: "kraken", market: "BTC-USD" }
const toQuery = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, "1"]))
const toLast = (count: number) => parameterIssues(CexOperations.trades, path, toQuery(count)).at(-1)

describe("the issues of unknown parameters", () => {
  it("name the allowed ones once", () => {
    assert.deepStrictEqual(parameterIssues(CexOperations.trades, path, toQuery(2)), [
      { parameter: "x0", message: '"x0" is not a parameter here: allowed are apiKey, limit, since' },
      { parameter: "x1", message: '"x1" is not a parameter here either' }
    ])
  })

  it("are at most eleven, of which the last one states their number", () => {
    assert.deepStrictEqual(toLast(10), { parameter: "x9", message: '"x9" is not a parameter here either' })
    assert.lengthOf(parameterIssues(CexOperations.trades, path, toQuery(12)), 11)
    assert.deepStrictEqual(toLast(12), {
      parameter: "x10",
      message: '"x10" is not a parameter here either; 12 parameters are unknown in total'
    })
  })
})

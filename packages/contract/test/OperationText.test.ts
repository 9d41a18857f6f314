import { operations, textOf } from "@chaintape/contract"
import { SystemOperations } from "@chaintape/core/operations"
import { assert, describe, it } from "@effect/vitest"

const named = operations.map((operation) => [`${operation.group}.${operation.name}`, operation] as const)

describe("the text of an operation", () => {
  it.each(named)("is its own: %s", (name, operation) => {
    const { description, summary } = textOf(operation)
    assert.notStrictEqual(summary, name)
    assert.notStrictEqual(description, "")
    assert.lengthOf(
      operations.filter((other) => textOf(other).summary === summary),
      1
    )
  })

  it("that the package does not have is its name", () => {
    assert.deepStrictEqual(textOf({ ...SystemOperations.ping, name: "pong" }), {
      summary: "system.pong",
      description: ""
    })
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { LinkedList } from "../../src/internal/LinkedList.ts"

/** An addition, or the removal of the value that was added as the nth, which may be none or removed already. */
const Step = Schema.Union([
  Schema.TaggedStruct("Add", {}),
  Schema.TaggedStruct("Remove", { nth: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 })) })
])

describe("a linked list", () => {
  it.prop("holds what a set holds, in the same order, after any operations", [Schema.Array(Step)], ([steps]) => {
    const list = new LinkedList<number>()
    const set = new Set<number>()
    const removals: Array<() => void> = []
    for (const step of steps) {
      if (step._tag === "Add") {
        set.add(removals.length)
        removals.push(list.add(removals.length))
      } else {
        removals[step.nth]?.()
        set.delete(step.nth)
      }
      assert.deepStrictEqual(list.toArray(), [...set])
      assert.strictEqual(list.size, set.size)
    }
  })

  it("can be emptied while its values are read", () => {
    const list = new LinkedList<string>()
    const removals = ["a", "b", "c"].map((value) => list.add(value))
    const read: Array<string> = []
    for (const value of list.toArray()) {
      for (const remove of removals) remove()
      read.push(value)
    }
    assert.deepStrictEqual(read, ["a", "b", "c"])
    assert.deepStrictEqual(list.toArray(), [])
  })
})

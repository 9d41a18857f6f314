import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { LruMap } from "../../src/internal/LruMap.ts"

const Step = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("set"),
    key: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 6 })),
    weight: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 }))
  }),
  Schema.Struct({
    kind: Schema.Literals(["get", "delete", "clear"]),
    key: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 6 }))
  })
])
const bounds = { entries: 4, weight: 10 }

interface Value {
  readonly weight: number
}

/** The simplest implementation: all entries in the order of their use. */
const model = () => {
  let entries: ReadonlyArray<readonly [number, Value]> = []
  const without = (key: number) => entries.filter(([other]) => other !== key)
  const isTooMuch = () =>
    entries.length > bounds.entries || entries.reduce((sum, [, { weight }]) => sum + weight, 0) > bounds.weight
  return {
    get: (key: number) => {
      const found = entries.find(([other]) => other === key)
      if (found !== undefined) entries = [...without(key), found]
      return found?.[1]
    },
    set: (key: number, value: Value) => {
      entries = without(key)
      if (value.weight <= bounds.weight) entries = [...entries, [key, value]]
      while (isTooMuch()) entries = entries.slice(1)
    },
    delete: (key: number) => {
      entries = without(key)
    },
    clear: () => {
      entries = []
    },
    size: () => entries.length
  }
}

describe("a map within bounds", () => {
  it.prop("holds the most recently used entries, after any operations", [Schema.Array(Step)], ([steps]) => {
    const map = new LruMap<number, Value>({
      entries: bounds.entries,
      weight: { max: bounds.weight, of: ({ weight }) => weight }
    })
    const right = model()
    for (const step of steps) {
      if (step.kind === "set") {
        const value = { weight: step.weight }
        map.set(step.key, value)
        right.set(step.key, value)
      } else if (step.kind === "get") assert.strictEqual(map.get(step.key), right.get(step.key))
      else if (step.kind === "delete") {
        map.delete(step.key)
        right.delete(step.key)
      } else {
        map.clear()
        right.clear()
      }
      assert.strictEqual(map.size, right.size())
    }
    for (let key = 0; key <= 6; key++) assert.strictEqual(map.get(key), right.get(key))
  })

  it("has a bound of entries alone, or of weight alone", () => {
    const few = new LruMap<number, string>({ entries: 2 })
    const light = new LruMap<number, string>({ weight: { max: 4, of: (text) => text.length } })
    for (let key = 0; key < 5; key++) {
      few.set(key, "long enough")
      light.set(key, "x")
    }
    assert.deepStrictEqual([few.size, light.size], [2, 4])
    light.set(9, "as much")
    assert.strictEqual(light.size, 4)
  })
})

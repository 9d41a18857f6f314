import { assert, describe, it } from "@effect/vitest"
import { addMark } from "../../src/internal/live/marks.ts"

const mark = (number: number, isPolled = false) => ({ number, hash: `0x${number}`, isPolled })

describe("the marks of a chain", () => {
  it("are farther apart the older they are", () => {
    assert.deepStrictEqual(addMark([mark(50), mark(85), mark(90), mark(100)], mark(110)), [
      mark(50),
      mark(90),
      mark(100),
      mark(110)
    ])
  })

  it("state that data was polled since the previous mark, also if the polled mark is left out", () => {
    assert.deepStrictEqual(addMark([mark(50), mark(85, true), mark(90), mark(100)], mark(110)), [
      mark(50),
      mark(90, true),
      mark(100),
      mark(110)
    ])
  })
})

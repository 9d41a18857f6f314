import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { addMark, isBlock, parsePosition, toPositionText } from "../../src/internal/live/marks.ts"

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

  it("end at the one that is added: later ones, and one of the same block, are of another branch", () => {
    const added = { ...mark(110), hash: "0xabc" }
    assert.deepStrictEqual(addMark([mark(50), mark(110), mark(120)], added), [mark(50), added])
  })

  it("are of a block whose hash begins like theirs, or is unknown on either side", () => {
    const found = ["0x50", "0x5012", "", "0x5", "0x12"].map((hash) => isBlock(mark(50), hash))
    assert.deepStrictEqual(found, [true, true, true, false, false])
    assert.isTrue(isBlock({ ...mark(50), hash: "" }, "0x12"))
  })
})

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999_999_999_999_999 }))
const Position = Schema.Struct({
  number: Count,
  hash: Schema.Array(Schema.Literals(["0", "9", "a", "f"])).check(Schema.isMinLength(1)),
  log: Schema.UndefinedOr(Count)
})

describe("the text of a position", () => {
  it.prop("is read back", [Position], ([{ hash: digits, log, number }]) => {
    const hash = `0x${digits.join("")}`
    const text = toPositionText({ marks: [mark(0), { number, hash, isPolled: false }], log })
    assert.deepStrictEqual(parsePosition(text), { number, hash, log })
  })

  it.each([
    "",
    "1",
    "1-",
    "1-0x",
    "-1-0xa",
    "x1-0xa",
    "1-0xg",
    "1-0xa-",
    "1-0xa-b",
    "1-0xa-1-1",
    "1234567890123456-0xa"
  ])("is not %j", (text) => {
    assert.isUndefined(parsePosition(text))
  })
})

import { assert, describe, it } from "vitest"
import { secondRun, unsteady, withSecondRun } from "../SecondRun.ts"
import type { FileTally, Tally } from "../Tally.ts"

const file = (name: string, failed: ReadonlyArray<string> = [], passed = 2): FileTally => ({
  file: name,
  passed,
  failed: failed.map((test) => `${name} > ${test}`),
  skipped: []
})
const tally = (files: ReadonlyArray<FileTally>, errors = 0): Tally => ({ files, errors })

const sockets = "a/Sockets.integration.test.ts"
const failing = (count: number) =>
  Array.from({ length: count }, (_, index) => file(`a/${index}.integration.test.ts`, ["fails"]))

describe("the second run", () => {
  it("is of a file with processes, sockets or a real clock, and of no other", () => {
    assert.deepStrictEqual(secondRun(tally([file("a/Sum.test.ts"), file(sockets, ["is cut"])])), [sockets])
    assert.deepStrictEqual(secondRun(tally([file("a/Sum.test.ts", ["adds"])])), [])
    assert.deepStrictEqual(secondRun(tally([file("a/Sum.test.ts", ["adds"]), file(sockets, ["is cut"])])), [])
  })

  it("is of nothing where nothing failed, much failed, or a failure belongs to no test", () => {
    assert.deepStrictEqual(secondRun(tally([file(sockets)])), [])
    assert.strictEqual(secondRun(tally(failing(3))).length, 3)
    assert.deepStrictEqual(secondRun(tally(failing(4))), [])
    assert.deepStrictEqual(secondRun(tally([file(sockets, ["is cut"])], 1)), [])
  })

  it("counts in the place of the first, and names what passed only then", () => {
    const first = tally([file("a/Sum.test.ts"), file(sockets, ["is cut", "is slow"], 5)])
    const final = withSecondRun(first, tally([file(sockets, ["is slow"], 6)], 1))
    assert.deepStrictEqual(final, tally([file("a/Sum.test.ts"), file(sockets, ["is slow"], 6)], 1))
    assert.deepStrictEqual(unsteady(first, final), [`${sockets} > is cut`])
  })
})

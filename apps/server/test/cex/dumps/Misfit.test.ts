import { assert, describe, it } from "@effect/vitest"
import { findMisfit } from "../../../src/cex/dumps/Importer.ts"
import { maxDisorderMs } from "../../../src/cex/tape/ledger/Coverage.ts"

const dayMs = 86_400_000

/** A file of trades with these ids, from a time on for a day. */
const toFile = (from: number, to: number, fromTime: number) => ({
  path: `${from}.csv`,
  hash: `${from}`,
  isVerified: false,
  layout: "",
  rows: to - from + 1,
  unusable: 0,
  ids: { from, to, fromTime, toTime: fromTime + dayMs }
})

describe("the files of an import", () => {
  it("fit if times grow with their ids, apart from the disorder of an exchange, in any order of the files", () => {
    const [first, second] = [toFile(1, 10, dayMs), toFile(11, 20, 2 * dayMs - maxDisorderMs)]
    assert.isUndefined(findMisfit([first, second], []))
    assert.isUndefined(findMisfit([second, first], []))
    assert.isUndefined(findMisfit([second], [first.ids]))
  })

  it("do not fit if higher ids begin before lower ones end: they are of two markets", () => {
    const [first, second] = [toFile(1, 10, dayMs), toFile(11, 20, 2 * dayMs - maxDisorderMs - 1)]
    for (const misfit of [findMisfit([first, second], []), findMisfit([first], [second.ids])]) {
      assert.include(misfit?.message ?? "", "It is of another market or exchange.")
    }
    assert.isDefined(findMisfit([toFile(1, 10, dayMs), toFile(500, 600, dayMs)], []))
  })
})

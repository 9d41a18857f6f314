import { assert, describe, it } from "@effect/vitest"
import { chooseStep } from "../../../../src/dex/index/run/NextStep.ts"
import type { IndexPosition } from "../../../../src/dex/index/run/NextStep.ts"

const config = { finality: 10, startBlock: 100 }

const choose = (given: Partial<IndexPosition<number>>) =>
  chooseStep<number>(config, { last: 150, head: 155, isReorg: false, wrong: undefined, ...given })

describe("the next step of an index", () => {
  it("indexes the blocks up to the head", () => {
    assert.deepStrictEqual(choose({}), { kind: "advance", isFirst: false, isHistory: false })
  })

  it("is history while more blocks are missing than a reorg can replace", () => {
    assert.deepStrictEqual(choose({ head: 160 }), { kind: "advance", isFirst: false, isHistory: false })
    assert.deepStrictEqual(choose({ head: 161 }), { kind: "advance", isFirst: false, isHistory: true })
    assert.deepStrictEqual(choose({ last: undefined, head: 109 }), { kind: "advance", isFirst: true, isHistory: false })
    assert.deepStrictEqual(choose({ last: undefined, head: 110 }), { kind: "advance", isFirst: true, isHistory: true })
  })

  it("waits at the head, and before the first block of the index", () => {
    assert.deepStrictEqual(choose({ head: 150 }), { kind: "wait" })
    assert.deepStrictEqual(choose({ head: 149 }), { kind: "wait" })
    assert.deepStrictEqual(choose({ last: undefined, head: 99 }), { kind: "wait" })
    assert.deepStrictEqual(choose({ last: undefined, head: 100 }).kind, "advance")
  })

  it("repairs a wrong block before it indexes new ones", () => {
    assert.deepStrictEqual(choose({ wrong: 140 }), { kind: "repair", wrong: 140 })
    assert.deepStrictEqual(choose({ wrong: 140, head: 150 }), { kind: "repair", wrong: 140 })
  })

  it("follows a reorg before everything else", () => {
    assert.deepStrictEqual(choose({ isReorg: true, wrong: 140, head: 149 }), { kind: "followReorg", last: 150 })
  })
})

import { assert, describe, it } from "@effect/vitest"
import { makeBlockPace } from "../../src/blocks/BlockPace.ts"

const paceOf = (share: number, ...blocks: ReadonlyArray<readonly [number: number, timestamp: number]>) => {
  const pace = makeBlockPace(share)
  for (const [number, timestamp] of blocks) pace.observe({ number, timestamp })
  return pace.waitMs()
}

describe("the pace of blocks", () => {
  it("is a second until two blocks are known", () => {
    assert.strictEqual(paceOf(0.5), 1000)
    assert.strictEqual(paceOf(0.5, [7, 100]), 1000)
    assert.strictEqual(paceOf(0.5, [7, 100], [7, 100]), 1000)
  })

  it("is a share of the mean time between blocks, also where some were not seen", () => {
    assert.strictEqual(paceOf(0.5, [7, 100], [8, 102]), 1000)
    assert.strictEqual(paceOf(0.25, [7, 100], [9, 106], [10, 106]), 500)
  })

  it("has a lower and an upper limit", () => {
    assert.strictEqual(paceOf(0.25, [7, 100], [8, 100]), 200)
    assert.strictEqual(paceOf(0.25, [7, 100], [8, 112]), 2000)
  })

  it("follows a chain that becomes faster, and forgets the blocks above a reorg", () => {
    const slow = Array.from({ length: 20 }, (_, at) => [at, at * 12] as const)
    const fast = Array.from({ length: 16 }, (_, at) => [20 + at, 228 + at] as const)
    assert.strictEqual(paceOf(0.5, ...slow), 2000)
    assert.strictEqual(paceOf(0.5, ...slow, ...fast), 500)
    assert.strictEqual(paceOf(0.5, [7, 100], [8, 130], [9, 160], [8, 101]), 500)
  })
})

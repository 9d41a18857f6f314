import type { Block } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { noBranches, observeBlocks } from "../../src/blocks/Branches.ts"

/** The blocks of a branch, newest first. The name of the branch makes their hashes distinct. */
const chain = (from: number, to: number, branch: number): ReadonlyArray<Block> =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    number: BigInt(to - index),
    timestamp: DateTime.makeUnsafe((to - index) * 1000),
    size: 100n,
    gasLimit: 30_000n,
    gasUsed: BigInt(branch),
    totalDifficulty: Option.none(),
    author: "0x0"
  }))

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

const numbers = (blocks: ReadonlyArray<Block>) => blocks.map(({ number }) => Number(number))

describe("branches", () => {
  it.prop(
    "are one as long as the chain only grows",
    [Schema.Array(upTo(60)).check(Schema.isMaxLength(12))],
    ([steps]) => {
      let head = 100
      let branches = observeBlocks(noBranches, chain(60, head, 1), undefined, 0)
      for (const step of steps) {
        head += step
        branches = observeBlocks(branches, chain(head - 40, head, 1), undefined, step)
      }
      assert.deepEqual(branches.reorgs, [])
    }
  )

  it.prop("tell which blocks were cut and which stand in their place", [upTo(39), upTo(5)], ([below, growth]) => {
    const before = observeBlocks(noBranches, chain(60, 100, 1), undefined, 0)
    const fork = 100 - below
    const now = [...chain(fork, 100 + growth, 2), ...chain(60, fork - 1, 1)]
    const { reorgs } = observeBlocks(before, now, undefined, 7)
    assert.strictEqual(reorgs.length, 1)
    assert.strictEqual(reorgs[0]?.seenAt, 7)
    assert.deepEqual(numbers(reorgs[0]?.cut ?? []), numbers(chain(fork, 100, 1)).toReversed())
    assert.deepEqual(numbers(reorgs[0]?.instead ?? []), numbers(chain(fork, 100 + growth, 2)).toReversed())
  })

  it("tell of blocks that went without another in their place", () => {
    const before = observeBlocks(noBranches, chain(60, 100, 1), undefined, 0)
    const { reorgs } = observeBlocks(before, chain(60, 97, 1), undefined, 1)
    assert.deepEqual(numbers(reorgs[0]?.cut ?? []), [98, 99, 100])
    assert.deepEqual(reorgs[0]?.instead, [])
  })

  it("tell of another head that differs in nothing but its hash", () => {
    const head = (hash: string) => ({ number: 100n, hash, finalized: false, proven: false })
    const before = observeBlocks(noBranches, chain(60, 100, 1), head("0xa"), 0)
    assert.deepEqual(observeBlocks(before, chain(60, 100, 1), head("0xa"), 1).reorgs, [])
    assert.deepEqual(numbers(observeBlocks(before, chain(60, 100, 1), head("0xb"), 1).reorgs[0]?.cut ?? []), [100])
  })
})

import type { Block } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Chain } from "../../src/blocks/Chain.ts"
import { addEvents, addNewest, blocksShown, getAveragePause, getPause } from "../../src/blocks/Chain.ts"

/** A block of a branch. */
const toBlock = (number: number, branch: number): Block => ({
  number: BigInt(number),
  timestamp: DateTime.makeUnsafe(number * 1000),
  size: 100n,
  gasLimit: 30_000n,
  gasUsed: BigInt(branch),
  totalDifficulty: Option.none(),
  author: "0x0"
})

/** Oldest first. */
const branch = (from: number, to: number, name: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => toBlock(from + index, name))

const events = (blocks: ReadonlyArray<Block>) => blocks.map((block) => ({ _tag: "Block", block }) as const)

const reorg = (from: number) =>
  ({
    _tag: "Reorg",
    from: BigInt(from),
    commonAncestor: { number: BigInt(from - 1), hash: "0xa" }
  }) as const

const start: Chain = { blocks: branch(60, 100, 1).toReversed(), reorgs: [] }

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

describe("the chain of the page", () => {
  it.prop("has the newest blocks, and no reorg if the chain only grows", [upTo(100)], ([growth]) => {
    const { blocks, reorgs } = addEvents(start, events(branch(101, 100 + growth, 1)), 0)
    assert.deepEqual(
      blocks,
      branch(60, 100 + growth, 1)
        .toReversed()
        .slice(0, blocksShown)
    )
    assert.deepEqual(reorgs, [])
  })

  it.prop("says which blocks were replaced, and by which", [upTo(39), upTo(9)], ([below, growth]) => {
    const fork = 100 - below
    const newest = branch(fork, 100 + growth, 2)
    const { blocks, reorgs } = addEvents(start, [reorg(fork), ...events(newest)], 7)
    assert.deepEqual(reorgs, [{ seenAt: 7, cut: branch(fork, 100, 1), instead: branch(fork, 100, 2) }])
    assert.deepEqual(blocks, [...branch(60, fork - 1, 1), ...newest].toReversed().slice(0, blocksShown))
  })

  it.prop("does not count blocks that a stream sends again as replaced", [upTo(30), upTo(9)], ([same, below]) => {
    const fork = 100 - below
    const sent = [...branch(fork - same, fork - 1, 1), ...branch(fork, 101, 2)]
    const { reorgs } = addEvents(start, [reorg(fork - same), ...events(sent)], 7)
    assert.deepEqual(reorgs, [{ seenAt: 7, cut: branch(fork, 100, 1), instead: branch(fork, 100, 2) }])
  })

  it("has no reorg if a stream sends the same blocks again", () => {
    assert.deepEqual(addEvents(start, [reorg(90), ...events(branch(90, 101, 1))], 7).reorgs, [])
  })

  it("merges two successive reorg events of a stream into one reorg", () => {
    const { reorgs } = addEvents(start, [reorg(99), reorg(97), ...events(branch(97, 101, 2))], 7)
    assert.deepEqual(reorgs, [{ seenAt: 7, cut: branch(97, 100, 1), instead: branch(97, 100, 2) }])
  })

  it("has the newest reorg first", () => {
    const once = addEvents(start, [reorg(99), ...events(branch(99, 101, 2))], 1)
    const { reorgs } = addEvents(once, [reorg(101), ...events(branch(101, 102, 3))], 2)
    assert.deepEqual(
      reorgs.map(({ cut, seenAt }) => [seenAt, cut.map(({ number }) => Number(number))]),
      [
        [2, [101]],
        [1, [99, 100]]
      ]
    )
  })

  it("ignores a reorg of blocks that were not shown", () => {
    assert.deepEqual(addEvents(start, [reorg(101), ...events(branch(101, 101, 2))], 1).reorgs, [])
  })

  it.prop(
    "finds the same reorg from a stream and from a new read of the newest blocks",
    [upTo(20), upTo(20)],
    ([depth, growth]) => {
      const read = [...branch(60, 100 - depth, 1), ...branch(101 - depth, 100 + growth, 2)].slice(-blocksShown)
      const streamed =
        depth === 0
          ? addEvents(start, events(branch(101, 100 + growth, 2)), 7)
          : addEvents(start, [reorg(101 - depth), ...events(branch(101 - depth, 100 + growth, 2))], 7)
      assert.deepEqual(addNewest(start, read.toReversed(), 7), streamed)
      assert.lengthOf(streamed.reorgs, depth === 0 ? 0 : 1)
    }
  )

  it("loses its newest blocks to a shorter branch that is read", () => {
    const { blocks, reorgs } = addNewest(start, branch(60, 97, 1).toReversed(), 7)
    assert.strictEqual(blocks[0]?.number, 97n)
    assert.deepEqual(
      reorgs.map(({ cut }) => cut),
      [branch(98, 100, 1)]
    )
  })

  it("counts the blocks of a new chain only in place of those with their numbers", () => {
    const restarted = addEvents(
      start,
      [reorg(1), ...events(branch(1, 58, 2)), reorg(57), ...events(branch(57, 61, 3))],
      7
    )
    assert.deepEqual(restarted.reorgs, [
      { seenAt: 7, cut: branch(57, 58, 2), instead: branch(57, 58, 3) },
      { seenAt: 7, cut: branch(60, 100, 1), instead: [] }
    ])
    const { reorgs } = addEvents(start, [reorg(1), ...events(branch(1, 62, 2))], 7)
    assert.deepEqual(reorgs, [{ seenAt: 7, cut: branch(60, 100, 1), instead: branch(60, 62, 2) }])
  })

  it("has the time between two consecutive known blocks", () => {
    const [one, two, three] = [toBlock(1, 0), toBlock(2, 0), toBlock(3, 0)]
    assert.strictEqual(getPause(two, one), 1000)
    assert.strictEqual(getPause(three, one), undefined)
    assert.strictEqual(getPause(one, undefined), undefined)
    assert.strictEqual(getAveragePause([three, two, one]), 1000)
    // A block between them may be unknown.
    assert.strictEqual(getAveragePause([toBlock(5, 0), one]), 1000)
    for (const few of [[], [one]]) assert.strictEqual(getAveragePause(few), undefined)
  })
})

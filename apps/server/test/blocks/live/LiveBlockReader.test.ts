import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeLiveBlockReader } from "../../../src/blocks/live/LiveBlockReader.ts"
import type { SourceBlock } from "../../../src/blocks/SourceBlock.ts"
import { chainOf, sourceOf, syntheticBlock } from "../SyntheticChain.ts"

const finality = 8
const whole = chainOf(Array.from({ length: 1001 }, (_, number) => number))

/** A reader whose position is a block of the whole chain, without earlier blocks, over what one node has. */
const resumeAt = (start: number, read: () => ReadonlyArray<SourceBlock>, ephemeral = false) => {
  const source = sourceOf(read, undefined, finality)
  return makeLiveBlockReader(
    {
      head: source.head("synthetic"),
      blocks: (numbers) => source.blocks("synthetic", numbers),
      finality,
      ephemeral,
      seen: () => undefined
    },
    whole[start] ?? syntheticBlock(start, start)
  )
}

const namesOf = (events: ReadonlyArray<{ readonly name: string }>) => events.map(({ name }) => name)

describe("a stream of blocks whose only node falls behind", () => {
  it.effect("waits for a node that started again from an old snapshot", () =>
    Effect.gen(function* () {
      let length = 101
      const reader = resumeAt(990, () => whole.slice(0, length))
      assert.deepStrictEqual(yield* reader.next(10), [])
      length = 985
      assert.deepStrictEqual(yield* reader.next(10), [])
      length = 992
      assert.deepStrictEqual(namesOf(yield* reader.next(10)), ["block"])
      assert.include(reader.cursor(), "991-")
    })
  )

  it.effect("reports a reorg once the node reaches its position on another branch", () =>
    Effect.gen(function* () {
      const branch = whole.map((block) =>
        block.number <= 987 ? block : syntheticBlock(block.number, block.number, "b", block.number === 988 ? "a" : "b")
      )
      let length = 101
      const reader = resumeAt(990, () => branch.slice(0, length))
      assert.deepStrictEqual(yield* reader.next(10), [])
      length = 995
      assert.deepStrictEqual(namesOf(yield* reader.next(10)), ["reorg"])
      assert.include(reader.cursor(), "982-")
      assert.strictEqual((yield* reader.next(20)).length, 12)
    })
  )

  it.effect("reports a reorg at once on an ephemeral chain, whose node began another one", () =>
    Effect.gen(function* () {
      const another = Array.from({ length: 101 }, (_, number) => syntheticBlock(number, number, "c"))
      let length = 985
      const reader = resumeAt(990, () => (length === 985 ? whole : another).slice(0, length), true)
      assert.deepStrictEqual(yield* reader.next(10), [])
      length = 101
      assert.deepStrictEqual(namesOf(yield* reader.next(10)), ["reorg"])
      assert.include(reader.cursor(), "92-")
    })
  )
})

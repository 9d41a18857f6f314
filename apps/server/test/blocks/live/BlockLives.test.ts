import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Random } from "effect"
import { TestClock } from "effect/testing"
import { Blockchains } from "../../../src/blocks/Blockchains.ts"
import { BlockSource, BlockSourceError } from "../../../src/blocks/BlockSource.ts"
import { LiveBlocks } from "../../../src/blocks/live/LiveBlocks.ts"
import type { SourceBlock } from "../../../src/blocks/SourceBlock.ts"
import { SourceHealth } from "../../../src/sources/SourceHealth.ts"
import { makeDice } from "../../cex/tape/record/FakeMarket.ts"
import type { ChainKnowledge } from "../../live/ChainReader.ts"
import { newKnowledge, readChain } from "../../live/ChainReader.ts"
import { openReader, subscriptionsFor } from "../../live/TestReader.ts"
import { sourceOf, syntheticBlock } from "../SyntheticChain.ts"

const lives = Number(process.env["CHAINTAPE_LIVE_SEQUENCES"] ?? 60)
const firstSeed = Number(process.env["CHAINTAPE_LIVE_SEED"] ?? 1)

const finality = 12

const oneLife = Effect.fnUntraced(function* (seed: number) {
  const dice = makeDice(seed)
  let chain: ReadonlyArray<SourceBlock> = Array.from({ length: 20 }, (_, number) => syntheticBlock(number, number))
  /** The chain before its last reorg, which parts of a response may still show. */
  let before = chain
  let highest = chain.length
  /** A node that lags behind shows the chain without its newest blocks. */
  let late = 0
  let failing = false
  let branches = 0
  let branch = "a"
  const grow = (count: number) => {
    for (let left = count; left > 0; left--) {
      const parent = chain.at(-1)?.hash ?? ""
      chain = [...chain, { ...syntheticBlock(chain.length, chain.length, branch), parentHash: parent }]
    }
    highest = Math.max(highest, chain.length)
  }
  const reorg = () => {
    // What was final at the highest head stays.
    const depth = dice(finality - (highest - chain.length))
    before = chain
    branch = `b${(++branches).toString(16)}`
    chain = chain.slice(0, chain.length - depth)
    grow(Math.max(0, depth - 1 + dice(4)))
  }
  const down = new BlockSourceError({ blockchain: "synthetic", reason: "Unavailable", message: "It is down." })
  const read = <A>(value: () => A) => Effect.suspend(() => (failing ? Effect.fail(down) : Effect.sync(value)))
  const source = BlockSource.of({
    head: () =>
      read(() => {
        const number = chain.length - 1 - late
        return { number, final: number - finality }
      }),
    blocks: (_id, numbers) =>
      Effect.flatMap(
        read(() => {
          const mixed = dice(6) === 0 ? 1 + dice(3) : 0
          return numbers.flatMap((number, at) => (at < mixed ? before : chain)[number] ?? [])
        }),
        (found) => (found.length === numbers.length ? Effect.succeed(found) : Effect.fail(down))
      )
  })
  yield* Effect.gen(function* () {
    const live = yield* LiveBlocks
    const feed = yield* live.feed("synthetic")
    const readers: Array<ChainKnowledge> = []
    const getKey = (id: string) => id
    for (let step = 0; step < 50; step++) {
      yield* TestClock.adjust(100 + dice(900))
      late = dice(6) === 0 ? dice(3) : 0
      failing = dice(10) === 0
      if (dice(2) === 0) grow(1 + dice(3))
      else if (dice(4) === 0) reorg()
      const about = `seed ${seed}, step ${step}`
      if (dice(12) === 0) {
        // All readers leave, and the chain finalizes another branch before one comes back.
        for (const knowledge of readers) {
          yield* knowledge.reader?.cut ?? Effect.void
          knowledge.reader = undefined
        }
        failing = false
        reorg()
        grow(finality + dice(finality))
        yield* TestClock.adjust(20_000)
      }
      for (const knowledge of readers) {
        if (dice(4) > 0) {
          readChain(knowledge, getKey, about)
        } else if (knowledge.reader === undefined) {
          knowledge.reader = yield* Effect.orElseSucceed(openReader(feed, knowledge.cursor), () => undefined)
        } else {
          const { reader } = knowledge
          readChain(knowledge, getKey, about, dice(4))
          yield* reader.cut
          knowledge.reader = undefined
        }
      }
      if (readers.length < 5 && dice(5) === 0) {
        const reader = yield* Effect.orElseSucceed(openReader(feed, { from: "now" }), () => undefined)
        const knowledge = reader === undefined ? undefined : newKnowledge(reader)
        if (knowledge !== undefined) readers.push(knowledge)
      }
    }
    failing = false
    late = 0
    before = chain
    // A shorter chain differs from a lagging node once it grows.
    grow(finality)
    for (let step = 0; step < 20; step++) {
      for (const knowledge of readers) knowledge.reader ??= yield* openReader(feed, knowledge.cursor)
      yield* TestClock.adjust(2000)
      for (const knowledge of readers) readChain(knowledge, getKey, `seed ${seed}, end`)
    }
    for (const [at, { low, reader, received }] of readers.entries()) {
      const truth = chain.slice(low + 1).map(({ hash, number }) => ({ number, key: `${number}-${hash}` }))
      assert.deepStrictEqual(received, truth, `seed ${seed}, reader ${at}`)
      yield* reader?.cut ?? Effect.void
    }
  }).pipe(
    Effect.provide(
      LiveBlocks.layer.pipe(
        Layer.provide([
          Layer.succeed(BlockSource, source),
          Blockchains.layer([{ id: "synthetic", name: "Synthetic", finality, ephemeral: false }]),
          SourceHealth.layer([])
        ]),
        Layer.merge(subscriptionsFor()),
        Layer.fresh
      )
    ),
    Effect.scoped,
    // The jitter of retries belongs to the life, too.
    Random.withSeed(seed)
  )
})

describe("live blocks", () => {
  it.effect(
    "give each reader the whole chain, despite cuts, resumes, reorgs, late nodes and failures",
    () =>
      Effect.gen(function* () {
        for (let seed = firstSeed; seed < firstSeed + lives; seed++) yield* oneLife(seed)
      }),
    120_000
  )
})

describe("a stream of blocks", () => {
  it.effect("refuses the cursor of a position before the first block", () =>
    Effect.gen(function* () {
      const chain = Array.from({ length: 20 }, (_, number) => syntheticBlock(number, number))
      const live = yield* LiveBlocks.pipe(
        Effect.provide(
          LiveBlocks.layer.pipe(
            Layer.provide([
              Layer.succeed(
                BlockSource,
                sourceOf(() => chain)
              ),
              Blockchains.layer([{ id: "synthetic", name: "Synthetic", finality, ephemeral: false }]),
              SourceHealth.layer([{ id: "synthetic", kind: "blockchain" }])
            ])
          )
        )
      )
      const feed = yield* live.feed("synthetic")
      assert.strictEqual((yield* Effect.flip(feed.open({ after: "-1-0x0" })))._tag, "UnknownCursorError")
    })
  )
})

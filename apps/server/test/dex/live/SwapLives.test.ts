import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Random, Schema } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { DexSourceError } from "../../../src/dex/DexSource.ts"
import { makeSwapReader } from "../../../src/dex/live/SwapReader.ts"
import { SwapSource } from "../../../src/dex/live/SwapSource.ts"
import type { ChainSwap } from "../../../src/dex/live/SwapSource.ts"
import { decodeChainCursor } from "../../../src/live/ChainCursor.ts"
import type { LiveFeed } from "../../../src/live/LiveFeed.ts"
import { LiveError, UnknownCursorError } from "../../../src/live/LiveFeed.ts"
import type { BlockId } from "../../../src/live/Reorg.ts"
import { Wakeups } from "../../../src/live/Wakeups.ts"
import type { Dice } from "../../cex/tape/record/FakeMarket.ts"
import { makeDice } from "../../cex/tape/record/FakeMarket.ts"
import type { ChainKnowledge } from "../../live/ChainReader.ts"
import { newKnowledge, readChain } from "../../live/ChainReader.ts"
import { dataOf, openReader, subscriptionsFor } from "../../live/TestReader.ts"

const lives = Number(process.env["CHAINTAPE_LIVE_SEQUENCES"] ?? 60)
const firstSeed = Number(process.env["CHAINTAPE_LIVE_SEED"] ?? 1)

const finality = 12
const down = new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: new Error("down") }) })
const notReady = new DexSourceError({ source: "index", reason: "NotReady", message: "It has no block yet." })
const reorganized = new DexSourceError({ source: "index", reason: "Reorged", message: "A reorg." })

const token = { id: "0x1", name: "One", symbol: "ONE" }

/** The index of a chain: its blocks and the swaps of one pool on the newest branch. */
const makeIndex = (dice: Dice) => {
  let blocks: ReadonlyArray<BlockId & { readonly swaps: ReadonlyArray<ChainSwap> }> = []
  let branch = 1
  let highest = 0
  let failing = false
  /** The block of each rewind; their ids begin at 1. */
  const rewinds: Array<number> = []
  const getAncestor = (since: number | undefined) => Math.min(...(since === undefined ? [] : rewinds.slice(since)))
  const blockAt = (number: number) => {
    const block = { number, hash: `0x${branch.toString(16)}${number.toString(16).padStart(8, "0")}` }
    const swaps = Array.from({ length: Math.max(0, dice(5) - 2) }, (_, at): ChainSwap => ({
      block,
      logIndex: at * 3 + dice(3),
      row: {
        id: `${block.hash}#${at}`,
        amount0: "1",
        amount1: "1",
        amountUSD: "1",
        logIndex: String(at * 3),
        origin: "0x",
        timestamp: String(number * 12),
        transactionId: block.hash,
        sender: "0x",
        recipient: "0x",
        sqrtPriceX96: "1",
        pool: { token0: token, token1: token }
      }
    }))
    return { ...block, swaps }
  }
  const grow = (count: number) => {
    for (let left = count; left > 0; left--) blocks = [...blocks, blockAt((blocks.at(-1)?.number ?? 99) + 1)]
    highest = Math.max(highest, head().number)
  }
  const head = () => blocks.at(-1) ?? { number: 0, hash: "0x0", swaps: [] }
  const same = (one: BlockId) => blocks.some(({ hash, number }) => number === one.number && hash === one.hash)
  const named = ({ hash, number }: BlockId): BlockId => ({ number, hash })
  const read = <A>(value: () => A) => Effect.suspend(() => (failing ? Effect.die(down) : Effect.sync(value)))
  return {
    fail: (value: boolean) => void (failing = value),
    grow,
    reorg: () => {
      // What was final at the highest head stays.
      const depth = 1 + dice(Math.max(1, finality - 1 - (highest - head().number)))
      branch++
      blocks = blocks.slice(0, -depth)
      rewinds.push(head().number)
      grow(Math.max(0, depth - 1 + dice(3)))
    },
    /** Writes the newest blocks again, with other swaps and the same hashes. */
    repair: (depth: number) => {
      blocks = blocks.slice(0, -depth)
      rewinds.push(head().number)
      grow(depth)
    },
    after: (low: number) =>
      blocks
        .filter(({ number }) => number > low)
        .flatMap(({ number, swaps }) => swaps.map(({ row }) => ({ number, key: row.id }))),
    finalized: () => head().number - finality,
    blockAt: (number: number) => Effect.fromNullishOr(blocks.find((block) => block.number === number)),
    source: SwapSource.of({
      topic: (key) => key,
      follows: () => true,
      chain: (_key, known, since) =>
        read(() => {
          const unchanged = getAncestor(since)
          return {
            head: named(head()),
            common: known.findLast((block) => same(block) && block.number <= unchanged),
            rewindId: rewinds.length
          }
        }),
      finalAt: (_key, at, since) =>
        read(() => {
          const final = Math.min(at, head().number) - finality
          const found = blocks.findLast(({ number }) => number <= Math.min(final, getAncestor(since)))
          return Option.map(Option.fromUndefinedOr(found), named)
        }),
      after: (_key, _pool, place, at, max) =>
        Effect.flatMap(
          // A reorg may come between two queries.
          Effect.sync(() => dice(10) === 0),
          (isLate) =>
            isLate || !same(at)
              ? Effect.fail(reorganized)
              : read(() => ({
                  swaps: blocks
                    .flatMap(({ swaps }) => swaps)
                    .filter(
                      ({ block, logIndex }) =>
                        block.number <= at.number &&
                        (block.number > place.number || (block.number === place.number && logIndex > place.logIndex))
                    )
                    .slice(0, max),
                  blocks: blocks
                    .filter(({ number }) => number > place.number && number <= at.number)
                    .slice(-5)
                    .map(named)
                }))
        )
    })
  }
}

const Id = Schema.Struct({ id: Schema.String })
const decodeId = dataOf(Id)
const decodeFrom = dataOf(Schema.Struct({ from: Schema.Int }))
const getKey = (_id: string, data: string) => decodeId(data).id

const oneLife = Effect.fnUntraced(function* (seed: number) {
  const dice = makeDice(seed)
  const index = makeIndex(dice)
  index.grow(20)
  yield* Effect.gen(function* () {
    const wakeups = yield* Wakeups
    const feed: LiveFeed = {
      name: "swaps",
      open: Effect.fnUntraced(function* (start) {
        if ("after" in start) {
          const place = decodeChainCursor(start.after)
          if (place === undefined) return yield* new UnknownCursorError({ what: "is none" })
          return makeSwapReader(index.source, "dex/chain", "0xpool", place)
        }
        const { head } = yield* Effect.mapError(
          index.source.chain("", [], undefined),
          ({ message }) => new LiveError({ message })
        )
        return makeSwapReader(index.source, "dex/chain", "0xpool", { ...head, logIndex: undefined })
      }),
      watch: wakeups.watch("chain")
    }
    const readers: Array<ChainKnowledge> = []
    for (let step = 0; step < 50; step++) {
      yield* TestClock.adjust(20 + dice(400))
      if (dice(2) === 0) index.grow(1 + dice(3))
      else if (dice(5) === 0) index.reorg()
      index.fail(dice(10) === 0)
      const about = `seed ${seed}, step ${step}`
      if (dice(12) === 0) {
        // All readers leave, and the chain finalizes another branch before one comes back.
        for (const knowledge of readers) {
          yield* knowledge.reader?.cut ?? Effect.void
          knowledge.reader = undefined
        }
        index.fail(false)
        index.reorg()
        index.grow(finality + dice(finality))
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
    index.fail(false)
    for (let step = 0; step < 20; step++) {
      for (const knowledge of readers) knowledge.reader ??= yield* openReader(feed, knowledge.cursor)
      yield* TestClock.adjust(1000)
      for (const knowledge of readers) readChain(knowledge, getKey, `seed ${seed}, end`)
    }
    for (const [at, knowledge] of readers.entries()) {
      assert.deepStrictEqual(knowledge.received, index.after(knowledge.low), `seed ${seed}, reader ${at}`)
      yield* knowledge.reader?.cut ?? Effect.void
    }
  }).pipe(Effect.provide(Layer.fresh(subscriptionsFor())), Effect.scoped, Random.withSeed(seed))
})

describe("live swaps", () => {
  it.effect("are sent again after a repair of the index, although the hashes of the blocks are unchanged", () =>
    Effect.gen(function* () {
      for (const depth of [1, 5, 30, 45]) {
        const index = makeIndex(makeDice(depth))
        index.grow(60)
        const low = index.finalized() - finality
        const { hash } = yield* index.blockAt(low)
        const reader = makeSwapReader(index.source, "dex/chain", "0xpool", { number: low, hash, logIndex: undefined })
        const received: Array<string> = []
        const readAll = Effect.gen(function* () {
          // A reorg that is written meanwhile ends a read early.
          for (let reads = 0; reads < 20; reads++) {
            for (const { data, name } of yield* reader.next(1000)) {
              if (name === "reorg") received.push(name, String(decodeFrom(data).from))
              else received.push(decodeId(data).id)
            }
          }
        })
        yield* readAll
        received.length = 0
        const head = index.finalized() + finality
        index.repair(depth)
        yield* readAll
        assert.strictEqual(received[0], "reorg", `depth ${depth}`)
        const from = Number(received[1])
        assert.isAtMost(from, head - depth + 1, `depth ${depth}`)
        assert.deepStrictEqual(
          received.slice(2),
          index.after(from - 1).map(({ key }) => key),
          `depth ${depth}`
        )
      }
    })
  )

  it.effect("begin with a reorg also if a failure of the index or of the store follows", () =>
    Effect.gen(function* () {
      for (const failure of [Effect.fail(notReady), Effect.die(down)]) {
        const index = makeIndex(makeDice(1))
        index.grow(60)
        const low = index.finalized()
        const { hash } = yield* index.blockAt(low)
        let isDown = false
        const source = SwapSource.of({
          ...index.source,
          after: (...wanted) => (isDown ? failure : index.source.after(...wanted))
        })
        const reader = makeSwapReader(source, "dex/chain", "0xpool", { number: low, hash, logIndex: undefined })
        while ((yield* reader.next(1000)).length === 0);
        index.repair(3)
        isDown = true
        assert.deepStrictEqual(
          (yield* reader.next(1000)).map(({ name }) => name),
          ["reorg"]
        )
      }
    })
  )

  it.effect(
    "give each reader the swaps of the chain, despite cuts, resumes, reorgs and failures of the store",
    () =>
      Effect.gen(function* () {
        for (let seed = firstSeed; seed < firstSeed + lives; seed++) yield* oneLife(seed)
      }),
    120_000
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { blocks } from "../../src/api/BlocksOperations.ts"
import { poolTrades } from "../../src/api/DexOperations.ts"
import type { Client } from "../../src/client/Client.ts"
import { PoolAddress } from "../../src/dex/Address.ts"
import type { LivePage, Reorg } from "../../src/page/LivePage.ts"
import { InvalidCursor } from "../../src/problem/StreamError.ts"
import { liveBlockPages, type NewBlock } from "../../src/stream/LiveBlocks.ts"
import { liveSwapPages, type NewSwap } from "../../src/stream/LiveSwaps.ts"
import { type Change, hashOf, liveChain, type ModelBlock, pool, swapsOf } from "./LiveChain.ts"
import type { Life } from "./LiveMarket.ts"
import { goOn, settled } from "./LiveWire.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const listOf = <S extends Schema.Codec<unknown, unknown>>(schema: S, shortest: number, longest: number) =>
  Schema.Array(schema).check(Schema.isMinLength(shortest), Schema.isMaxLength(longest))

const start = 1_000_000
const moves = listOf(
  Schema.Tuple([Schema.Literals([100, 900, 2000, 5000]), Schema.Literals([0, 0, 0, 1, 2, 5, 12]), between(0, 4)]),
  5,
  14
)
const lives = listOf(
  Schema.Struct({
    events: between(0, 8),
    end: Schema.Literals(["broken", "closed", "announced", "refused", "silent", "page"])
  }),
  0,
  8
)
const cuts = listOf(between(1, 4), 2, 6)

const changesOf = (script: ReadonlyArray<readonly [number, number, number]>): ReadonlyArray<Change> => {
  let at = start
  return script.map(([wait, depth, add]) => ({ at: (at += wait), depth, add }))
}

/** The state of a reader of a chain, and the blocks from which on it is complete. */
interface ReaderState {
  readonly ids: ReadonlyArray<readonly [block: number, id: string]>
  readonly from: number
}

const applyEvent = (state: ReaderState, event: NewBlock | NewSwap | Reorg): ReaderState => {
  if (event._tag === "Block") {
    return { ...state, ids: [...state.ids, [Number(event.block.number), event.block.author]] }
  }
  if (event._tag === "Swap") return { ...state, ids: [...state.ids, [Number(event.block), event.swap.id]] }
  assert.strictEqual(event.from, event.commonAncestor.number + 1n)
  const from = Number(event.from)
  return { ids: state.ids.filter(([block]) => block < from), from: Math.min(state.from, from) }
}

interface Kind {
  readonly name: string
  readonly pages: (
    client: Client["Service"],
    cursor: string | undefined
  ) => Stream.Stream<LivePage<NewBlock | NewSwap>, { readonly _tag: string }>
  readonly ids: (block: ModelBlock) => ReadonlyArray<string>
}

const ofBlocks: Kind = {
  name: "blocks",
  pages: ({ call }, cursor) => liveBlockPages((page) => call(blocks, page), { blockchain: "model", cursor }),
  ids: ({ hash }) => [hash]
}

const ofSwaps: Kind = {
  name: "swaps",
  pages: ({ call }, cursor) =>
    liveSwapPages((page) => call(poolTrades, page), {
      exchange: "model-dex",
      blockchain: "model",
      pool: PoolAddress.make(pool),
      cursor
    }),
  ids: (block) => swapsOf(block).map(({ id }) => id)
}

/** Follows a chain in pieces, each from the cursor of the last page, until it has not changed for a while. */
const followChain = Effect.fnUntraced(function* (
  kind: Kind,
  script: Parameters<typeof liveChain>[0],
  pieces: ReadonlyArray<number> = []
) {
  yield* TestClock.setTime(start)
  const chain = yield* liveChain(script)
  let head = 0
  const pages: Array<LivePage<NewBlock | NewSwap>> = []
  for (const piece of [...pieces, Infinity]) {
    // Without a cursor it starts again.
    if (pages.length === 0) head = chain.at(yield* Clock.currentTimeMillis).length - 1
    const fiber = yield* kind.pages(chain.client, pages.at(-1)?.cursor).pipe(
      Stream.take(piece),
      Stream.runForEach((page) => Effect.sync(() => pages.push(page))),
      Effect.forkChild
    )
    yield* goOn(piece === Infinity ? 60_000 : 3000, 500)
    yield* Fiber.interrupt(fiber)
  }
  yield* settled
  const state = pages.flatMap(({ events }) => events).reduce<ReaderState>(applyEvent, { ids: [], from: head + 1 })
  const expected = chain
    .at(Infinity)
    .filter(({ number }) => number >= Math.max(state.from, script.poolSince ?? 0))
    .flatMap((block) => kind.ids(block))
  return { ...chain, pages, head, ids: state.ids.map(([, id]) => id), expected }
})

const unsupported: Life = { events: 0, end: "unsupported" }

describe.each([ofBlocks, ofSwaps])("live $name", (kind) => {
  it.effect.prop(
    "lead to the events of the chain after any reorgs and failures of streams",
    [moves, lives],
    ([script, lives]) =>
      Effect.gen(function* () {
        const { expected, ids } = yield* followChain(kind, { changes: changesOf(script), lives })
        assert.deepStrictEqual(ids.toSorted(), expected.toSorted())
      }),
    { arbitrary: { runs: 15 }, timeout: 60_000 }
  )

  it.effect.prop(
    "lead to the events of the chain when they resume from cursors",
    [moves, lives, cuts],
    ([script, lives, pieces]) =>
      Effect.gen(function* () {
        const { expected, ids } = yield* followChain(kind, { changes: changesOf(script), lives }, pieces)
        assert.deepStrictEqual(ids.toSorted(), expected.toSorted())
      }),
    { arbitrary: { runs: 15 }, timeout: 60_000 }
  )

  it.effect("lose nothing where a reorg ends at a block up to which was polled, and the next one goes deeper", () =>
    Effect.gen(function* () {
      const changes = changesOf([
        [900, 12, 0],
        [5000, 0, 2],
        [900, 2, 0],
        [5000, 2, 1],
        [100, 12, 0]
      ])
      const lives: ReadonlyArray<Life> = [
        { events: 2, end: "announced" },
        { events: 0, end: "announced" },
        { events: 0, end: "page" }
      ]
      const { expected, ids } = yield* followChain(kind, { changes, lives }, [2, 4, 4, 2])
      assert.deepStrictEqual(ids.toSorted(), expected.toSorted())
    })
  )

  it.effect.prop(
    "lead to the events of the chain if the service does not stream them",
    [moves, cuts],
    ([script, pieces]) =>
      Effect.gen(function* () {
        const lives = Array.from({ length: 10 }, () => unsupported)
        const { expected, ids } = yield* followChain(kind, { changes: changesOf(script), lives }, pieces)
        assert.deepStrictEqual(ids.toSorted(), expected.toSorted())
      }),
    { arbitrary: { runs: 15 }, timeout: 60_000 }
  )

  const refused = Array.from({ length: 5 }, (): Life => ({ events: 0, end: "refused" }))

  it.effect.prop(
    "lead to the events of the chain when they switch between pages and streams",
    [moves, between(0, 5), between(0, 5)],
    ([script, one, other]) =>
      Effect.gen(function* () {
        const lives: ReadonlyArray<Life> = [
          ...refused,
          { events: one, end: "closed" },
          ...refused,
          { events: other, end: "closed" }
        ]
        const { expected, ids, opened } = yield* followChain(kind, { changes: changesOf(script), lives })
        assert.deepStrictEqual(ids.toSorted(), expected.toSorted())
        // However quiet the chain is, the first stream comes after pages.
        assert.isAtLeast(opened.length, 6)
      }),
    { arbitrary: { runs: 15 }, timeout: 60_000 }
  )

  it.effect("come in the order of the chain, over one stream and without pages", () =>
    Effect.gen(function* () {
      const changes = changesOf(Array.from({ length: 30 }, () => [100, 0, 50] as const))
      const { expected, head, ids, opened, pages, requests } = yield* followChain(kind, { changes })
      assert.deepStrictEqual(ids, expected)
      assert.deepStrictEqual(
        opened.map(({ after }) => after),
        [`${head}-${hashOf(head, 0)}`]
      )
      assert.isAtLeast(pages.length, 10)
      // The first shows where to start, and the others that the stream lacks nothing of a quiet chain.
      assert.isAtMost(requests.length, 6)
    })
  )

  it.effect("continue after the last event when a stream breaks, without repeating it", () =>
    Effect.gen(function* () {
      const changes = changesOf(Array.from({ length: 20 }, () => [100, 0, 50] as const))
      const lives: ReadonlyArray<Life> = Array.from({ length: 5 }, () => ({ events: 2, end: "closed" }))
      const { expected, ids, opened, pages } = yield* followChain(kind, { changes, lives })
      assert.deepStrictEqual(ids, expected)
      assert.lengthOf(opened, 6)
      assert.isFalse(pages.some(({ events }) => events.some(({ _tag }) => _tag === "Reorg")))
    })
  )

  it.effect("are emitted once, although they arrive again", () =>
    Effect.gen(function* () {
      const changes = changesOf(Array.from({ length: 20 }, () => [900, 0, 3] as const))
      const { expected, ids, pages } = yield* followChain(kind, { changes, isRepeated: true })
      assert.deepStrictEqual(ids, expected)
      assert.isFalse(pages.some(({ events }) => events.some(({ _tag }) => _tag === "Reorg")))
    })
  )

  it.effect("refuse the cursor of another stream", () =>
    Effect.gen(function* () {
      const { client, pages } = yield* followChain(kind, { changes: changesOf([[1000, 0, 4]]) })
      const other = kind === ofBlocks ? ofSwaps : ofBlocks
      const error = yield* Effect.flip(Stream.runDrain(other.pages(client, pages.at(-1)?.cursor)))
      assert.instanceOf(error, InvalidCursor)
      assert.include(String(error), `it belongs to "${kind === ofBlocks ? "blocks.liveBlocks" : "dex.liveSwaps"}"`)
    })
  )

  it.effect("have small cursors, also after a long time", () =>
    Effect.gen(function* () {
      const changes = changesOf(Array.from({ length: 80 }, () => [100, 0, 50] as const))
      const { pages } = yield* followChain(kind, { changes })
      assert.isAbove(pages.length, 20)
      for (const { cursor } of pages) assert.isAtMost(cursor.length, 200)
    })
  )
})

describe("live swaps", () => {
  it.effect("go on when the chain becomes shorter while it is polled", () =>
    Effect.forEach(Arr.range(0, 9), (index) =>
      Effect.gen(function* () {
        const at = start + 3000 + index * 200
        const changes = [
          { at, depth: 0, add: 3 },
          { at: at + 300, depth: 20, add: -15 },
          { at: at + 5000, depth: 0, add: 30 }
        ]
        const { expected, ids } = yield* followChain(ofSwaps, { changes, lives: [unsupported], pageMs: 200 })
        assert.isAbove(expected.length, 10)
        assert.deepStrictEqual(ids, expected)
      })
    )
  )

  it.effect("of a subgraph, which states the hash of no older block, are all there, once", () =>
    Effect.gen(function* () {
      const changes = changesOf([
        [2000, 0, 3],
        [900, 0, 1],
        [5000, 1, 0],
        [2000, 0, 4]
      ])
      const { expected, ids } = yield* followChain(ofSwaps, { changes, lives: [unsupported], isOfSubgraph: true })
      assert.isAbove(expected.length, 0)
      assert.deepStrictEqual(ids, expected)
    })
  )

  it.effect.prop(
    "of a pool that is younger than the final blocks are all there, once",
    [moves, between(15, 39), cuts],
    ([script, poolSince, pieces]) =>
      Effect.gen(function* () {
        const lives = Array.from({ length: 10 }, () => unsupported)
        const { expected, ids } = yield* followChain(ofSwaps, { changes: changesOf(script), lives, poolSince }, pieces)
        assert.deepStrictEqual(ids.toSorted(), expected.toSorted())
      }),
    { arbitrary: { runs: 40 }, timeout: 60_000 }
  )

  it.effect("go back to before a pool that the replaced blocks created", () =>
    Effect.gen(function* () {
      const changes = changesOf([
        [2000, 1, 3],
        [2000, 0, 2],
        [900, 12, 15]
      ])
      const { expected, ids, pages } = yield* followChain(ofSwaps, { changes, lives: [unsupported], poolSince: 38 })
      assert.isTrue(pages.some(({ events }) => events.some(({ _tag }) => _tag === "Reorg")))
      assert.deepStrictEqual(ids, expected)
    })
  )

  it.effect.each([[], [1]])("come again, all of them, where an index has no block of both branches", (pieces) =>
    Effect.gen(function* () {
      const changes = changesOf([[900, 12, 15]])
      const lives: ReadonlyArray<Life> = [{ events: 1, end: "announced" }, unsupported]
      const { expected, ids, pages } = yield* followChain(ofSwaps, { changes, lives, youngUntil: Infinity }, pieces)
      const hash = `0x${"0".repeat(64)}`
      const reorg: Reorg = { _tag: "Reorg", from: 0n, commonAncestor: { number: -1n, hash } }
      assert.deepStrictEqual(pages[0]?.events, [reorg])
      assert.isAbove(expected.length, 0)
      assert.deepStrictEqual(ids, expected)
    })
  )

  it.effect("continue by the live stream after a reorg of all blocks", () =>
    Effect.gen(function* () {
      const changes = changesOf([[900, 12, 15]])
      const lives: ReadonlyArray<Life> = [{ events: 1, end: "announced" }]
      const { expected, ids, opened, pages } = yield* followChain(ofSwaps, { changes, lives, youngUntil: Infinity })
      assert.deepStrictEqual(ids, expected)
      assert.deepStrictEqual(
        opened.map(({ after }) => after),
        [`39-${hashOf(39, 0)}`, "-1-0x0"]
      )
      const reorgs = pages.flatMap(({ events }) => events.filter(({ _tag }) => _tag === "Reorg"))
      assert.strictEqual(reorgs.length, 1)
    })
  )

  it.effect("go back to a block with its hash after a reorg of all blocks", () =>
    Effect.gen(function* () {
      const changes = changesOf([
        [900, 12, 15],
        [30_000, 5, 8]
      ])
      const refused: Life = { events: 0, end: "refused" }
      const lives: ReadonlyArray<Life> = [{ events: 1, end: "announced" }, ...Array.from({ length: 5 }, () => refused)]
      const { expected, ids, opened, pages } = yield* followChain(ofSwaps, { changes, lives, youngUntil: start + 9000 })
      assert.deepStrictEqual(ids, expected)
      assert.isAbove(opened.length, lives.length)
      const ancestors = pages.flatMap(({ events }) =>
        events.flatMap((event) => (event._tag === "Reorg" ? [event.commonAncestor] : []))
      )
      assert.deepStrictEqual(ancestors, [
        { number: -1n, hash: `0x${"0".repeat(64)}` },
        { number: 0n, hash: hashOf(0, 0) }
      ])
    })
  )

  it.effect("are found behind more blocks than one poll reads, of which the index stores none", () =>
    Effect.gen(function* () {
      const changes = changesOf([[2000, 0, 5000]])
      const { expected, ids, pages } = yield* followChain(ofSwaps, {
        changes,
        lives: [unsupported],
        storedEvery: 10_000
      })
      assert.isAbove(expected.length, 4000)
      assert.deepStrictEqual(ids, expected)
      assert.isBelow(pages.length, 20)
    })
  )
})

describe("live blocks", () => {
  it.effect("go back no further than to the newest block of the cursor that is still in the chain", () =>
    Effect.gen(function* () {
      const changes = changesOf([
        [500, 0, 1],
        [1000, 0, 1],
        [1000, 0, 1],
        [1500, 1, 2]
      ])
      const lives = Array.from({ length: 5 }, () => unsupported)
      const { expected, head, ids, pages } = yield* followChain(ofBlocks, { changes, lives }, [100])
      assert.deepStrictEqual(ids, expected)
      const reorgs = pages.flatMap(({ events }) => events.flatMap((event) => (event._tag === "Reorg" ? [event] : [])))
      const commonAncestor = { number: BigInt(head + 2), hash: hashOf(head + 2, 2) }
      assert.deepStrictEqual(reorgs, [{ _tag: "Reorg", from: BigInt(head + 3), commonAncestor }])
    })
  )
})

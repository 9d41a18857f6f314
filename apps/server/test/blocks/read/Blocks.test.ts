import * as BlocksOperations from "@chaintape/core/operations/blocks"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, Random } from "effect"
import { TestClock } from "effect/testing"
import { BlockSourceError } from "../../../src/blocks/BlockSource.ts"
import type { BlockOrder } from "../../../src/blocks/read/BlockPages.ts"
import type { BlocksRequest } from "../../../src/blocks/read/BlockPages.ts"
import { Blocks } from "../../../src/blocks/read/Blocks.ts"
import type { SourceBlock } from "../../../src/blocks/SourceBlock.ts"
import { SourceHealth } from "../../../src/sources/SourceHealth.ts"
import type { Asked } from "../SyntheticChain.ts"
import { blocksOver, chainOf, sourceOf, syntheticBlock } from "../SyntheticChain.ts"

interface Wish {
  readonly limit?: number
  readonly skip?: number
  readonly order?: BlockOrder
  readonly block?: number
  readonly from?: number
  readonly to?: number
}

const toRequest = (wish: Wish): BlocksRequest => ({
  limit: wish.limit ?? 1000,
  skip: wish.skip ?? 0,
  order: Option.fromUndefinedOr(wish.order),
  block: Option.fromUndefinedOr(wish.block),
  from: Option.fromUndefinedOr(wish.from),
  to: Option.fromUndefinedOr(wish.to)
})

const list = (wish: Wish) => Effect.flatMap(Blocks, (blocks) => blocks.list("synthetic", toRequest(wish)))
const finality = 8
const numbers = (blocks: ReadonlyArray<SourceBlock>) => blocks.map(({ number }) => number)

/** The interface's promise in its simplest form. */
const naive = (chain: ReadonlyArray<SourceBlock>, wish: Wish): ReadonlyArray<SourceBlock> => {
  const { field, direction } = wish.order ?? { field: "number", direction: "desc" }
  const value = (block: SourceBlock) => (field === "author" ? BigInt(block.author) : BigInt(block[field] ?? -1))
  const sign = direction === "asc" ? 1 : -1
  return chain
    .filter(({ number }) => number <= (wish.block ?? Number.POSITIVE_INFINITY))
    .filter(({ timestamp }) => timestamp * 1000 >= (wish.from ?? 0))
    .filter(({ timestamp }) => timestamp * 1000 <= (wish.to ?? Number.POSITIVE_INFINITY))
    .toSorted((a, b) => (value(a) === value(b) ? a.number - b.number : value(a) < value(b) ? -sign : sign))
    .slice(wish.skip ?? 0, (wish.skip ?? 0) + (wish.limit ?? 1000))
}

/** Times that never decrease, with runs of equal ones. */
const anyChain = Effect.gen(function* () {
  const length = yield* Random.nextIntBetween(1, 120)
  const times: Array<number> = []
  let time = yield* Random.nextIntBetween(0, 3)
  for (let number = 0; number < length; number++) {
    times.push(time)
    if (yield* Random.nextBoolean) time += yield* Random.nextIntBetween(0, 5)
  }
  return chainOf(times)
})

const orders: ReadonlyArray<BlockOrder> = BlocksOperations.blocks.query.orderBy.fields.flatMap((field) => [
  { field, direction: "asc" as const },
  { field, direction: "desc" as const }
])

const maybe = <A>(value: Effect.Effect<A>) =>
  Effect.flatMap(Random.nextBoolean, (given) => (given ? value : Effect.succeed(undefined)))

const anyWish = (chain: ReadonlyArray<SourceBlock>) =>
  Effect.gen(function* () {
    const latest = (chain.at(-1)?.timestamp ?? 0) * 1000 + 3000
    const times = [yield* maybe(Random.nextIntBetween(0, latest)), yield* maybe(Random.nextIntBetween(0, latest))]
    const [one, other] = times
    const ordered = one !== undefined && other !== undefined && one > other ? [other, one] : [one, other]
    const [from, to] = yield* Effect.map(Random.nextBoolean, (whole) =>
      ordered.map((time) => (whole && time !== undefined ? Math.floor(time / 1000) * 1000 : time))
    )
    const order = yield* maybe(Effect.map(Random.nextIntBetween(0, orders.length - 1), (index) => orders[index]))
    const block = yield* maybe(Random.nextIntBetween(0, chain.length - 1))
    const wish: Wish = {
      limit: yield* Random.nextIntBetween(1, 30),
      skip: yield* Effect.map(maybe(Random.nextIntBetween(0, chain.length + 3)), (skip) => skip ?? 0),
      ...(order === undefined ? {} : { order }),
      ...(block === undefined ? {} : { block }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to })
    }
    return wish
  })

const over = (chain: ReadonlyArray<SourceBlock>, asked?: Asked) =>
  Effect.provide(
    blocksOver(
      sourceOf(() => chain, asked),
      finality
    )
  )

describe("blocks", () => {
  it.effect("window, order and page equal a filter, a sort and a slice of the chain", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 150; round++) {
        const chain = yield* anyChain
        yield* Effect.gen(function* () {
          for (let look = 0; look < 12; look++) {
            const wish = yield* anyWish(chain)
            const { asOf, blocks } = yield* list(wish)
            assert.deepStrictEqual(numbers(blocks), numbers(naive(chain, wish)), JSON.stringify(wish))
            const upper = wish.block ?? chain.length - 1
            const finalized = upper <= chain.length - 1 - finality
            assert.deepStrictEqual(asOf, { number: upper, hash: chain[upper]?.hash ?? "", finalized })
          }
        }).pipe(over(chain))
      }
    }).pipe(Random.withSeed("windows"))
  )

  it.effect("pages of any size together equal the whole list, in every order", () =>
    Effect.gen(function* () {
      const chain = yield* anyChain
      yield* Effect.gen(function* () {
        for (const order of [undefined, ...orders]) {
          const window = { from: 2000, ...(order === undefined ? {} : { order }) }
          const whole = yield* list(window)
          for (const limit of [1, 2, 3, 7, 50, 1000]) {
            const pages: Array<SourceBlock> = []
            for (let skip = 0; skip <= whole.blocks.length; skip += limit) {
              pages.push(...(yield* list({ ...window, limit, skip })).blocks)
            }
            assert.deepStrictEqual(numbers(pages), numbers(whole.blocks))
          }
          assert.strictEqual(new Set(numbers(whole.blocks)).size, whole.blocks.length)
        }
      }).pipe(over(chain))
    }).pipe(Random.withSeed("pages"))
  )

  it.effect("equal values ascend by number, whatever the direction", () =>
    Effect.gen(function* () {
      for (const direction of ["asc", "desc"] as const) {
        const { blocks } = yield* list({ order: { field: "timestamp", direction } })
        const expected = direction === "asc" ? [0, 1, 2, 3, 4, 5] : [4, 5, 1, 2, 3, 0]
        assert.deepStrictEqual(numbers(blocks), expected)
      }
    }).pipe(over(chainOf([5, 6, 6, 6, 9, 9])))
  )

  it.effect("a difficulty of any length sorts as a number, an unknown one first", () =>
    Effect.gen(function* () {
      const { blocks } = yield* list({ order: { field: "totalDifficulty", direction: "asc" } })
      assert.deepStrictEqual(numbers(blocks), [1, 3, 0, 2])
    }).pipe(
      over(
        [9n, undefined, 10n ** 30n, 0n].map((totalDifficulty, number) => ({
          ...syntheticBlock(number, number),
          totalDifficulty
        }))
      )
    )
  )

  it.effect("a window includes both of its ends, to the millisecond", () =>
    Effect.gen(function* () {
      const inside = (from: number, to: number) =>
        Effect.map(list({ from, to }), ({ blocks }) => numbers(blocks).toReversed())
      assert.deepStrictEqual(yield* inside(20_000, 30_000), [1, 2])
      assert.deepStrictEqual(yield* inside(20_001, 29_999), [])
      assert.deepStrictEqual(yield* inside(20_000, 20_000), [1])
      assert.deepStrictEqual(yield* inside(20_001, 20_001), [])
      assert.deepStrictEqual(yield* inside(0, 9999), [])
      assert.deepStrictEqual(yield* inside(40_001, 8_640_000_000_000_000), [])
      assert.deepStrictEqual(yield* inside(0, 8_640_000_000_000_000), [0, 1, 2, 3])
    }).pipe(over(chainOf([10, 20, 30, 40])))
  )

  it.effect("a window is immutable where the block after it is final, too", () =>
    Effect.gen(function* () {
      const isImmutable = (to: number) => Effect.map(list({ to }), (result) => result.isImmutable)
      assert.isTrue(yield* isImmutable(10_999))
      assert.isFalse(yield* isImmutable(11_000))
    }).pipe(over(chainOf(Array.from({ length: 20 }, (_, number) => number))))
  )

  it.effect("a window is found with few headers, however long the chain is", () =>
    Effect.gen(function* () {
      const length = 20_000_000
      const asked: Asked = { heads: 0, calls: 0, blocks: 0 }
      const source = {
        head: () => Effect.succeed({ number: length - 1, final: length - 1 - finality }),
        blocks: (_id: string, wanted: ReadonlyArray<number>) =>
          Effect.sync(() => {
            asked.calls++
            asked.blocks += wanted.length
            return wanted.map((number) => syntheticBlock(number, 12 * number))
          })
      }
      yield* Effect.gen(function* () {
        const at = 12 * 7_654_321 * 1000
        const { blocks } = yield* list({ from: at, to: at + 24_000, limit: 10 })
        assert.deepStrictEqual(numbers(blocks), [7_654_323, 7_654_322, 7_654_321])
        assert.isAtMost(asked.calls, 22)
        assert.isAtMost(asked.blocks, 300)
        asked.blocks = 0
        yield* list({ limit: 10, skip: 19_000_000 })
        assert.isAtMost(asked.blocks, 12)
        yield* list({ limit: 10, order: { field: "timestamp", direction: "desc" } })
        assert.isAtMost(asked.blocks, 200)
        const refused = yield* Effect.flip(list({ order: { field: "size", direction: "asc" } }))
        assert.strictEqual(refused._tag, "InvalidParameter")
      }).pipe(Effect.provide(blocksOver(source)))
    })
  )

  it.effect("final blocks are requested once, others each time", () =>
    Effect.gen(function* () {
      const asked: Asked = { heads: 0, calls: 0, blocks: 0 }
      yield* Effect.gen(function* () {
        yield* list({ block: 90 })
        asked.blocks = 0
        yield* list({ block: 90 })
        assert.strictEqual(asked.blocks, 0)
        yield* list({ limit: 20 })
        const first = asked.blocks
        yield* list({ limit: 20 })
        assert.isAtLeast(asked.blocks, first + 8)
      }).pipe(over(chainOf(Array.from({ length: 100 }, (_, number) => number)), asked))
    })
  )

  it.effect("a block beyond the head is not found, and the problem names the head", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(list({ block: 4 }))
      assert.deepInclude(error, { _tag: "BlockNotFound", blockchain: "synthetic", block: "4", head: "3" })
      assert.strictEqual((yield* list({ block: 3 })).blocks.length, 4)
    }).pipe(over(chainOf([10, 20, 30, 40])))
  )

  it.effect("an answer never mixes two branches, whenever the chain changes", () =>
    Effect.gen(function* () {
      const length = 60
      const fork = 53 // not final yet
      const old = chainOf(Array.from({ length }, (_, number) => number))
      const other = old.map((block, number) =>
        number < fork ? block : syntheticBlock(number, fork + (number - fork) * 4, "b", number === fork ? "a" : "b")
      )
      const wishes: ReadonlyArray<Wish> = [
        { limit: 30 },
        { limit: 5, skip: 1 },
        { from: 44_000, to: 58_000 },
        { from: 55_000 },
        { to: 57_000, limit: 20 },
        { order: { field: "timestamp", direction: "desc" }, limit: 10 },
        { order: { field: "gasUsed", direction: "asc" }, from: 40_000 }
      ]
      for (const wish of wishes) {
        for (let change = 0; change < 14; change++) {
          let calls = 0
          const source = sourceOf(() => (calls++ < change ? old : other))
          const { asOf, blocks } = yield* list(wish).pipe(Effect.provide(blocksOver(source)))
          const possible = [old, other].filter((chain) => chain[asOf.number]?.hash === asOf.hash)
          assert.include(
            possible.map((chain) =>
              naive(chain, wish)
                .map(({ hash }) => hash)
                .join()
            ),
            blocks.map(({ hash }) => hash).join(),
            `${JSON.stringify(wish)} changed before call ${change}`
          )
        }
      }
    })
  )

  it.effect("a chain that changes with every call is a failure of the source, not a mixture", () =>
    Effect.gen(function* () {
      const branches = ["a", "b"].map((branch) =>
        Array.from({ length: 40 }, (_, number) => syntheticBlock(number, number, branch))
      )
      const source = {
        head: () => Effect.succeed({ number: 39, final: 39 - finality }),
        blocks: (_id: string, wanted: ReadonlyArray<number>) =>
          Effect.succeed(wanted.flatMap((number) => branches[number % 2]?.[number] ?? []))
      }
      const error = yield* Effect.flip(Effect.provide(list({ limit: 10 }), blocksOver(source)))
      assert.deepInclude(error, { _tag: "UpstreamFailed", reason: "bad-response", source: "synthetic" })
    })
  )

  it.effect.each([
    ["Reorged", 3],
    ["BadResponse", 3],
    ["Refused", 1]
  ] as const)("a reorg and an invalid answer are read again: %s", ([reason, reads]) =>
    Effect.gen(function* () {
      let heads = 0
      const source = {
        head: () =>
          Effect.sync(() => {
            heads += 1
            return { number: 39, final: 39 - finality }
          }),
        blocks: (blockchain: string) =>
          Effect.fail(new BlockSourceError({ blockchain, reason, message: "Block 39 is absent." }))
      }
      const error = yield* Effect.flip(Effect.provide(list({ limit: 10 }), blocksOver(source)))
      assert.deepInclude(error, { _tag: "UpstreamFailed", reason: reason === "Refused" ? "refused" : "bad-response" })
      assert.strictEqual(heads, reads)
    })
  )

  it.effect("a head with a lower number is followed", () =>
    Effect.gen(function* () {
      let chain = chainOf(Array.from({ length: 50 }, (_, number) => number))
      yield* Effect.gen(function* () {
        assert.strictEqual((yield* list({ limit: 1 })).asOf.number, 49)
        chain = chain.slice(0, 44)
        assert.deepStrictEqual(numbers((yield* list({ limit: 2 })).blocks), [43, 42])
      }).pipe(Effect.provide(blocksOver(sourceOf(() => chain))))
    })
  )

  it.effect("a known block is not reported as missing while only a late node answers", () =>
    Effect.gen(function* () {
      const whole = chainOf(Array.from({ length: 50 }, (_, number) => number))
      let chain = whole
      yield* Effect.gen(function* () {
        yield* list({ limit: 50 })
        chain = whole.slice(0, 30)
        // A final one is known; of another one nothing is known now.
        assert.deepStrictEqual((yield* list({ block: 40, limit: 1 })).blocks, whole.slice(40, 41))
        assert.strictEqual((yield* Effect.flip(list({ block: 45 })))._tag, "UpstreamFailed")
        assert.strictEqual((yield* Effect.flip(list({ block: 50 })))._tag, "BlockNotFound")
        chain = whole
        assert.deepStrictEqual((yield* list({ block: 45, limit: 1 })).blocks, whole.slice(45, 46))
        // A head that stays lower is the head of the chain.
        chain = whole.slice(0, 45)
        yield* TestClock.adjust("5 minutes")
        assert.strictEqual((yield* Effect.flip(list({ block: 45 })))._tag, "UpstreamFailed")
        yield* TestClock.adjust(1)
        assert.strictEqual((yield* Effect.flip(list({ block: 45 })))._tag, "BlockNotFound")
      }).pipe(
        Effect.provide(
          blocksOver(
            sourceOf(() => chain),
            finality
          )
        )
      )
    })
  )

  it.effect("a source that takes long for each call ends with a timeout", () =>
    Effect.gen(function* () {
      const still = sourceOf(() => chainOf(Array.from({ length: 100_000 }, (_, number) => number)))
      const slow = {
        head: (id: string) => Effect.delay(still.head(id), "4 seconds"),
        blocks: (id: string, wanted: ReadonlyArray<number>) => Effect.delay(still.blocks(id, wanted), "4 seconds")
      }
      const running = yield* list({ from: 50_000_000, to: 50_100_000 }).pipe(
        Effect.flip,
        Effect.provide(blocksOver(slow)),
        Effect.forkChild
      )
      yield* TestClock.adjust("30 seconds")
      const exit = running.pollUnsafe()
      assert.isDefined(exit)
      const error = yield* Fiber.join(running)
      assert.deepInclude(error, { _tag: "UpstreamTimeout", source: "synthetic" })
    })
  )

  it.effect("the health of the source is recorded", () =>
    Effect.gen(function* () {
      yield* list({ limit: 1 })
      const [state] = yield* Effect.flatMap(SourceHealth, ({ all }) => all)
      assert.deepInclude(state, { id: "synthetic", state: "ok", head: 2 })
    }).pipe(over(chainOf([1, 2, 3])))
  )
})

describe("the blocks of an ephemeral chain", () => {
  it.effect("are those of the new chain after its node restarts", () =>
    Effect.gen(function* () {
      let branch = "a"
      const chains = Object.fromEntries(
        ["a", "b"].map((one) => [one, Array.from({ length: 50 }, (_, at) => syntheticBlock(at, at, one))])
      )
      const source = sourceOf(() => chains[branch] ?? [])
      yield* Effect.gen(function* () {
        const [before] = (yield* list({ block: 10, limit: 1 })).blocks
        branch = "b"
        const [after] = (yield* list({ block: 10, limit: 1 })).blocks
        assert.notStrictEqual(before?.hash, after?.hash)
        assert.strictEqual(after?.hash, chains["b"]?.[10]?.hash)
      }).pipe(Effect.provide(blocksOver(source, finality, "synthetic", true)))
    })
  )
})

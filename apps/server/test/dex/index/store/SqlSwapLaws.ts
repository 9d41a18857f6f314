import { assert } from "@effect/vitest"
import type { Vitest } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { IndexedBlock } from "../../../../src/dex/index/IndexedBlock.ts"
import { EntityStore } from "../../../../src/dex/index/store/EntityStore.ts"
import { SwapSource } from "../../../../src/dex/live/SwapSource.ts"
import type { BlockId } from "../../../../src/live/Reorg.ts"
import type { Lease } from "../../../../src/ownership/Lease.ts"
import { newKey, simpleChain, toTrades } from "./SqlHistoryLaws.ts"
import type { Index } from "./SqlHistoryLaws.ts"
import * as World from "./SqlWorld.ts"

type Chain = ReadonlyArray<IndexedBlock>

const finalized = 110
const chain = simpleChain(80)
const other = simpleChain(6, chain.slice(0, 70), 2)

const nameOf = ({ hash, number }: BlockId): BlockId => ({ number, hash })
const getHead = (blocks: Chain): BlockId => nameOf(blocks.at(-1) ?? assert.fail("no block"))

/** The swaps of a pool in chain order, by the simplest algorithm. */
const toSwaps = (blocks: Chain, pool: string) =>
  toTrades(blocks, "swap", { pool })
    .toReversed()
    .map(({ number, row }) => ({
      block: nameOf(blocks.find((block) => block.number === number) ?? assert.fail("no block")),
      logIndex: Number(row.logIndex),
      row
    }))

const stored = (blocks: Chain) =>
  Effect.gen(function* () {
    const key = newKey()
    const store = yield* EntityStore
    yield* store.append(key, blocks, finalized)
    return { key, store, source: yield* SwapSource }
  })

/** The laws of the swaps that a live stream reads. */
export const swapLaws = (it: Vitest.MethodsNonLive<Index | Lease | SwapSource>): void => {
  it.effect(
    "reads the requested number of swaps of the pool after any position",
    () =>
      Effect.gen(function* () {
        const { key, source } = yield* stored(chain)
        const head = getHead(chain)
        for (const which of [0, 1, 5]) {
          const all = toSwaps(chain, World.pool(which))
          assert.isAbove(all.length, 10)
          const places = [{ number: 0, logIndex: -1 }, ...all.map(({ block, logIndex }) => ({ ...block, logIndex }))]
          for (const [at, place] of places.entries()) {
            for (const max of [1, 7, 1000]) {
              const { swaps } = yield* source.after(key, World.pool(which), place, head, max)
              assert.deepStrictEqual<unknown>(swaps, all.slice(at, at + max))
            }
          }
        }
        const none = yield* source.after(key, "0xunknown", { number: 0, logIndex: -1 }, head, 10)
        assert.deepStrictEqual(none.swaps, [])
      }),
    180_000
  )

  it.effect("as of an older head later swaps and later state are not included", () =>
    Effect.gen(function* () {
      const { key, source } = yield* stored(chain)
      for (const length of [10, 41, 79]) {
        const before = chain.slice(0, length)
        const { swaps } = yield* source.after(key, World.pool(1), { number: 0, logIndex: -1 }, getHead(before), 1000)
        assert.deepStrictEqual<unknown>(swaps, toSwaps(before, World.pool(1)))
      }
    })
  )

  it.effect("includes the newest blocks between the position and the head, at most sixty-four", () =>
    Effect.gen(function* () {
      const { key, source } = yield* stored(chain)
      const blocksBehind = (number: number) =>
        Effect.map(source.after(key, World.pool(1), { number, logIndex: 0 }, getHead(chain), 1), ({ blocks }) => blocks)
      const names = chain.map(nameOf)
      assert.deepStrictEqual(yield* blocksBehind(0), names.slice(-64))
      const tenth = names[69] ?? assert.fail("no block")
      assert.deepStrictEqual(yield* blocksBehind(tenth.number), names.slice(70))
      assert.deepStrictEqual(yield* blocksBehind(getHead(chain).number), [])
    })
  )

  it.effect("the common block is the newest known block that is still in the chain", () =>
    Effect.gen(function* () {
      const { key, source, store } = yield* stored(chain)
      const names = chain.map(nameOf)
      const commonOf = (known: ReadonlyArray<BlockId>) =>
        Effect.map(source.chain(key, known, undefined), ({ common }) => common)
      assert.deepStrictEqual(yield* source.chain(key, names.slice(-9), undefined), {
        head: getHead(chain),
        common: getHead(chain),
        rewindId: 0
      })
      assert.isUndefined(yield* commonOf([]))
      assert.isUndefined(yield* commonOf([{ number: 105, hash: "0xother" }]))
      yield* store.rewind(key, chain[69]?.number ?? 0, other.slice(70), finalized)
      const { rewindId, ...current } = yield* source.chain(key, names.slice(-20), undefined)
      assert.deepStrictEqual(current, { head: getHead(other), common: names[69] })
      assert.isAbove(rewindId, 0)
      assert.isUndefined(yield* commonOf(names.slice(70)))
    })
  )

  it.effect("after a repair, blocks above the ancestor are common only to readers that saw the repair", () =>
    Effect.gen(function* () {
      const { key, source, store } = yield* stored(chain)
      const names = chain.map(nameOf)
      const commonOf = (since: number | undefined) =>
        Effect.map(source.chain(key, names, since), ({ common }) => common)
      const getRewindId = Effect.map(source.chain(key, [], undefined), ({ rewindId }) => rewindId)
      yield* store.rewind(key, chain[59]?.number ?? 0, chain.slice(60), finalized)
      const first = yield* getRewindId
      assert.deepStrictEqual(yield* commonOf(0), names[59])
      assert.deepStrictEqual(yield* commonOf(first), getHead(chain))
      assert.deepStrictEqual(yield* commonOf(undefined), getHead(chain))
      yield* store.rewind(key, chain[69]?.number ?? 0, chain.slice(70), finalized)
      assert.deepStrictEqual(yield* commonOf(first), names[69])
      assert.deepStrictEqual(yield* commonOf(0), names[59])
      assert.deepStrictEqual(yield* commonOf(yield* getRewindId), getHead(chain))
      assert.isBelow(Option.getOrThrow(yield* source.finalAt(key, 1000, 0)).number, chain[60]?.number ?? 0)
    })
  )

  it.effect("the final block at a head is the newest that no reorg can reach at the current depth", () =>
    Effect.gen(function* () {
      const { key, source } = yield* stored(chain)
      const [first] = chain
      const numberAt = (head: number) =>
        Effect.map(source.finalAt(key, head, undefined), (block) => Option.getOrUndefined(block)?.number)
      const depth = getHead(chain).number - finalized
      assert.isAbove(depth, 10)
      assert.strictEqual(yield* numberAt(getHead(chain).number), finalized)
      assert.strictEqual(yield* numberAt(1000), finalized)
      assert.strictEqual(yield* numberAt(getHead(chain).number - 5), finalized - 5)
      assert.isUndefined(yield* numberAt((first?.number ?? 0) + depth - 1))
    })
  )

  it.effect("reads nothing from a replaced branch or from an index without blocks", () =>
    Effect.gen(function* () {
      const { key, source, store } = yield* stored(chain)
      const place = { number: 0, logIndex: -1 }
      const behind = (head: BlockId) => source.after(key, World.pool(1), place, head, 1000)
      yield* store.rewind(key, chain[69]?.number ?? 0, other.slice(70), finalized)
      for (const head of [getHead(chain), nameOf(chain[72] ?? assert.fail("no block"))]) {
        assert.strictEqual((yield* Effect.flip(behind(head))).reason, "Reorged")
      }
      const { swaps } = yield* behind(getHead(other))
      assert.deepStrictEqual<unknown>(swaps, toSwaps(other, World.pool(1)))
      assert.strictEqual((yield* Effect.flip(source.chain(newKey(), [], undefined))).reason, "NotReady")
    })
  )
}

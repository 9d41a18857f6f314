import { assert } from "@effect/vitest"
import type { Vitest } from "@effect/vitest"
import { Effect } from "effect"
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
    "behind any place are the swaps of the pool that the chain has there, as many as asked for",
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

  it.effect("up to an older head the swaps behind it, and its state, are not there yet", () =>
    Effect.gen(function* () {
      const { key, source } = yield* stored(chain)
      for (const length of [10, 41, 79]) {
        const before = chain.slice(0, length)
        const { swaps } = yield* source.after(key, World.pool(1), { number: 0, logIndex: -1 }, getHead(before), 1000)
        assert.deepStrictEqual<unknown>(swaps, toSwaps(before, World.pool(1)))
      }
    })
  )

  it.effect("with them come the newest blocks between the place and the head, sixty-four at most", () =>
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

  it.effect("of known blocks the newest that the chain still has is the common one", () =>
    Effect.gen(function* () {
      const { key, source, store } = yield* stored(chain)
      const names = chain.map(nameOf)
      const commonOf = (known: ReadonlyArray<BlockId>) => Effect.map(source.chain(key, known), ({ common }) => common)
      assert.deepStrictEqual(yield* source.chain(key, names.slice(-9)), {
        head: getHead(chain),
        common: getHead(chain)
      })
      assert.isUndefined(yield* commonOf([]))
      assert.isUndefined(yield* commonOf([{ number: 105, hash: "0xother" }]))
      yield* store.rewind(key, chain[69]?.number ?? 0, other.slice(70), finalized)
      assert.deepStrictEqual(yield* source.chain(key, names.slice(-20)), {
        head: getHead(other),
        common: names[69]
      })
      assert.isUndefined(yield* commonOf(names.slice(70)))
    })
  )

  it.effect("finalized is no block that a reorg reaches, and none above what is asked", () =>
    Effect.gen(function* () {
      const { key, source } = yield* stored(chain)
      const [first] = chain
      assert.strictEqual((yield* source.finalized(key, 1000))?.number, finalized)
      assert.deepStrictEqual(yield* source.finalized(key, 105), nameOf(chain[4] ?? assert.fail("no block")))
      assert.isUndefined(yield* source.finalized(key, (first?.number ?? 0) - 1))
    })
  )

  it.effect("nothing is read from a branch that is gone, and nothing of an index without blocks", () =>
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
      assert.strictEqual((yield* Effect.flip(source.chain(newKey(), []))).reason, "NotReady")
    })
  )
}

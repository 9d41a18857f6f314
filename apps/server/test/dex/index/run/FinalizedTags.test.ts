import { assert, describe, it } from "@effect/vitest"
import { Effect, SubscriptionRef } from "effect"
import { makeMemoryEntityStore } from "../store/MemoryEntityStore.ts"
import type { MemoryEntityStore } from "../store/MemoryEntityStore.ts"
import { findTruth, followToHead, grow, startOn, syntheticConfig } from "../synthetic/SyntheticIndex.ts"
import { SyntheticNode } from "../synthetic/SyntheticNode.ts"

const depth = 10
const blocks = 60
const config = syntheticConfig(depth)
const twoNodes = syntheticConfig(depth, 2)

const chain = (finalized?: number) => {
  const node = new SyntheticNode()
  node.setBranch(0, grow(node.head, blocks, 5))
  node.finalized = finalized
  return node
}

/** The other node sees the same chain as the first. */
const follow = Effect.fnUntraced(function* (store: MemoryEntityStore, one: SyntheticNode, two?: SyntheticNode) {
  const indexer = yield* startOn(
    two === undefined ? { one } : { one, two },
    store.service,
    two === undefined ? config : twoNodes,
    20
  )
  yield* followToHead(indexer)
  return indexer
})

const finalized = (store: MemoryEntityStore) => store.index(config.key).finalized

describe("the newest final block of an index", () => {
  const cases: ReadonlyArray<readonly [name: string, stated: number | undefined, expected: number]> = [
    ["is at the depth where the node has no tag", undefined, 50],
    ["is the block that the node calls finalized where that is deeper", 20, 20],
    ["is at the depth where the node calls a newer block finalized", 57, 50],
    ["is at the depth where the node calls its head finalized", 60, 50],
    ["is the first one where the node has finalized no other", 0, 0]
  ]
  it.effect.each(cases)("%s", ([, stated, expected]) =>
    Effect.gen(function* () {
      const store = makeMemoryEntityStore()
      const node = chain(stated)
      yield* follow(store, node)
      assert.strictEqual(finalized(store), expected)
      assert.deepStrictEqual(store.index(config.key).contents, yield* findTruth(chain(), config, blocks))
    })
  )

  const useless: ReadonlyArray<readonly [name: string, result: unknown]> = [
    ["a block above its head", { number: "0x3e8" }],
    ["no block", null],
    ["a block without a number", {}],
    ["a number that is none", { number: "0x" }],
    ["text", "0x14"]
  ]
  it.effect.each(useless)("is at the depth where the node answers %s", ([, result]) =>
    Effect.gen(function* () {
      const store = makeMemoryEntityStore()
      const node = chain()
      node.distort = ({ params }, reply) => (params[0] === "finalized" ? { result } : reply)
      yield* follow(store, node)
      assert.strictEqual(finalized(store), 50)
    })
  )

  it.effect("is the block that the node calls finalized after it stated one above its head", () =>
    Effect.gen(function* () {
      const store = makeMemoryEntityStore()
      const node = chain()
      node.finalized = 70
      node.distort = ({ params }, reply) => (params[0] === "finalized" ? { result: { number: "0x3e8" } } : reply)
      const indexer = yield* follow(store, node)
      node.distort = (_, reply) => reply
      node.setBranch(60, grow(node.head, 40, 6))
      yield* followToHead(indexer)
      assert.strictEqual(finalized(store), 70)
    })
  )

  it.effect("is at the depth where the node refuses the tag", () =>
    Effect.gen(function* () {
      const store = makeMemoryEntityStore()
      const node = chain()
      node.distort = ({ params }, reply) =>
        params[0] === "finalized" ? { error: { code: -32_602, message: "invalid argument 0: hex string" } } : reply
      yield* follow(store, node)
      assert.strictEqual(finalized(store), 50)
    })
  )

  it.effect("does not decrease when the node's tag does, nor after a restart", () =>
    Effect.gen(function* () {
      const store = makeMemoryEntityStore()
      const node = chain(40)
      const indexer = yield* follow(store, node)
      assert.strictEqual(finalized(store), 40)
      node.finalized = 30
      node.setBranch(60, grow(node.head, 2, 6))
      yield* followToHead(indexer)
      assert.strictEqual(finalized(store), 40)
      node.setBranch(62, grow(node.head, 2, 6))
      yield* follow(store, node)
      assert.strictEqual(finalized(store), 40)
    })
  )

  it.effect("is the lowest that the nodes state", () =>
    Effect.gen(function* () {
      for (const [one, two, expected] of [
        [20, 40, 20],
        [40, 20, 20],
        [undefined, 30, 30],
        [30, undefined, 30],
        [60, 45, 45]
      ] as const) {
        const store = makeMemoryEntityStore()
        yield* follow(store, chain(one), chain(two))
        assert.strictEqual(finalized(store), expected, `${one} and ${two}`)
      }
    })
  )

  it.effect("does not follow the tag of a late node", () =>
    Effect.gen(function* () {
      const store = makeMemoryEntityStore()
      const late = chain(10)
      late.canonical = late.canonical.slice(0, 40)
      yield* follow(store, late, chain(45))
      assert.strictEqual(finalized(store), 45)
    })
  )

  it.effect("is not above what is indexed where the node states too high a head", () =>
    Effect.gen(function* () {
      const store = makeMemoryEntityStore()
      const node = chain()
      const higher = chain()
      higher.setBranch(blocks, grow(higher.head, 100, 5))
      node.distort = ({ params }, reply) =>
        params[0] === "latest"
          ? higher.answer({ id: 0, method: "eth_getBlockByNumber", params: ["latest", false] })
          : reply
      const indexer = yield* startOn({ one: node }, store.service, config, 20)
      yield* Effect.ignore(followToHead(indexer))
      const { checkpoint } = store.index(config.key)
      assert.isAtMost(finalized(store), checkpoint?.number ?? 0)
    })
  )
})

describe("a reorg", () => {
  it.effect("deeper than the depth is followed if the chain has not finalized the blocks", () =>
    Effect.gen(function* () {
      const store = makeMemoryEntityStore()
      const node = chain(20)
      const indexer = yield* follow(store, node)
      node.setBranch(25, grow(node.canonical[25] ?? node.head, 40, 7))
      yield* followToHead(indexer)
      assert.deepStrictEqual(store.index(config.key).contents, yield* findTruth(node, config, 65))
    })
  )

  it.effect("of a block that the chain has finalized stops the index, and names the blocks", () =>
    Effect.gen(function* () {
      const store = makeMemoryEntityStore()
      const node = chain(40)
      const indexer = yield* follow(store, node)
      while (yield* indexer.prove);
      node.setBranch(35, grow(node.canonical[35] ?? node.head, 40, 7))
      yield* indexer.run
      const { lastError, state } = yield* SubscriptionRef.get(indexer.status)
      assert.strictEqual(state, "stopped")
      assert.match(lastError?.message ?? "", /neither block 60 as it is indexed nor one of the 20 blocks before it/)
    })
  )

  it.effect("of proven blocks stops an index that is shorter than the depth", () =>
    Effect.gen(function* () {
      const store = makeMemoryEntityStore()
      const node = chain()
      const indexer = yield* startOn({ one: node }, store.service, config, depth - 2)
      yield* indexer.step
      while (yield* indexer.prove);
      const before = store.index(config.key).contents
      node.setBranch(5, grow(node.canonical[5] ?? node.head, blocks, 7))
      const { message } = yield* Effect.flip(indexer.step)
      assert.include(message, "has neither block 8 as it is indexed")
      assert.deepStrictEqual(store.index(config.key).contents, before)
    })
  )

  it.effect("of a final block on one of two nodes does not stop the index, which follows the other one", () =>
    Effect.gen(function* () {
      for (const isFirst of [true, false]) {
        const store = makeMemoryEntityStore()
        const [honest, other] = [chain(), chain()]
        const [one, two] = isFirst ? [other, honest] : [honest, other]
        const indexer = yield* follow(store, one, two)
        while (yield* indexer.prove);
        other.setBranch(20, grow(other.canonical[20] ?? other.head, 41, 7))
        honest.setBranch(60, grow(honest.head, 3, 8))
        for (let turn = 0; turn < 12; turn++) yield* Effect.exit(indexer.step)
        const { indexed, state } = yield* SubscriptionRef.get(indexer.status)
        assert.deepInclude({ indexed, state }, { indexed: 63, state: "realtime" })
        assert.deepStrictEqual(store.index(config.key).contents, yield* findTruth(honest, config, 63))
      }
    })
  )

  it.effect("of unproven final blocks is followed, back to the last proven block", () =>
    Effect.gen(function* () {
      const store = makeMemoryEntityStore()
      const node = chain()
      const indexer = yield* startOn({ one: node }, store.service, config, 20)
      yield* indexer.step
      yield* indexer.prove
      yield* indexer.step
      const { checkpoint, proven } = store.index(config.key)
      assert.isAbove(checkpoint?.number ?? 0, (proven?.number ?? 0) + depth)
      node.setBranch(proven?.number ?? 0, grow(node.canonical[proven?.number ?? 0] ?? node.head, 70, 7))
      yield* followToHead(indexer)
      assert.deepStrictEqual(store.index(config.key).contents, yield* findTruth(node, config, node.head.number))
    })
  )
})

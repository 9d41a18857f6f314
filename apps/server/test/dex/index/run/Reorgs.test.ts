import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, SubscriptionRef } from "effect"
import { EntityStore } from "../../../../src/dex/index/store/EntityStore.ts"
import { LeaseLostError } from "../../../../src/ownership/Lease.ts"
import { casesOf } from "../../../Cases.ts"
import { makeMemoryEntityStore } from "../store/MemoryEntityStore.ts"
import type { MemoryEntityStore } from "../store/MemoryEntityStore.ts"
import { makeDraws } from "../synthetic/SyntheticChain.ts"
import { followToHead, grow, startOn, syntheticConfig, findTruth } from "../synthetic/SyntheticIndex.ts"
import { SyntheticNode } from "../synthetic/SyntheticNode.ts"

const sequences = casesOf("CHAINTAPE_REORG_SEQUENCES", { few: 80, many: 400 })
const firstSeed = Number(process.env["CHAINTAPE_REORG_SEED"] ?? 1)

/** A store that dies before or after a write, like a killed process. */
const crashingStore = (
  store: MemoryEntityStore,
  draw: (bound: number) => number,
  writes: number
): EntityStore["Service"] => {
  const dying = <E, R>(write: Effect.Effect<void, E, R>) => {
    const moment = draw(writes)
    if (moment === 0) return Effect.die("before the write")
    return moment === 1 ? Effect.andThen(write, Effect.die("after the write")) : write
  }
  return EntityStore.of({
    ...store.service,
    append: (...parameters) => Effect.suspend(() => dying(store.service.append(...parameters))),
    rewind: (...parameters) => Effect.suspend(() => dying(store.service.rewind(...parameters)))
  })
}

/** One life of a chain and of the indexes that follow it. */
const runLife = Effect.fnUntraced(function* (seed: number) {
  const draw = makeDraws(seed)
  const node = new SyntheticNode()
  node.runsPrograms = draw(2) === 0
  node.hasReceipts = draw(2) === 0
  const finality = 1 + draw(8)
  const config = syntheticConfig(finality)
  const store = makeMemoryEntityStore()
  // Some lives are quiet: the index is not disturbed while it works.
  const [writes, requests, restarts] = draw(3) === 0 ? [1_000_000, 1_000_000, 1_000_000] : [8, 12, 6]
  let seeds = seed * 1000
  let highest = 0
  const branch = (above: number, count: number) => {
    node.setBranch(above, grow(node.canonical[above] ?? node.head, count, seeds++))
    highest = Math.max(highest, node.head.number)
  }
  const reorg = () => {
    const depth = draw(3) === 0 ? finality : 1 + draw(finality)
    const above = Math.max(0, highest - finality, node.head.number - depth)
    branch(above, draw(2 + node.head.number - above + draw(3)))
  }
  const change = () => (draw(3) === 0 ? reorg() : branch(node.head.number, 1 + draw(draw(5) === 0 ? 40 : 3)))
  const blocks = [1, 3, 10, 500][draw(4)] ?? 1
  const ranges = 1 + draw(3)

  /** Nodes with the tag state a block that no reorg of this life reaches, or one far below it, and go back at times. */
  const hasTag = draw(2) === 0
  const tag = () => {
    if (hasTag) node.finalized = draw(6) === 0 ? draw(1 + node.head.number) : Math.max(0, highest - finality - draw(20))
  }
  branch(0, draw(60))
  let indexer = yield* startOn({ one: node }, crashingStore(store, draw, writes), config, blocks, ranges)
  node.beforeRequest = () => {
    if (draw(requests) === 0) change()
  }
  for (let turn = 0; turn < 15; turn++) {
    if (draw(2) === 0) change()
    tag()
    for (let steps = draw(4); steps > 0; steps--) {
      if (draw(3) === 0) yield* Effect.exit(indexer.prove)
      else yield* Effect.exit(indexer.step)
      const { indexed = 0, proven = 0 } = yield* SubscriptionRef.get(indexer.status)
      assert.isAtMost(proven, indexed, `seed ${seed}`)
    }
    if (draw(restarts) === 0)
      indexer = yield* startOn({ one: node }, crashingStore(store, draw, writes), config, blocks, ranges)
  }
  node.beforeRequest = () => {}
  branch(node.head.number, 1 + highest - node.head.number)
  const last = yield* startOn({ one: node }, store.service, config, blocks)
  yield* followToHead(last)
  while (yield* last.prove);
  assert.strictEqual((yield* SubscriptionRef.get(last.status)).proven, node.head.number, `seed ${seed}`)

  const truth = yield* findTruth(node, config, node.head.number)
  assert.deepStrictEqual(store.index(config.key).contents, truth, `seed ${seed}`)
})

/** What the log says of nodes that leave events out, and its lines that do not begin with the index. */
const listen = () => {
  const alarms: Array<string> = []
  const unnamed: Array<string> = []
  const logger = Logger.make(({ message }) => {
    const text = String(message)
    if (/stated other events|is rewound to block/.test(text)) alarms.push(text)
    if (!text.startsWith('Index "')) unnamed.push(text)
  })
  return { alarms, unnamed, layer: Logger.layer([logger]) }
}

describe("an index of a chain with reorgs", () => {
  it.live(
    `equals one that saw the final chain only, is proven to the head, accuses no node, and names itself in each line of the log, in ${sequences} generated lives`,
    () => {
      const { alarms, layer, unnamed } = listen()
      return Effect.forEach(
        Array.from({ length: sequences }, (_, index) => firstSeed + index),
        runLife,
        { discard: true }
      ).pipe(
        Effect.provide(layer),
        Effect.tap(() => Effect.sync(() => assert.deepStrictEqual({ alarms, unnamed }, { alarms: [], unnamed: [] })))
      )
    },
    120_000 + sequences * 300
  )
})

describe("a reorg right after a restart", () => {
  it.effect("is followed in one write, from the state of the common ancestor", () =>
    Effect.gen(function* () {
      const node = new SyntheticNode()
      node.setBranch(0, grow(node.head, 60, 5))
      const config = syntheticConfig(10)
      const store = makeMemoryEntityStore()
      yield* followToHead(yield* startOn({ one: node }, store.service, config, 500))
      node.setBranch(53, grow(node.canonical[53] ?? node.head, 9, 6))
      const writes: Array<string> = []
      const watched = EntityStore.of({
        ...store.service,
        append: (...parameters) => {
          writes.push("append")
          return store.service.append(...parameters)
        },
        rewind: (...parameters) => {
          writes.push(`rewind to ${parameters[1]} and ${parameters[2].length} blocks`)
          return store.service.rewind(...parameters)
        }
      })
      yield* followToHead(yield* startOn({ one: node }, watched, config, 500))
      assert.deepStrictEqual(writes, ["rewind to 53 and 9 blocks"])
      assert.deepStrictEqual(store.index(config.key).contents, yield* findTruth(node, config, 62))
    })
  )
})

describe("an index that another instance has taken over", () => {
  it.effect("writes nothing more, and ends", () =>
    Effect.gen(function* () {
      const node = new SyntheticNode()
      node.setBranch(0, grow(node.head, 30, 5))
      const store = makeMemoryEntityStore()
      const lost = new LeaseLostError({ name: "index:uniswap-v3/synthetic", epoch: 1 })
      const contested = EntityStore.of({
        ...store.service,
        append: () => Effect.fail(lost),
        rewind: () => Effect.fail(lost)
      })
      const config = syntheticConfig(10)
      const { run } = yield* startOn({ one: node }, contested, config, 500)
      assert.strictEqual(yield* Effect.flip(run), lost)
      assert.isUndefined(store.index(config.key).checkpoint)
    })
  )
})

describe("an index whose node lost its chain", () => {
  it.effect("waits for it, and reads one of the stored blocks at each poll", () =>
    Effect.gen(function* () {
      const node = new SyntheticNode()
      node.setBranch(0, grow(node.head, 60, 5))
      const config = syntheticConfig(10)
      const store = makeMemoryEntityStore()
      yield* followToHead(yield* startOn({ one: node }, store.service, config, 500))
      node.canonical = node.canonical.slice(0, 1)
      const read: Array<number> = []
      const counted = EntityStore.of({
        ...store.service,
        hashes: (...range) =>
          Effect.tap(store.service.hashes(...range), ({ length }) => Effect.sync(() => read.push(length)))
      })
      const indexer = yield* startOn({ one: node }, counted, config, 500)
      yield* indexer.step
      assert.isAtMost(Math.max(0, ...read), 1)
      assert.strictEqual(store.index(config.key).checkpoint?.number, 60)
    })
  )
})

describe("the index of an ephemeral chain", () => {
  it.live("is not rewound once more if it was compared with the chain before it followed it", () =>
    Effect.gen(function* () {
      const node = new SyntheticNode()
      const genesis = node.head
      node.setBranch(0, grow(genesis, 60, 5))
      const config = { ...syntheticConfig(10), ephemeral: true }
      const store = makeMemoryEntityStore()
      const indexer = yield* startOn({ one: node }, store.service, config, 500)
      yield* followToHead(indexer)
      node.setBranch(0, grow(genesis, 90, 6))
      assert.isFalse(yield* indexer.prove)
      yield* followToHead(indexer)
      assert.strictEqual(store.index(config.key).rewindCount, 1)
      assert.deepStrictEqual(store.index(config.key).contents, yield* findTruth(node, config, 90))
    })
  )

  it.live("starts over if the chain has, be it shorter or longer than the index", () =>
    Effect.gen(function* () {
      for (const blocks of [20, 90]) {
        const node = new SyntheticNode()
        node.setBranch(0, grow(node.head, 60, 5))
        const config = { ...syntheticConfig(10), ephemeral: true }
        const store = makeMemoryEntityStore()
        yield* followToHead(yield* startOn({ one: node }, store.service, config, 500))
        node.setBranch(0, grow(node.canonical[0] ?? node.head, blocks, 6))
        const indexer = yield* startOn({ one: node }, store.service, config, 500)
        yield* followToHead(indexer)
        assert.deepStrictEqual(store.index(config.key).contents, yield* findTruth(node, config, blocks))
        assert.strictEqual(store.index(config.key).checkpoint?.number, blocks)
        assert.strictEqual((yield* SubscriptionRef.get(indexer.status)).reorgs, 1)
      }
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { EntityStore } from "../../../src/dex/index/IndexedBlock.ts"
import { makeMemoryEntityStore } from "./MemoryEntityStore.ts"
import type { MemoryEntityStore } from "./MemoryEntityStore.ts"
import { makeDraws } from "./SyntheticChain.ts"
import { followToHead, grow, startOn, syntheticConfig, truthOf } from "./SyntheticIndex.ts"
import { SyntheticNode } from "./SyntheticNode.ts"

const sequences = Number(process.env["CHAINTAPE_REORG_SEQUENCES"] ?? 200)
const firstSeed = Number(process.env["CHAINTAPE_REORG_SEED"] ?? 1)

/** A store that dies before or after a write, as a process does. */
const mortal = (store: MemoryEntityStore, draw: (bound: number) => number, writes: number): EntityStore["Service"] => {
  const dying = <E>(write: Effect.Effect<void, E>) => {
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
const live = Effect.fnUntraced(function* (seed: number) {
  const draw = makeDraws(seed)
  const node = new SyntheticNode()
  node.runsPrograms = draw(2) === 0
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

  branch(0, draw(60))
  let indexer = yield* startOn({ one: node }, mortal(store, draw, writes), config, blocks)
  node.beforeRequest = () => {
    if (draw(requests) === 0) change()
  }
  for (let turn = 0; turn < 15; turn++) {
    if (draw(2) === 0) change()
    for (let steps = draw(4); steps > 0; steps--) yield* Effect.exit(indexer.step)
    if (draw(restarts) === 0) indexer = yield* startOn({ one: node }, mortal(store, draw, writes), config, blocks)
  }
  node.beforeRequest = () => {}
  branch(node.head.number, 1 + highest - node.head.number)
  yield* followToHead(yield* startOn({ one: node }, store.service, config, blocks))

  const truth = yield* truthOf(node, config, node.head.number)
  assert.deepStrictEqual(store.index(config.key).contents, truth, `seed ${seed}`)
})

describe("an index of a chain with reorgs", () => {
  it.live(
    `equals one that saw the final chain only, in ${sequences} generated lives`,
    () =>
      Effect.forEach(
        Array.from({ length: sequences }, (_, index) => firstSeed + index),
        live,
        { discard: true }
      ),
    60_000 + sequences * 300
  )
})

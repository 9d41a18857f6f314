import { Devnet } from "@chaintape/sandbox"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer, Random, Schedule } from "effect"
import { casesOf } from "../Cases.ts"
import { keyed } from "../RunningService.ts"
import { readTicks, readTruth } from "./ChainTruth.ts"
import { base, configOf, indexedService, toRows, untilIndexed } from "./IndexedService.ts"

const turns = casesOf("CHAINTAPE_TICK_TURNS", { few: 5, many: 30 })

const world = Layer.unwrap(
  Effect.gen(function* () {
    const devnet = yield* Devnet
    const files = yield* FileSystem.FileSystem
    const dataDir = yield* files.makeTempDirectoryScoped()
    return indexedService(configOf(devnet, [devnet.rpc]), `${dataDir}/database`)
  })
).pipe(
  Layer.provideMerge(
    Devnet.layer({ mode: "manual", seed: "ticks", activity: 8, prefill: 30, genesisTimestamp: 1_700_000_000 })
  ),
  Layer.provide(NodeServices.layer)
)

describe("the ticks of pools, while positions are opened and closed at random and the chain reorganises", () => {
  layer(world, { excludeTestServices: true, timeout: 120_000 })((it) => {
    it.effect(
      "are those that the contracts state, at the head and in earlier blocks",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet
          let compared = 0
          for (let turn = 0; turn < turns; turn++) {
            for (let step = 0; step < 4; step++) yield* devnet.chain.step
            const { hash, number } = yield* devnet.chain.reorg(yield* Random.nextIntBetween(2, 8))
            yield* untilIndexed(number)
            yield* Effect.repeat(keyed(base), {
              until: ({ headers }) => String(headers["chaintape-as-of"]).includes(`"${hash}"`),
              schedule: Schedule.spaced("20 millis").pipe(Schedule.upTo({ duration: "1 minute" }))
            })
            const truth = yield* readTruth(devnet)
            for (const block of [number, yield* Random.nextIntBetween(20, number)]) {
              for (const { id } of truth.poolsAt(block)) {
                const ticks = yield* readTicks(devnet.rpc, block, id, truth.events)
                const found = yield* toRows(`${base}/pool/${id}/ticks?block=${block}`)
                assert.deepStrictEqual(found, ticks, `${id} in block ${block}`)
                compared += ticks.length
              }
            }
          }
          assert.isAbove(compared, turns * 20)
        }).pipe(Random.withSeed("ticks")),
      180_000
    )
  })
})

import { Devnet } from "@chaintape/sandbox"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer, Random, Schedule } from "effect"
import { casesOf } from "../Cases.ts"
import { keyed, metrics } from "../RunningService.ts"
import { base, configOf, indexedService, toRows, untilIndexed } from "./IndexedService.ts"

const turns = casesOf("CHAINTAPE_AGAIN_TURNS", { few: 8, many: 24 })

const world = Layer.unwrap(
  Effect.gen(function* () {
    const devnet = yield* Devnet
    const files = yield* FileSystem.FileSystem
    const dataDir = yield* files.makeTempDirectoryScoped()
    return indexedService(configOf(devnet, [devnet.rpc]), `${dataDir}/database`)
  })
).pipe(
  Layer.provideMerge(Devnet.layer({ mode: "manual", seed: "again", prefill: 30, genesisTimestamp: 1_700_000_000 })),
  Layer.provide(NodeServices.layer)
)

const again = Effect.map(metrics, (body) => Number(/^chaintape_http_answered_again_total (\d+)$/m.exec(body)?.[1] ?? 0))

/** A request with a body bypasses the cache. */
const readUncached = (path: string) => keyed({ path, headers: { "content-length": 0 } })

describe("answers of an index", () => {
  layer(world, { excludeTestServices: true, timeout: 120_000 })((it) => {
    it.effect(
      "are served from the cache only until the next block or reorg",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet
          yield* untilIndexed((yield* devnet.chain.step).number)
          const [pool] = yield* toRows(`${base}/pools?limit=1`)
          const paths = [
            base,
            `${base}/pools?limit=3&orderBy=volumeUSD&orderDirection=desc`,
            `${base}/tokens?limit=3`,
            `${base}/pool/${String(pool?.["id"])}/trades?limit=3`
          ]
          const before = yield* again
          let hash = ""
          for (let turn = 0; turn < turns; turn++) {
            const head =
              turn % 4 === 3 ? yield* devnet.chain.reorg(yield* Random.nextIntBetween(1, 5)) : yield* devnet.chain.step
            // Polled all the time, so that a response of the previous block is cached when the next one comes.
            const last = yield* Effect.repeat(keyed(base), {
              until: ({ headers }) => String(headers["chaintape-as-of"]).includes(`"${head.hash}"`),
              schedule: Schedule.spaced("5 millis").pipe(Schedule.upTo({ duration: "1 minute" }))
            })
            assert.include(String(last.headers["chaintape-as-of"]), head.hash)
            assert.notStrictEqual(head.hash, hash)
            hash = head.hash
            for (const path of paths) {
              const first = yield* keyed(path)
              const second = yield* keyed(path)
              const long = yield* readUncached(path)
              for (const one of [first, second]) {
                assert.strictEqual(one.body, long.body)
                assert.strictEqual(one.headers["chaintape-as-of"], long.headers["chaintape-as-of"])
                assert.strictEqual(one.headers.etag, long.headers.etag)
              }
            }
          }
          assert.isAtLeast((yield* again) - before, turns * paths.length)
        }).pipe(Random.withSeed("again")),
      180_000
    )
  })
})

import { Devnet } from "@chaintape/sandbox"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, FileSystem, Layer } from "effect"
import type { ConfigFile } from "../../src/program/Config.ts"
import { readNamedLogs, readTicks } from "../dex/ChainTruth.ts"
import { algebraNames } from "../dex/index/run/algebra/AlgebraLedger.ts"
import { protocolIds } from "../dex/index/run/algebra/AlgebraWorld.ts"
import type { AlgebraRelease } from "../dex/index/run/algebra/AlgebraWorld.ts"
import { indexedServiceOn, toRows, untilIndexed } from "../dex/IndexedService.ts"
import { embeddedIn } from "../OwnDatabase.ts"
import { key, RunningService } from "../RunningService.ts"
import { chaintape } from "./CommandRun.ts"

const head = 60
const finality = 8

const temporary = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

/** A service over an index of Algebra, in a database. */
class World extends Context.Service<
  World,
  {
    readonly devnet: Devnet["Service"]
    readonly algebra: NonNullable<Devnet["Service"]["algebra"]>
    readonly config: ConfigFile
    readonly context: Context.Context<RunningService>
  }
>()("@chaintape/server/test/cli/VerifyAlgebra/World") {
  static readonly layer = (release: AlgebraRelease) =>
    Layer.effect(
      World,
      Effect.gen(function* () {
        const devnet = yield* Devnet
        const { algebra } = devnet
        if (algebra === undefined) return yield* Effect.die(new Error("the devnet has no Algebra"))
        const dex = { ...algebra.config, id: "algebra", name: "Algebra", protocol: protocolIds[release] } as const
        const config: ConfigFile = {
          blockchains: [{ id: "devnet", name: "Devnet", rpc: [devnet.rpc], finality }],
          dexes: [{ ...dex, blockchain: "devnet", source: "index" }]
        }
        const store = embeddedIn(`${yield* temporary}/database`)
        const context = yield* Layer.build(indexedServiceOn(config, store, true))
        yield* Effect.provideContext(untilIndexed(head), context)
        return World.of({ devnet, algebra, config, context })
      })
    ).pipe(
      Layer.provide(Devnet.layer({ mode: "manual", prefill: head, algebra: release, activity: 4 })),
      Layer.provideMerge(NodeServices.layer)
    )
}

for (const release of ["1.0", "2.0"] as const) {
  layer(World.layer(release), { excludeTestServices: true, timeout: 120_000 })(
    `a service over an index of Algebra ${release}`,
    (it) => {
      it.effect("answers with the ticks of the contracts, without orders", () =>
        Effect.gen(function* () {
          const { algebra, context, devnet } = yield* World
          const pools = algebra.pools.map(({ address }) => address)
          const events = (yield* readNamedLogs(devnet.rpc, pools, algebraNames)).filter(({ block }) => block <= head)
          const hasOrders = events.some(({ name, topics }) => name === "Mint" && topics[2] === topics[3])
          assert.strictEqual(hasOrders, release === "2.0")
          for (const pool of pools) {
            const path = `/v2/dex/algebra/devnet/pool/${pool}/ticks?block=${head}&limit=1000`
            assert.deepStrictEqual<unknown>(
              yield* Effect.provideContext(toRows(path), context),
              yield* readTicks(devnet.rpc, head, pool, events)
            )
          }
        })
      )

      it.effect("is verified, field by field", () =>
        Effect.gen(function* () {
          const { config, context } = yield* World
          const directory = yield* temporary
          const file = `${directory}/chaintape.config.json`
          const files = yield* FileSystem.FileSystem
          yield* files.writeFileString(file, JSON.stringify(config))
          const { origin } = Context.get(context, RunningService)
          const words = `verify algebra devnet --url ${origin} --key ${key} --config ${file} --dir ${directory} --every 9`
          const ended = yield* chaintape(words.split(" "), { cwd: directory })
          assert.strictEqual(ended.code, 0, ended.stderr + ended.stdout)
          assert.match(
            ended.stdout,
            /^Verified: algebra on devnet as of block \d+: 4 tokens, 4 pools, \d+ trades at http/
          )
        })
      )
    }
  )
}

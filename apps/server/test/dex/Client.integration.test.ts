import { Dex } from "@chaintape/dex"
import { Devnet } from "@chaintape/sandbox"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Option, Redacted, Schedule } from "effect"
import type { ConfigFile } from "../../src/Config.ts"
import { Deployments } from "../../src/dex/Deployments.ts"
import * as Dexes from "../../src/Dexes.ts"
import { SourceHealth } from "../../src/sources/SourceHealth.ts"
import * as Database from "../../src/store/Database.ts"
import { aloneOnStore } from "../ownership/TestOwnership.ts"
import { key, plain, RunningService } from "../RunningService.ts"

const place = { exchange: "uniswap-v3", blockchain: "devnet" }

const configOf = (devnet: Devnet["Service"]): ConfigFile => ({
  blockchains: [{ id: "devnet", name: "Devnet", rpc: [devnet.rpc], finality: 8 }],
  dexes: [{ ...devnet.config, id: "uniswap-v3", name: "Uniswap V3", blockchain: "devnet", source: "index" }]
})

const service = (config: ConfigFile, dataDir: string) =>
  RunningService.layer({
    config,
    overrides: Deployments.layer(Dexes.deploymentsOf(config)).pipe(
      Layer.provide(SourceHealth.layer([])),
      Layer.provideMerge(Dexes.layer(config)),
      Layer.provide(aloneOnStore),
      Layer.provide(Database.layer({ url: undefined, dataDir }))
    )
  })

const atHead = plain("/status").pipe(
  Effect.filterOrFail(
    ({ body }) => body.includes(`"lag":0`),
    () => "behind"
  ),
  Effect.retry(Schedule.spaced("50 millis").pipe(Schedule.upTo({ duration: "2 minutes" })))
)

describe("the client of decentralized exchanges", () => {
  it.live(
    "reads what the index of a devnet holds",
    () =>
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const devnet = yield* Devnet
        const dataDir = yield* files.makeTempDirectoryScoped()
        yield* Effect.gen(function* () {
          yield* atHead
          const { origin } = yield* RunningService
          yield* Effect.gen(function* () {
            const dex = yield* Dex
            assert.deepStrictEqual(
              (yield* dex.blockchains({ exchange: "uniswap-v3" })).map(({ id }) => id),
              ["devnet"]
            )
            const { asOf, source, value: pools } = yield* dex.answer.pools({ ...place, limit: 1000 })
            assert.deepStrictEqual(
              pools.map(({ id }) => String(id)).toSorted(),
              devnet.pools.map(({ address }) => String(address)).toSorted()
            )
            assert.deepStrictEqual(source, Option.some("index"))
            assert.isTrue(Option.isSome(asOf))
            const [first] = pools
            assert.isDefined(first)
            if (first === undefined) return
            assert.deepStrictEqual(yield* dex.pool({ ...place, pool: first.id }), first)
            const { swaps = [] } = yield* dex.poolTrades({ ...place, pool: first.id, mint: false, burn: false })
            assert.isAbove(swaps.length, 0)
            const trades = yield* dex.tokenTrades({ ...place, token: first.token0.id, quote: false, limit: 5 })
            assert.deepStrictEqual(Object.keys(trades).toSorted(), ["burnsAs0", "mintsAs0", "swapsAs0", "token"])
            const tokens = yield* dex.tokens({ ...place, logo: true, orderBy: "symbol" })
            assert.deepStrictEqual(
              tokens.map(({ symbol }) => symbol),
              tokens.map(({ symbol }) => symbol).toSorted()
            )
            assert.isTrue(tokens.every(({ logo }) => logo === ""))
            const [totals] = yield* dex.deployments({ ...place, block: 50 })
            assert.strictEqual(totals?.id, devnet.config.factory)
            const missing = yield* Effect.flip(dex.pool({ ...place, pool: first.id, block: 1 }))
            assert.strictEqual(missing._tag, "PoolNotFound")
          }).pipe(Effect.provide(Dex.layer({ baseUrl: origin, apiKey: Redacted.make(key) })))
        }).pipe(Effect.provide(service(configOf(devnet), `${dataDir}/database`)))
      }).pipe(
        Effect.scoped,
        Effect.provide([
          NodeServices.layer,
          Devnet.layer({ mode: "manual", prefill: 60, genesisTimestamp: 1_700_000_000 })
        ])
      ),
    180_000
  )
})

import { Pool, PoolCandles, PoolTrades } from "@chaintape/core"
import { Devnet } from "@chaintape/sandbox"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, FileSystem, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ProtocolId } from "../../src/dex/ProtocolIds.ts"
import type { ConfigFile } from "../../src/program/Config.ts"
import { answer, indexedServiceOn, untilIndexed } from "../dex/IndexedService.ts"
import { embeddedIn } from "../OwnDatabase.ts"
import { key, keyed, RunningService } from "../RunningService.ts"
import { chaintape } from "./CommandRun.ts"

const finality = 8

const temporary = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

/** What a devnet has of a protocol besides Uniswap V3. */
const configOf = (devnet: Devnet["Service"], protocol: ProtocolId): ConfigFile => {
  const { config } = (protocol === "uniswap-v2" ? devnet.uniswapV2 : devnet.pancakeswap) ?? devnet
  return {
    blockchains: [{ id: "devnet", name: "Devnet", rpc: [devnet.rpc], finality }],
    dexes: [{ ...config, id: protocol, name: protocol, protocol, blockchain: "devnet", source: "index" }]
  }
}

/** A service over the index of a protocol on a devnet without new blocks. */
const serviceOf = (protocol: ProtocolId, head: number) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const devnet = yield* Devnet
    const config = configOf(devnet, protocol)
    const store = embeddedIn(`${yield* temporary}/database`)
    const built = yield* Layer.build(Layer.merge(indexedServiceOn(config, store, true), store))
    yield* Effect.provideContext(untilIndexed(head), built)
    const { origin } = Context.get(built, RunningService)
    const file = `${yield* temporary}/config.json`
    yield* files.writeFileString(file, JSON.stringify(config))
    const verify = (words: ReadonlyArray<string>, directory: string) =>
      chaintape(
        ["verify", protocol, "devnet", "--url", origin, "--key", key, "--config", file, "--dir", directory, ...words],
        { cwd: directory }
      )
    return { built, devnet, last: head - finality, sql: Context.get(built, SqlClient.SqlClient), verify }
  })

const devnetLayer = Devnet.layer({
  mode: "manual",
  seed: "still",
  prefill: 30,
  activity: 2,
  genesisTimestamp: 1_700_000_000,
  pancakeswap: true,
  uniswapV2: true
})

class World extends Context.Service<
  World,
  {
    readonly of: Readonly<Record<"uniswap-v2" | "pancakeswap-v3", Effect.Success<ReturnType<typeof serviceOf>>>>
  }
>()("@chaintape/server/test/cli/VerifyProtocols/World") {
  static readonly layer = Layer.effect(
    World,
    Effect.gen(function* () {
      const { number: head } = yield* Effect.flatMap(Devnet, (devnet) => devnet.chain.mine(1))
      const uniswapV2 = yield* serviceOf("uniswap-v2", head)
      return World.of({ of: { "uniswap-v2": uniswapV2, "pancakeswap-v3": yield* serviceOf("pancakeswap-v3", head) } })
    })
  ).pipe(Layer.provide(devnetLayer), Layer.provideMerge(NodeServices.layer))
}

const Found = Schema.NonEmptyArray(Schema.Struct({ id: Schema.String, from: Schema.Int }))

layer(World.layer, { excludeTestServices: true, timeout: 120_000 })("a protocol of an index", (it) => {
  describe.each(["uniswap-v2", "pancakeswap-v3"] as const)("%s", (protocol) => {
    it.effect("is proven by chaintape verify, whole and a pool alone", () =>
      Effect.gen(function* () {
        const { last, sql, verify } = (yield* World).of[protocol]
        const directory = yield* temporary
        const ended = yield* verify([], directory)
        assert.strictEqual(ended.code, 0, ended.stderr + ended.stdout)
        assert.match(
          ended.stdout,
          new RegExp(`^Verified: ${protocol} on devnet as of block ${last}: \\d+ tokens, 4 pools, \\d+ trades at http`)
        )
        const [{ from, id }] = yield* Schema.decodeUnknownEffect(Found)(
          yield* sql`select id, max(valid_from) as "from" from dex_pool where valid_from <= ${last}
            group by id order by id limit 1`
        )
        const alone = yield* verify(["--pool", id], yield* temporary)
        assert.strictEqual(alone.code, 0, alone.stderr + alone.stdout)
        assert.match(alone.stdout, new RegExp(`^Verified: pool ${id} of ${protocol} `))
        const where = `where id = '${id}' and valid_from = ${from}`
        yield* sql.unsafe(`update dex_pool set liquidity = liquidity + 1 ${where}`)
        const different = yield* verify([], directory)
        assert.strictEqual(different.code, 4, different.stderr)
        assert.match(
          different.stdout,
          new RegExp(`^Different: ${protocol} on devnet, block ${from}, .*: liquidity of pool ${id} is`)
        )
        yield* sql.unsafe(`update dex_pool set liquidity = liquidity - 1 ${where}`)
      })
    )
  })

  it.effect("answers of a pair as of a block, with the fields that it has", () =>
    Effect.gen(function* () {
      const { built, devnet } = (yield* World).of["uniswap-v2"]
      const base = "/v2/dex/uniswap-v2/devnet"
      yield* Effect.gen(function* () {
        for (const { address } of devnet.uniswapV2?.pairs ?? []) {
          const [pool] = yield* Effect.flatMap(
            answer(`${base}/pools?pool=${address}`),
            Schema.decodeUnknownEffect(Schema.Array(Pool))
          )
          assert.deepInclude(pool, {
            feeGrowthGlobal0X128: "",
            feeGrowthGlobal1X128: "",
            observationIndex: "",
            sqrtPrice: "",
            tick: ""
          })
          assert.strictEqual(pool?.feeTier, "3000")
          const { burns, mints, swaps } = yield* Effect.flatMap(
            answer(`${base}/pool/${address}/trades?limit=1000`),
            Schema.decodeUnknownEffect(PoolTrades)
          )
          assert.isNotEmpty(swaps ?? [])
          assert.isNotEmpty([...(mints ?? []), ...(burns ?? [])])
          for (const { sqrtPriceX96 } of swaps ?? []) assert.strictEqual(sqrtPriceX96, "")
          const { candles } = yield* Effect.flatMap(
            answer(`${base}/pool/${address}/aggregates/1m?limit=1000`),
            Schema.decodeUnknownEffect(PoolCandles)
          )
          assert.strictEqual(
            candles.reduce((sum, { txCount }) => sum + Number(txCount), 0),
            swaps?.length
          )
          for (const [index, { high, low, open, close }] of candles.entries()) {
            if (index > 0) assert.strictEqual(open, candles[index - 1]?.close)
            for (const price of [open, close]) {
              assert.isAtLeast(Number(high), Number(price))
              assert.isAtMost(Number(low), Number(price))
            }
          }
          assert.isAbove(Number(candles[0]?.open), 0)
          const ticks = yield* keyed({ path: `${base}/pool/${address}/ticks` })
          assert.strictEqual(ticks.status, 404)
          assert.include(ticks.body, "operation-not-supported")
          assert.include(ticks.body, "has no ticks: its protocol has no concentrated liquidity")
        }
        const ordered = yield* Effect.flatMap(
          answer(`${base}/pools?orderBy=sqrtPrice&orderDirection=desc`),
          Schema.decodeUnknownEffect(Schema.Array(Pool))
        )
        assert.lengthOf(ordered, 4)
      }).pipe(Effect.provideContext(built))
    })
  )
})

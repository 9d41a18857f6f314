import { Blocks, BlocksStream } from "@chaintape/blocks"
import { Client } from "@chaintape/core"
import { Dex, DexStream } from "@chaintape/dex"
import { Devnet } from "@chaintape/sandbox"
import { assert, describe, layer, vi } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, Stream } from "effect"
import { devnetHead, overDevnet } from "../dex/IndexedService.ts"
import { key, RunningService } from "../RunningService.ts"

// For a slow machine (milliseconds).
vi.setConfig({ testTimeout: 300_000 })

const place = { exchange: "uniswap-v3", blockchain: "devnet" } as const
const pageSizes = [1, 2, 3]

/** With the clients of a running service. */
const withClients = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(RunningService, ({ origin }) =>
    Effect.provide(
      effect,
      Layer.merge(Dex.layerNoDeps, Blocks.layerNoDeps).pipe(
        Layer.provide(Client.layer({ baseUrl: origin, apiKey: Redacted.make(key) }))
      )
    )
  )

/** With pages of any size, a stream equals one large response. */
const equalsOnePage = <A, E, E2>(
  one: Effect.Effect<ReadonlyArray<A>, E, Dex | Blocks>,
  all: (pageSize: number) => Stream.Stream<A, E2, Dex | Blocks>,
  least: number
) =>
  withClients(
    Effect.gen(function* () {
      const expected = yield* one
      assert.isAtLeast(expected.length, least)
      for (const pageSize of pageSizes) assert.deepStrictEqual(yield* Stream.runCollect(all(pageSize)), expected)
    })
  )

describe("over the index of a devnet", () => {
  layer(overDevnet, { excludeTestServices: true, timeout: 240_000 })((it) => {
    it.effect("the client reads what the index holds", () =>
      withClients(
        Effect.gen(function* () {
          const devnet = yield* Devnet
          const dex = yield* Dex
          assert.deepStrictEqual(
            (yield* dex.blockchains({ exchange: "uniswap-v3" })).map(({ id }) => id),
            ["devnet"]
          )
          const { asOf, source, value: pools } = yield* dex.withResponse.pools({ ...place, limit: 1000 })
          assert.deepStrictEqual(
            pools.map(({ id }) => String(id)).toSorted(),
            devnet.pools.map(({ address }) => String(address)).toSorted()
          )
          assert.deepStrictEqual(source, Option.some("index"))
          assert.isTrue(Option.isSome(asOf))
          const [first] = pools
          if (first === undefined) return assert.fail("there is no pool")
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
          const [totals] = yield* dex.deployments({ ...place, block: 30 })
          assert.strictEqual(totals?.id, devnet.config.factory)
          const missing = yield* Effect.flip(dex.pool({ ...place, pool: first.id, block: 1 }))
          assert.strictEqual(missing._tag, "PoolNotFound")
        })
      )
    )

    it.effect("the stream of a list is all pools, now and as of a block", () =>
      Effect.gen(function* () {
        for (const block of [undefined, 20]) {
          const one = Effect.flatMap(Dex, (dex) => dex.pools({ ...place, block, limit: 1000 }))
          yield* equalsOnePage(one, (pageSize) => DexStream.pools({ ...place, block, pageSize }), 2)
        }
      })
    )

    it.effect("the stream of a list is all tokens in the order that was asked for", () => {
      const request = { ...place, orderBy: "txCount", orderDirection: "desc" } as const
      const one = Effect.flatMap(Dex, (dex) => dex.tokens({ ...request, limit: 1000 }))
      return equalsOnePage(one, (pageSize) => DexStream.tokens({ ...request, pageSize }), 3)
    })

    it.effect("the stream of a list is all swaps of a pool, and all mints of a token", () =>
      Effect.gen(function* () {
        const [pool] = yield* withClients(
          Effect.flatMap(Dex, (dex) => dex.pools({ ...place, orderBy: "txCount", orderDirection: "desc", limit: 1 }))
        )
        if (pool === undefined) return assert.fail("there is no pool")
        const swaps = Effect.flatMap(Dex, (dex) => dex.poolTrades({ ...place, pool: pool.id, limit: 1000 }))
        yield* equalsOnePage(
          Effect.map(swaps, (trades) => trades.swaps ?? []),
          (pageSize) => DexStream.poolTrades({ ...place, pool: pool.id, kind: "swap", pageSize }),
          4
        )
        const token = pool.token0.id
        const mints = Effect.flatMap(Dex, (dex) => dex.tokenTrades({ ...place, token, limit: 1000 }))
        yield* equalsOnePage(
          Effect.map(mints, (trades) => trades.mintsAs0 ?? []),
          (pageSize) => DexStream.tokenTrades({ ...place, token, kind: "mint", as: "token0", pageSize }),
          1
        )
      })
    )

    it.effect("the stream of a list is all blocks, newest first, and those of a window", () =>
      Effect.gen(function* () {
        const all = Effect.flatMap(Blocks, (blocks) => blocks.blocks({ blockchain: "devnet", limit: 1000 }))
        const stream = (pageSize: number) => BlocksStream.blocks({ blockchain: "devnet", pageSize: pageSize * 10 })
        yield* equalsOnePage(all, stream, devnetHead + 1)
        const [, , newest, , , oldest] = yield* withClients(all)
        const window = { blockchain: "devnet", from: oldest?.timestamp, to: newest?.timestamp } as const
        yield* equalsOnePage(
          Effect.flatMap(Blocks, (blocks) => blocks.blocks({ ...window, limit: 1000 })),
          (pageSize) => BlocksStream.blocks({ ...window, pageSize }),
          4
        )
      })
    )
  })
})

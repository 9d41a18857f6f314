import { Devnet } from "@chaintape/sandbox"
import { assert, describe, layer } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer, Schema, SubscriptionRef } from "effect"
import { FetchHttpClient, HttpClient, HttpClientResponse } from "effect/http"
import type { IndexConfig } from "../../../../src/dex/index/IndexConfig.ts"
import { makeIndexer } from "../../../../src/dex/index/run/Indexer.ts"
import { casesOf } from "../../../Cases.ts"
import { withLease } from "../../../ownership/TestLease.ts"
import { makeMemoryEntityStore } from "../store/MemoryEntityStore.ts"
import type { MemoryIndex } from "../store/MemoryEntityStore.ts"
import { makeLogLie } from "../synthetic/Lies.ts"
import type { Lie } from "../synthetic/Lies.ts"
import { makeDraws } from "../synthetic/SyntheticChain.ts"
import { followToHead } from "../synthetic/SyntheticIndex.ts"

const seeds = casesOf("CHAINTAPE_PROTOCOL_LIES", { few: 12, many: 120 })
const blocks = 60
const finality = 10

/** The deployments of a devnet with each protocol, by `protocol`. */
const toConfigs = ({ algebra, config, pancakeswap, rpc, uniswapV2 }: Devnet["Service"]): ReadonlyArray<IndexConfig> => {
  const shared = { blockchain: "devnet", rpc: [rpc], finality }
  if (algebra === undefined || pancakeswap === undefined || uniswapV2 === undefined) return []
  return [
    { ...config, ...shared, key: "uniswap-v3/devnet", protocol: "uniswap-v3" },
    { ...pancakeswap.config, ...shared, key: "pancakeswap-v3/devnet", protocol: "pancakeswap-v3" },
    { ...uniswapV2.config, ...shared, key: "uniswap-v2/devnet", protocol: "uniswap-v2" },
    { ...algebra.config, ...shared, key: "algebra/devnet", protocol: "algebra-2" }
  ]
}

const World = Context.Service<{
  readonly head: number
  readonly deployments: ReadonlyArray<{ readonly config: IndexConfig; readonly truth: MemoryIndex }>
}>("@chaintape/server/test/dex/LyingDevnet")

const followed = Effect.gen(function* () {
  const devnet = yield* Devnet
  for (let step = 0; step < blocks; step++) yield* devnet.chain.step
  const deployments = yield* Effect.forEach(toConfigs(devnet), (config) =>
    Effect.gen(function* () {
      const store = makeMemoryEntityStore()
      yield* followToHead(yield* makeIndexer(config).pipe(Effect.provide(store.layer)))
      return { config, truth: store.index(config.key) }
    })
  )
  return { head: deployments[0]?.truth.checkpoint?.number ?? 0, deployments }
})

const worldLayer = Layer.effect(World, followed).pipe(
  Layer.provide(
    Devnet.layer({
      mode: "manual",
      prefill: 5,
      seed: 7,
      activity: 4,
      pancakeswap: true,
      uniswapV2: true,
      algebra: "2.0"
    })
  ),
  Layer.provideMerge(FetchHttpClient.layer)
)

const Call = Schema.Struct({ id: Schema.Int, method: Schema.String, params: Schema.Array(Schema.Unknown) })
const decodeCalls = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Union([Schema.Array(Call), Call])))
const Reply = Schema.Record(Schema.String, Schema.Unknown)
const decodeReplies = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Union([Schema.Array(Reply), Reply])))

/** The client of a node that answers as this lie says. */
const toLiar = (honest: HttpClient.HttpClient, { distort }: Lie): HttpClient.HttpClient =>
  HttpClient.make((request) =>
    Effect.gen(function* () {
      const response = yield* honest.execute(request)
      const body = request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : "[]"
      const calls = new Map([decodeCalls(body)].flat().map((call) => [call.id, call]))
      const replies = decodeReplies(yield* response.text)
      const lied = [replies].flat().map((reply) => {
        const call = calls.get(Number(reply["id"]))
        const isAnswer = call !== undefined && "result" in reply
        return isAnswer ? { ...reply, ...distort(call, { result: reply["result"] }) } : reply
      })
      const text = JSON.stringify(Array.isArray(replies) ? lied : lied[0])
      return HttpClientResponse.fromWeb(request, new Response(text, { status: response.status }))
    })
  )

const toFailures = <A, E>(exit: Exit.Exit<A, E>): ReadonlyArray<string> =>
  Exit.isFailure(exit) ? [String(Cause.squash(exit.cause))] : []

/** All versions of all rows, except how the fee growth of a pool is found. */
const toRows = ({ rows: { pool, ...rows } }: MemoryIndex) => ({
  ...rows,
  pool: [...pool].map(([id, versions]) => [
    id,
    versions.map(({ row: { simulation: _, ...row }, ...version }) => ({ ...version, row }))
  ])
})

const oneLie = Effect.fnUntraced(function* (seed: number, head: number, config: IndexConfig, truth: MemoryIndex) {
  const draw = makeDraws(seed)
  const lie = makeLogLie(seed, draw)
  const name = `seed ${seed}, ${config.key}: a node that ${lie.name}`
  const store = makeMemoryEntityStore()
  const indexer = yield* makeIndexer(config, { firstBlocks: [3, 20, 500][draw(3)] ?? 20 }).pipe(
    Effect.provide(store.layer),
    Effect.provideService(HttpClient.HttpClient, toLiar(yield* HttpClient.HttpClient, lie))
  )
  let failures: ReadonlyArray<string> = []
  for (let turn = 0; turn < 30 || (failures.length === 0 && turn < 300); turn++) {
    failures = [
      ...toFailures(yield* Effect.exit(withLease(indexer.step))),
      ...toFailures(yield* Effect.exit(withLease(indexer.prove)))
    ]
    const { indexed, proven } = yield* SubscriptionRef.get(indexer.status)
    if (failures.length === 0 && indexed === head && proven === head) break
  }
  const index = store.index(config.key)
  if (failures.length > 0) {
    assert.strictEqual(lie.mayEnd, "stopped", `${name}: ${failures.join(" ")}`)
    assert.match(failures.join(" "), /block \d+/, name)
    const upTo = index.proven?.number ?? 0
    assert.deepStrictEqual(index.stateAt(upTo).deployment, truth.stateAt(upTo).deployment, name)
    return "stopped"
  }
  assert.strictEqual((yield* SubscriptionRef.get(indexer.status)).proven, head, name)
  assert.deepStrictEqual(toRows(index), toRows(truth), name)
  assert.deepStrictEqual(index.trades, truth.trades, name)
  return "true"
})

describe("an index of each protocol, of a node that lies about logs", () => {
  layer(worldLayer, { excludeTestServices: true, timeout: "5 minutes" })((it) => {
    it.effect(
      `has the truth, or stops and names the block, with ${seeds} seeds`,
      () =>
        Effect.gen(function* () {
          const { deployments, head } = yield* World
          assert.lengthOf(deployments, 4)
          for (const { config, truth } of deployments) {
            assert.isAbove(truth.trades.length, 30, config.key)
            const outcomes = new Set<string>()
            for (let seed = 1; seed <= seeds; seed++) outcomes.add(yield* oneLie(seed, head, config, truth))
            assert.sameMembers([...outcomes], ["true", "stopped"], config.key)
          }
        }),
      60_000 + seeds * 30_000
    )
  })
})

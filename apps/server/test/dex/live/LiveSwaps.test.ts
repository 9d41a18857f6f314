import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { Deployments } from "../../../src/dex/Deployments.ts"
import { LiveSwaps } from "../../../src/dex/live/LiveSwaps.ts"
import { SwapSource } from "../../../src/dex/live/SwapSource.ts"
import { Wakeups } from "../../../src/live/Wakeups.ts"
import { SourceHealth } from "../../../src/sources/SourceHealth.ts"
import { makeClient } from "../subgraph/GraphqlServer.ts"
import { deployment, layer, toSubgraph } from "../subgraph/SubgraphProbe.ts"

const client = Layer.succeed(HttpClient.HttpClient, makeClient(toSubgraph("basic")))

const live = LiveSwaps.layer.pipe(
  Layer.provide(
    Deployments.layer([
      { dex: "uniswap-v3", blockchain: "testnet", blockchainName: "Testnet", source: "subgraph", ephemeral: false }
    ])
  ),
  Layer.provide([
    layer([{ key: deployment, url: "http://subgraph.test" }]),
    SwapSource.layerNone,
    Wakeups.layer,
    SourceHealth.layer([])
  ]),
  Layer.provide(client)
)

describe("a stream of the swaps of a pool", () => {
  it.effect("is refused if its deployment has no swaps to follow", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip((yield* LiveSwaps).feed("uniswap-v3", "testnet", "0xpool"))
      assert.strictEqual(refused._tag, "OperationNotSupported")
      assert.strictEqual(
        refused.detail,
        '"uniswap-v3" on "testnet" is read from a subgraph, so that its swaps cannot be followed: ask for them with /v2.'
      )
    }).pipe(Effect.provide(live))
  )
})

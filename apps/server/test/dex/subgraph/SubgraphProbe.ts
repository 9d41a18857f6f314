import { Effect, Layer, Option, Redacted } from "effect"
import { HttpClient } from "effect/http"
import type { PoolQuery, TokenQuery, TradeQuery } from "../../../src/dex/DexQueries.ts"
import { DexSource } from "../../../src/dex/DexSource.ts"
import { makeSubgraphView } from "../../../src/dex/subgraph/SubgraphDexSource.ts"
import type { SubgraphDeployment } from "../../../src/dex/subgraph/SubgraphDexSource.ts"
import { makeClient, makeSubgraph } from "./GraphqlServer.ts"
import type { Answer, Call, SubgraphOptions } from "./GraphqlServer.ts"
import { toEntities, fixture } from "./SubgraphData.ts"

export const deployment = "uniswap-v3/testnet"

/** It may appear in the header and in the address of the requests and nowhere else. */
export const secret = "canary-key-of-the-gateway"

const heads = { basic: 62, market: 384 }
export const headHash = `0x${"7146".repeat(16)}`

export const lines = { basic: fixture("basic"), market: fixture("market") }

export const toSubgraph = (name: "basic" | "market", options: Partial<SubgraphOptions> = {}, idForm: "-" | "#" = "-") =>
  makeSubgraph({
    entities: toEntities(lines[name], idForm),
    head: { number: heads[name], hash: headHash },
    ...options
  })

/** The source of deployments that are read from a subgraph. */
export const layer = (
  deployments: ReadonlyArray<SubgraphDeployment>
): Layer.Layer<DexSource, never, HttpClient.HttpClient> =>
  Layer.effect(
    DexSource,
    Effect.map(makeSubgraphView(deployments), (view) => DexSource.of({ view, watchUnchanged: () => Effect.undefined }))
  )

/** The source over a server given by a function. */
const sourceOf = (answer: (call: Call) => Answer | undefined, fee?: number): Layer.Layer<DexSource> => {
  const entry = { key: deployment, url: `http://subgraph.test/api/${secret}/v3`, apiKey: Redacted.make(secret) }
  return layer([fee === undefined ? entry : { ...entry, fee }]).pipe(
    Layer.provide(Layer.succeed(HttpClient.HttpClient, makeClient(answer)))
  )
}

/** A view of the state as of a block, or of the newest. */
export const toView = (answer: (call: Call) => Answer | undefined, block?: number, fee?: number) =>
  Effect.flatMap(DexSource, (source) => source.view(deployment, Option.fromUndefinedOr(block))).pipe(
    Effect.provide(sourceOf(answer, fee))
  )

const none = Option.none()

export const tokenQuery = (query: Partial<TokenQuery> = {}): TokenQuery => ({
  limit: 1000,
  skip: 0,
  order: none,
  symbol: none,
  name: none,
  id: none,
  ...query
})

export const poolQuery = (query: Partial<PoolQuery> = {}): PoolQuery => ({
  limit: 1000,
  skip: 0,
  order: none,
  id: none,
  ...query
})

export const tradeQuery = (query: Partial<TradeQuery> = {}): TradeQuery => ({
  limit: 1000,
  skip: 0,
  order: none,
  from: none,
  to: none,
  ...query
})

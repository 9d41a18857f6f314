import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Config, Effect, Layer } from "effect"
import { toDeploymentKey } from "../dex/Deployments.ts"
import type { ConfiguredDeployment } from "../dex/Deployments.ts"
import { BlockOutOfRangeError, DexSource, DexSourceError } from "../dex/DexSource.ts"
import * as SqlDexView from "../dex/index/read/SqlDexView.ts"
import * as SqlSwapSource from "../dex/index/read/SqlSwapSource.ts"
import * as Indexers from "../dex/index/run/Indexers.ts"
import * as SqlEntityStore from "../dex/index/store/SqlEntityStore.ts"
import * as SqlRewinds from "../dex/index/store/SqlRewinds.ts"
import { SwapSource } from "../dex/live/SwapSource.ts"
import { presets } from "../dex/presets/Presets.ts"
import { makeSubgraphView } from "../dex/subgraph/SubgraphDexSource.ts"
import { Wakeups } from "../live/Wakeups.ts"
import { IndexStatuses } from "../status/IndexStatuses.ts"
import type { ConfigFile } from "./Config.ts"
import { isSubgraph, toIndexConfigs } from "./IndexConfigs.ts"
import type { SubgraphEntry } from "./IndexConfigs.ts"

/** The configured exchanges as the interface shows them. */
export const toDeployments = ({ blockchains = [], dexes = [] }: ConfigFile): ReadonlyArray<ConfiguredDeployment> =>
  dexes.map(({ blockchain, id, source }) => {
    const chain = blockchains.find((one) => one.id === blockchain)
    return {
      dex: id,
      blockchain,
      blockchainName: chain?.name ?? presets.get(blockchain)?.blockchain.name ?? blockchain,
      source,
      ephemeral: chain?.ephemeral ?? false
    }
  })

const subgraphDeployment = Effect.fnUntraced(function* ({ apiKeyVariable, blockchain, fee, id, url }: SubgraphEntry) {
  const key = { key: toDeploymentKey(id, blockchain), url, ...(fee === undefined ? {} : { fee }) }
  return apiKeyVariable === undefined ? key : { ...key, apiKey: yield* Config.Redacted(apiKeyVariable) }
})

/** The failure of an index without a block, with why it has none. Any other failure stays as it is. */
export const explainNoBlock = Effect.fnUntraced(function* (
  indexes: IndexStatuses["Service"],
  key: string,
  error: DexSourceError
) {
  const why = (yield* indexes.all).find((one) => one.key === key)?.lastError
  if (error.reason !== "NotReady" || !why) return yield* error
  const { retryAfterMs, source: from } = error
  return yield* new DexSourceError({
    source: from,
    reason: "NotReady",
    message: `The index of "${key}" has no block yet. ${why}`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs })
  })
})

/** Adds why the index does not go on, if the block may come later. */
const explain = Effect.fnUntraced(function* (
  indexes: IndexStatuses["Service"],
  key: string,
  error: BlockOutOfRangeError
) {
  const status = (yield* indexes.all).find((one) => one.key === key)
  const why = error.block > error.head ? status?.lastError : undefined
  return yield* new BlockOutOfRangeError({
    block: error.block,
    first: error.first,
    head: error.head,
    ...(why ? { why } : {})
  })
})

/** Each deployment from its own source. */
const source = (config: ConfigFile) =>
  Layer.effect(
    DexSource,
    Effect.gen(function* () {
      const index = yield* SqlDexView.make
      const indexes = yield* IndexStatuses
      const entries = (config.dexes ?? []).filter(isSubgraph)
      const subgraph = yield* makeSubgraphView(yield* Effect.forEach(entries, subgraphDeployment))
      const keys = new Set(entries.map(({ blockchain, id }) => toDeploymentKey(id, blockchain)))
      return DexSource.of({
        view: (key, block) =>
          keys.has(key)
            ? subgraph(key, block)
            : index.view(key, block).pipe(
                Effect.catchTags({
                  BlockOutOfRangeError: (error) => explain(indexes, key, error),
                  DexSourceError: (error) => explainNoBlock(indexes, key, error)
                })
              ),
        watchUnchanged: (key) => (keys.has(key) ? Effect.undefined : indexes.watchUnchanged(key))
      })
    })
  )

/** The sources of decentralized exchanges: the indexes, each owned by one of the instances, and the subgraphs. */
export const layer = (config: ConfigFile) => {
  const indexes = toIndexConfigs(config)
  return Layer.mergeAll(source(config), SqlSwapSource.layer(indexes), SqlRewinds.layer).pipe(
    Layer.provideMerge(Indexers.layer(indexes)),
    Layer.provide([SqlEntityStore.layer, Wakeups.layer]),
    Layer.provide(NodeHttpClient.layerUndici)
  )
}

/** Used if no decentralized exchange is configured. */
export const layerNone = Layer.mergeAll(
  Layer.succeed(DexSource, {
    view: (key: string) => Effect.die(new Error(`"${key}" is not configured`)),
    watchUnchanged: () => Effect.undefined
  }),
  SwapSource.layerNone,
  IndexStatuses.layerNone
)

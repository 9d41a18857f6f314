import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Config, Effect, Layer } from "effect"
import { toDeploymentKey } from "../dex/Deployments.ts"
import type { ConfiguredDeployment } from "../dex/Deployments.ts"
import { DexSource } from "../dex/DexSource.ts"
import { makeIndexView } from "../dex/index/read/IndexView.ts"
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

/** Each deployment from its own source. */
const source = (config: ConfigFile) =>
  Layer.effect(
    DexSource,
    Effect.gen(function* () {
      const index = yield* makeIndexView
      const entries = (config.dexes ?? []).filter(isSubgraph)
      const subgraph = yield* makeSubgraphView(yield* Effect.forEach(entries, subgraphDeployment))
      const keys = new Set(entries.map(({ blockchain, id }) => toDeploymentKey(id, blockchain)))
      return DexSource.of({
        view: (key, block) => (keys.has(key) ? subgraph(key, block) : index.view(key, block)),
        watchUnchanged: (key) => (keys.has(key) ? Effect.undefined : index.watchUnchanged(key))
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

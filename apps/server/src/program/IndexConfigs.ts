import { toDeploymentKey } from "../dex/Deployments.ts"
import type { IndexConfig } from "../dex/index/IndexConfig.ts"
import { allPresets } from "../dex/presets/ForkPresets.ts"
import type { ConfigFile } from "./Config.ts"

const defaultFinality = 32

type Blockchain = NonNullable<ConfigFile["blockchains"]>[number]
type Entry = NonNullable<ConfigFile["dexes"]>[number]
export type SubgraphEntry = Extract<Entry, { readonly source: "subgraph" }>

export const isSubgraph = (entry: Entry): entry is SubgraphEntry => entry.source === "subgraph"

const presetRules = (name: string) => {
  const preset = allPresets.get(name)
  if (preset === undefined) return undefined
  const { tokenOverrides, ...rules } = preset.dex
  return {
    ...rules,
    chainId: preset.blockchain.chainId,
    tokenOverrides: Object.fromEntries(tokenOverrides.map(({ token, ...override }) => [token, override]))
  }
}

/** The depth from which blocks of the chain are final: that of the configuration, of the chain's preset, or the standard. */
export const toFinality = ({ dexes = [] }: ConfigFile, { finality, id }: Blockchain): number => {
  const named = dexes.find((entry) => entry.blockchain === id && "preset" in entry)
  const preset = named !== undefined && "preset" in named ? named.preset : id
  return finality ?? allPresets.get(preset)?.blockchain.finality ?? defaultFinality
}

/** The indexes of a configuration: an entry has its own rules, or names a preset. */
export const toIndexConfigs = (config: ConfigFile): ReadonlyArray<IndexConfig> =>
  (config.dexes ?? []).flatMap((entry): ReadonlyArray<IndexConfig> => {
    const chain = config.blockchains?.find(({ id }) => id === entry.blockchain)
    if (isSubgraph(entry) || chain === undefined) return []
    const rules = "preset" in entry ? presetRules(entry.preset) : entry
    return rules === undefined
      ? []
      : [
          {
            ...rules,
            ...(entry.verify === undefined ? {} : { verify: entry.verify }),
            key: toDeploymentKey(entry.id, entry.blockchain),
            blockchain: chain.id,
            rpc: chain.rpc,
            finality: toFinality(config, chain),
            ephemeral: chain.ephemeral ?? false
          }
        ]
  })

import { Schema, Struct } from "effect"
import hydrexBase from "../../../presets/hydrex/base.json" with { type: "json" }
import pancakeV2Arbitrum from "../../../presets/pancakeswap-v2/arbitrum.json" with { type: "json" }
import pancakeV2Base from "../../../presets/pancakeswap-v2/base.json" with { type: "json" }
import pancakeV2Bnb from "../../../presets/pancakeswap-v2/bnb.json" with { type: "json" }
import pancakeV2Ethereum from "../../../presets/pancakeswap-v2/ethereum.json" with { type: "json" }
import pancakeArbitrum from "../../../presets/pancakeswap-v3/arbitrum.json" with { type: "json" }
import pancakeBase from "../../../presets/pancakeswap-v3/base.json" with { type: "json" }
import pancakeBnb from "../../../presets/pancakeswap-v3/bnb.json" with { type: "json" }
import pancakeEthereum from "../../../presets/pancakeswap-v3/ethereum.json" with { type: "json" }
import quickswapPolygon from "../../../presets/quickswap-v3/polygon.json" with { type: "json" }
import quickswapBase from "../../../presets/quickswap-v4/base.json" with { type: "json" }
import uniswapV2Arbitrum from "../../../presets/uniswap-v2/arbitrum.json" with { type: "json" }
import uniswapV2Avalanche from "../../../presets/uniswap-v2/avalanche.json" with { type: "json" }
import uniswapV2Base from "../../../presets/uniswap-v2/base.json" with { type: "json" }
import uniswapV2Bnb from "../../../presets/uniswap-v2/bnb.json" with { type: "json" }
import uniswapV2Ethereum from "../../../presets/uniswap-v2/ethereum.json" with { type: "json" }
import uniswapV2Optimism from "../../../presets/uniswap-v2/optimism.json" with { type: "json" }
import uniswapV2Polygon from "../../../presets/uniswap-v2/polygon.json" with { type: "json" }
import { PresetDex, PresetEvidence, presets } from "./Presets.ts"
import type { Preset } from "./Presets.ts"

const { fields } = PresetDex

/**
 * Another exchange on a blockchain that has a preset: its wrapped coin, its tokens and its limits are those of that
 * preset where it states no others.
 */
const ForkPreset = Schema.Struct({
  /** The id of the blockchain's preset. */
  blockchain: Schema.NonEmptyString,
  dex: Schema.Struct({
    ...Struct.pick(fields, ["id", "name", "protocol", "fee", "factory", "startBlock", "stablePool"]),
    whitelist: Schema.optionalKey(fields.whitelist),
    stablecoins: Schema.optionalKey(fields.stablecoins),
    minimumNativeLocked: Schema.optionalKey(fields.minimumNativeLocked),
    skipPools: Schema.optionalKey(fields.skipPools),
    skipSwaps: Schema.optionalKey(fields.skipSwaps)
  }),
  evidence: Schema.Array(
    Schema.Struct({ ...PresetEvidence.fields, for: Schema.NonEmptyArray(PresetEvidence.fields.for) })
  )
})

const files: ReadonlyArray<unknown> = [
  pancakeEthereum,
  pancakeBnb,
  pancakeArbitrum,
  pancakeBase,
  pancakeV2Ethereum,
  pancakeV2Bnb,
  pancakeV2Arbitrum,
  pancakeV2Base,
  uniswapV2Ethereum,
  uniswapV2Arbitrum,
  uniswapV2Optimism,
  uniswapV2Base,
  uniswapV2Polygon,
  uniswapV2Bnb,
  uniswapV2Avalanche,
  quickswapPolygon,
  quickswapBase,
  hydrexBase
]

const decode = Schema.decodeUnknownSync(Schema.Array(ForkPreset), { onExcessProperty: "error" })

const complete = ({ blockchain, dex }: typeof ForkPreset.Type): Omit<Preset, "evidence"> => {
  const model = presets.get(blockchain)
  if (model === undefined) throw new Error(`The preset of "${dex.id}" names an unknown blockchain "${blockchain}".`)
  const { minimumNativeLocked, referenceToken, stablecoins, tokenOverrides, whitelist } = model.dex
  const ofChain = { minimumNativeLocked, referenceToken, stablecoins, tokenOverrides, whitelist }
  return { blockchain: model.blockchain, dex: { ...ofChain, skipPools: [], skipSwaps: [], ...dex } }
}

export const forks: ReadonlyArray<typeof ForkPreset.Type> = decode(files)

/** The name of a preset: the id of its blockchain for Uniswap V3, `<exchange>-<blockchain>` for others. */
export const toPresetName = (exchange: string, blockchain: string): string =>
  exchange === "uniswap-v3" ? blockchain : `${exchange}-${blockchain}`

/** All presets by name. */
export const allPresets: ReadonlyMap<string, Omit<Preset, "evidence">> = new Map<string, Omit<Preset, "evidence">>([
  ...presets,
  ...forks.map((fork) => [toPresetName(fork.dex.id, fork.blockchain), complete(fork)] as const)
])

import { Schema } from "effect"
import arbitrum from "../../../presets/arbitrum.json" with { type: "json" }
import avalanche from "../../../presets/avalanche.json" with { type: "json" }
import base from "../../../presets/base.json" with { type: "json" }
import bnb from "../../../presets/bnb.json" with { type: "json" }
import celo from "../../../presets/celo.json" with { type: "json" }
import ethereum from "../../../presets/ethereum.json" with { type: "json" }
import optimism from "../../../presets/optimism.json" with { type: "json" }
import polygon from "../../../presets/polygon.json" with { type: "json" }
import { protocolIds } from "../ProtocolIds.ts"

const Address = Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{40}$/u, { expected: "an address in lower case" }))

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const PresetBlockchain = Schema.Struct({
  id: Schema.NonEmptyString,
  name: Schema.NonEmptyString,
  chainId: Schema.Int.check(Schema.isGreaterThan(0)),
  /** The symbol of the native coin. */
  nativeCoin: Schema.NonEmptyString,
  /** The depth from which blocks are final, where it is not the standard one. */
  finality: Schema.optionalKey(Count)
})

export const PresetDex = Schema.Struct({
  id: Schema.NonEmptyString,
  name: Schema.NonEmptyString,
  /** As in the configuration, Uniswap V3 if absent. */
  protocol: Schema.optionalKey(Schema.Literals(protocolIds)),
  /** Of all pools, in millionths, where it is not that of the protocol. */
  fee: Schema.optionalKey(Count),
  factory: Address,
  startBlock: Count,
  referenceToken: Address,
  stablePool: Address,
  whitelist: Schema.NonEmptyArray(Address),
  stablecoins: Schema.Array(Address),
  minimumNativeLocked: Schema.String.check(Schema.isPattern(/^\d+(\.\d+)?$/u, { expected: "a decimal" })),
  skipPools: Schema.Array(Address),
  skipSwaps: Schema.Array(Schema.Struct({ pool: Address, block: Schema.optionalKey(Count) })),
  tokenOverrides: Schema.Array(
    Schema.Struct({ token: Address, name: Schema.NonEmptyString, symbol: Schema.NonEmptyString, decimals: Count })
  ),
  /** Pools created before `startBlock`. */
  seedPools: Schema.optionalKey(
    Schema.Array(Schema.Struct({ pool: Address, token0: Address, token1: Address, fee: Count }))
  )
})

/** The facts that need evidence; `finality`, `fee` and `seedPools` only if there are any. */
export const presetFacts = [
  "blockchain",
  "finality",
  "factory",
  "fee",
  "startBlock",
  "referenceToken",
  "stablePool",
  "whitelist",
  "stablecoins",
  "minimumNativeLocked",
  "skipPools",
  "skipSwaps",
  "tokenOverrides",
  "seedPools"
] as const

export const PresetEvidence = Schema.Struct({
  for: Schema.Literals(presetFacts),
  /** The title of a public document and its address. */
  source: Schema.String.check(Schema.isPattern(/^\S.*, https:\/\/\S+$/u, { expected: "a name, a comma, an address" })),
  /** The day on which the document was read. */
  seen: Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/u, { expected: "a day" }))
})

/** The facts of Uniswap V3 on one public blockchain. */
export const Preset = Schema.Struct({
  blockchain: PresetBlockchain,
  dex: PresetDex,
  evidence: Schema.Array(PresetEvidence)
})

export type Preset = typeof Preset.Type

const files: ReadonlyArray<unknown> = [ethereum, arbitrum, optimism, base, polygon, bnb, avalanche, celo]

const decode = Schema.decodeUnknownSync(Schema.Array(Preset), { onExcessProperty: "error" })

/** By the id of the blockchain. */
export const presets: ReadonlyMap<string, Preset> = new Map(decode(files).map((one) => [one.blockchain.id, one]))

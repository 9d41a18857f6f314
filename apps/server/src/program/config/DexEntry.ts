import { Schema } from "effect"
import { allPresets } from "../../dex/presets/ForkPresets.ts"
import { defaultProtocol, protocolIds } from "../../dex/ProtocolIds.ts"
import { Address, HttpUrl, Id } from "./ConfigText.ts"

const PairFee = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999_999 }))

const PositiveDecimal = Schema.String.check(
  Schema.isPattern(/^\d{1,30}(\.\d{1,18})?$/u, { expected: 'a decimal as text, such as "20"' })
)

const dexNames = {
  id: Id.annotate({ description: "How callers name the decentralized exchange" }),
  name: Schema.NonEmptyString.annotate({ description: "Its official name" }),
  blockchain: Id.annotate({ description: "Id of the blockchain; an index needs it in blockchains" })
}

const proofs = {
  verify: Schema.optionalKey(Schema.Literals(["all", "head", "none"])).annotate({
    description:
      "The blocks that are proven against their headers: every block (all), blocks near the head and blocks with events (head), " +
      "or nothing (none)",
    default: "all"
  })
}

const PresetDexEntry = Schema.Struct({
  ...dexNames,
  ...proofs,
  source: Schema.Literal("index"),
  preset: Schema.Literals([...allPresets.keys()]).annotate({
    description: "The public deployment that it is: addresses and rules come with the service"
  })
})

const IndexedDexEntry = Schema.Struct({
  ...dexNames,
  ...proofs,
  source: Schema.Literal("index").annotate({ description: "Indexed by this service from the blockchain's own logs" }),
  protocol: Schema.optionalKey(Schema.Literals(protocolIds)).annotate({
    description: "The protocol of the factory and its pools",
    default: defaultProtocol
  }),
  fee: Schema.optionalKey(PairFee).annotate({
    description: "Of a fork of Uniswap V2: the fee of its pairs in millionths; 3000 if absent"
  }),
  factory: Address.annotate({ description: "The factory of the deployment" }),
  startBlock: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
    description: "The block of the factory, or one before"
  }),
  referenceToken: Address.annotate({ description: "The wrapped native coin" }),
  stablePool: Address.annotate({ description: "The pool whose price gives the native coin in USD" }),
  whitelist: Schema.Array(Address).annotate({ description: "Tokens whose pools may price other tokens" }),
  stablecoins: Schema.Array(Address).annotate({ description: "Tokens that are worth one USD" }),
  minimumNativeLocked: PositiveDecimal.annotate({
    description: "A pool prices other tokens only with more than this locked, in the native coin"
  }),
  skipPools: Schema.optionalKey(Schema.Array(Address)).annotate({ description: "Pools that do not count at all" })
})

const SubgraphDexEntry = Schema.Struct({
  ...dexNames,
  source: Schema.Literal("subgraph").annotate({
    description: "Read from a subgraph with the schema of Uniswap V3, Algebra or Uniswap V2"
  }),
  url: HttpUrl.annotate({ description: "The subgraph's GraphQL address" }),
  apiKeyVariable: Schema.optionalKey(Schema.NonEmptyString).annotate({
    description: "Environment variable that holds the key of the subgraph's host"
  }),
  fee: Schema.optionalKey(PairFee).annotate({
    description: "Of a schema of Uniswap V2, which states none: the fee of the pairs in millionths; 3000 if absent"
  })
})

/** A decentralized exchange on a blockchain. */
export const DexEntry = Schema.Union([PresetDexEntry, IndexedDexEntry, SubgraphDexEntry]).annotate({
  expected: 'an entry whose source is "index" or "subgraph"'
})

export type DexEntry = typeof DexEntry.Type

export const uniqueDeployments = Schema.makeFilter(
  (entries: ReadonlyArray<DexEntry>) =>
    new Set(entries.map(({ blockchain, id }) => `${id}/${blockchain}`)).size === entries.length,
  { expected: "one entry for each exchange and blockchain" }
)

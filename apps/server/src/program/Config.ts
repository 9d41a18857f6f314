import { isIP } from "node:net"
import { Schema } from "effect"
import { HttpUrl, Id, isUrl } from "./config/ConfigText.ts"
import { DexEntry, uniqueDeployments } from "./config/DexEntry.ts"
import { LimitsEntry } from "./config/LimitsEntry.ts"

const WebSocketUrl = Schema.String.check(
  isUrl,
  Schema.isPattern(/^wss?:\/\/[^\s]+$/u, { expected: "an address that begins with ws:// or wss://" })
)

const MarketName = Schema.String.check(
  Schema.isPattern(/^[^\s/-]{1,40}\/[^\s/-]{1,40}$/u, { expected: "a market written BASE/QUOTE" })
)

const uniqueIds = <A extends { readonly id: string }>() =>
  Schema.makeFilter((entries: ReadonlyArray<A>) => new Set(entries.map(({ id }) => id)).size === entries.length, {
    expected: "entries with different ids"
  })

const BlockchainEntry = Schema.Struct({
  id: Id.annotate({ description: "How callers name the blockchain" }),
  name: Schema.NonEmptyString.annotate({ description: "Its official name" }),
  rpc: Schema.NonEmptyArray(HttpUrl).annotate({
    description: "JSON-RPC addresses of its nodes; if one fails, the next is used"
  }),
  finality: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))).annotate({
    description:
      "Minimum depth of a final block. A block above the node's `finalized` block is never final. If absent, as the preset of the chain says, or 32"
  }),
  ephemeral: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Its node begins a new chain with each start, as a development node does; false if absent"
  })
})

const ExchangeEntry = Schema.Struct({
  id: Id.annotate({ description: "How callers name the exchange" }),
  name: Schema.optionalKey(Schema.NonEmptyString).annotate({ description: "Its name; that of the driver if absent" }),
  driver: Schema.optionalKey(Id).annotate({
    description: "The exchange of the catalog whose protocol it uses; its own id if absent"
  }),
  rest: Schema.optionalKey(HttpUrl).annotate({ description: "Scheme, host and port in place of the exchange's own" }),
  websocket: Schema.optionalKey(WebSocketUrl).annotate({ description: "The same for its stream" }),
  record: Schema.optionalKey(Schema.Array(MarketName)).annotate({
    description:
      "Its markets, BASE/QUOTE, whose trades are recorded live; the start prints an example with the first one"
  })
})

const TapeEntry = Schema.Struct({
  retentionDays: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 36_500 }))).annotate({
    description: "Recorded trades older than this are deleted, whole UTC days at a time; all are kept if absent"
  })
}).annotate({ description: "Retention of recorded trades" })

const AccountsEntry = Schema.Struct({
  signUp: Schema.optionalKey(Schema.Literals(["open", "invitation", "closed"])).annotate({
    description: "Who may create an account: anybody, holders of an invitation, or nobody; open if absent"
  })
}).annotate({ description: "The accounts of people who hold keys" })

const isNetwork = (text: string): boolean => {
  const [address = "", bits, ...others] = text.split("/")
  const family = isIP(address)
  if (family === 0 || address.includes("%") || others.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

const Network = Schema.String.check(
  Schema.makeFilter(isNetwork, { expected: 'an address or a network, such as "10.0.0.0/8"' })
)

/** The configuration file. */
export const ConfigFile = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String),
  accounts: Schema.optionalKey(AccountsEntry),
  blockchains: Schema.optionalKey(Schema.Array(BlockchainEntry).check(uniqueIds())),
  dexes: Schema.optionalKey(Schema.Array(DexEntry).check(uniqueDeployments)),
  exchanges: Schema.optionalKey(Schema.Array(ExchangeEntry).check(uniqueIds())),
  limits: Schema.optionalKey(LimitsEntry),
  proxies: Schema.optionalKey(Schema.Array(Network)).annotate({
    description:
      "Proxies in front of the service, which may state the address of the client; no proxy is trusted if absent"
  }),
  tape: Schema.optionalKey(TapeEntry)
})

export type ConfigFile = typeof ConfigFile.Type

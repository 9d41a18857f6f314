import { Option, Redacted } from "effect"
import type { Examples } from "../http/docs/ReferencePage.ts"
import type { ConfigFile } from "./Config.ts"

/** The path of an operation that works with this configuration. */
export const makeExample = ({ exchanges = [] }: ConfigFile): string => {
  const [market] = exchanges.flatMap(({ id, record = [] }) =>
    record.slice(0, 1).map((name) => `/v2/cex/${id}/${name.replace("/", "-")}/lasttrade`)
  )
  return market ?? "/v2/cex/exchanges"
}

/** The values of path parameters that exist in this configuration. */
export const makeExamples = (config: ConfigFile): Examples => {
  const [, exchange, market] = /^\/v2\/cex\/([^/]+)\/([^/]+)\/lasttrade$/.exec(makeExample(config)) ?? []
  const [dex] = config.dexes ?? []
  const [chain] = config.blockchains ?? []
  const values = [
    ["cex exchange", exchange ?? config.exchanges?.[0]?.id],
    ["cex market", market],
    ["dex exchange", dex?.id],
    ["dex blockchain", dex?.blockchain],
    ["blocks blockchain", chain?.id]
  ] as const
  return new Map(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

interface Started {
  readonly origin: string
  readonly config: ConfigFile
  /** The key to print. */
  readonly key: Option.Option<Redacted.Redacted>
  /** Whether the key came from the environment. */
  readonly given: boolean
  readonly offline: boolean
}

const row = (name: string, value: string) => `  ${name.padEnd(22)} ${value}`

/**
 * The output of the start: addresses, a key, and a command that works. Of a node only the origin: its path may contain
 * a key.
 */
export const banner = ({ config, given, key, offline, origin }: Started): string => {
  const shownKey = Option.match(key, {
    onNone: () => (given ? "$CHAINTAPE_BOOTSTRAP_KEY" : "$CHAINTAPE_API_KEY"),
    onSome: Redacted.value
  })
  const whereKeyIs = given ? "the one in CHAINTAPE_BOOTSTRAP_KEY" : "the one that the first start showed"
  return [
    "",
    `Chaintape is ready at ${origin}`,
    ...(offline ? ["It runs on a sandbox of its own: a live exchange and a live chain, offline."] : []),
    "",
    ...(config.exchanges ?? []).map(({ id, rest }) => row(`exchange ${id}`, rest ?? "through its public interface")),
    ...(config.blockchains ?? []).map(({ id, rpc }) =>
      row(`blockchain ${id}`, rpc.map((node) => new URL(node).origin).join(", "))
    ),
    ...(config.dexes ?? []).map(({ blockchain, id, source }) => row(`dex ${id}`, `${source} on ${blockchain}`)),
    row("demo", Option.isSome(key) ? `${origin}/#key=${shownKey}` : `${origin}/`),
    row("documentation", `${origin}/docs`),
    row("key", Option.isSome(key) ? shownKey : whereKeyIs),
    "",
    "Try it:",
    "",
    `  curl -H "api-key: ${shownKey}" ${origin}${makeExample(config)}`,
    ""
  ].join("\n")
}

import { useSyncExternalStore } from "react"
import { decodePart } from "./decodePart.ts"

type Text = string | undefined

/** A transaction, and what its events are found by: no operation reads a transaction by its hash. */
export interface TransactionPart {
  readonly hash: string
  /** Unix seconds. */
  readonly time: number | undefined
  /** The addresses of two tokens. */
  readonly tokens: ReadonlyArray<string>
}

/** The view of the page, from its URL. */
export type Route =
  | { readonly view: "market"; readonly exchange: Text; readonly market: Text; readonly timeframe: Text }
  | {
      readonly view: "dex"
      readonly deployment: Text
      readonly pool: Text
      readonly token: Text
      readonly transaction: TransactionPart | undefined
      readonly block: number | undefined
      /** A block that is no number. */
      readonly wrongBlock: Text
    }
  | { readonly view: "blocks"; readonly blockchain: Text; readonly block: Text }
  | { readonly view: "health" }
  | { readonly view: "unknown" }

/** In the order of the navigation. */
export const views = [
  { view: "market", title: "Market", href: "#/market" },
  { view: "dex", title: "DEX", href: "#/dex" },
  { view: "blocks", title: "Blocks", href: "#/blocks" },
  { view: "health", title: "Health", href: "#/health" }
] as const satisfies ReadonlyArray<{
  readonly view: Exclude<Route["view"], "unknown">
  readonly title: string
  readonly href: string
}>

const text = (part: string | undefined) => (part === undefined || part === "" ? undefined : decodePart(part))

const toNumber = (query: string, name: string): number | undefined => {
  const digits = new URLSearchParams(query).get(name) ?? ""
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined
}

const toTransaction = (hash: string, query: string): TransactionPart => ({
  hash,
  time: toNumber(query, "time"),
  tokens: (new URLSearchParams(query).get("tokens") ?? "").split(",").filter((token) => token !== "")
})

/** Whether the part after the deployment names its kind: without a name it is a pool. */
const isNamed = (part: Text): boolean => part === "token" || part === "tx"

export const parseRoute = (hash: string): Route => {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?")
  const [, view, ...parts] = path.split("/")
  const [first, second, third, fourth] = parts.map(text)
  if (view === "dex") {
    const block = toNumber(query, "block")
    return {
      view,
      deployment: first === undefined || second === undefined ? undefined : `${first}/${second}`,
      pool: isNamed(third) ? undefined : third,
      token: third === "token" ? fourth : undefined,
      transaction: third === "tx" && fourth !== undefined ? toTransaction(fourth, query) : undefined,
      block,
      wrongBlock: block === undefined ? new URLSearchParams(query).get("block") || undefined : undefined
    }
  }
  if (view === "block") return { view: "blocks", blockchain: first, block: second }
  if (view === "blocks") return { view, blockchain: first, block: undefined }
  if (view === "health") return { view }
  if (view === undefined || view === "" || view === "market")
    return { view: "market", exchange: first, market: second?.replace("-", "/"), timeframe: third }
  return { view: "unknown" }
}

/** The parts of a page title, the most specific first. */
const toParts = (route: Route, subject: Text): ReadonlyArray<Text> => {
  if (route.view === "market") return [route.market, route.exchange]
  if (route.view === "blocks") return [route.block === undefined ? undefined : `Block ${route.block}`, route.blockchain]
  if (route.view === "health") return []
  if (route.view === "unknown") return ["No such page"]
  const pool = route.pool === undefined ? undefined : `Pool ${route.pool.slice(0, 8)}…`
  const token = route.token === undefined ? undefined : `Token ${route.token.slice(0, 8)}…`
  const transaction = route.transaction === undefined ? undefined : `Transaction ${route.transaction.hash.slice(0, 8)}…`
  const block = route.block === undefined ? undefined : `as of block ${route.block}`
  return [subject ?? pool ?? token ?? transaction, block, route.deployment?.replace("/", " on ")]
}

/** The title of the page. `subject` is the name of its pool or token, once it is known. */
export const toTitle = (route: Route, subject?: string): string => {
  const view = views.find((one) => one.view === route.view)?.title
  return [...toParts(route, subject), view, "Chaintape"].filter((part) => part !== undefined).join(" · ")
}

/** A market, in the timeframe that was chosen last unless one is given. */
export const marketHref = (exchange: string, market: string, timeframe?: string): string =>
  `#/market/${encodeURIComponent(exchange)}/${encodeURIComponent(market.replace("/", "-"))}` +
  (timeframe === undefined ? "" : `/${timeframe}`)

export const exchangeHref = (exchange: string): string => `#/market/${encodeURIComponent(exchange)}`

const asOf = (block: number | undefined): string => (block === undefined ? "" : `?block=${block}`)

/** All pools, or one, as of a block, or as of the newest one. */
export const dexHref = (deployment: string, pool?: string, block?: number): string =>
  `#/dex/${deployment}${pool === undefined ? "" : `/${pool}`}${asOf(block)}`

export const tokenHref = (deployment: string, token: string, block?: number): string =>
  `#/dex/${deployment}/token/${token}${asOf(block)}`

/** A transaction, which is found by an event of it in a pool. */
export const transactionHref = (
  deployment: string,
  { hash, time, tokens }: TransactionPart,
  block: number | undefined
): string => {
  const query = new URLSearchParams({ time: String(time), tokens: tokens.join(",") })
  if (block !== undefined) query.set("block", String(block))
  return `#/dex/${deployment}/tx/${hash}?${query}`.replaceAll("%2C", ",")
}

export const chainHref = (blockchain: string): string => `#/blocks/${encodeURIComponent(blockchain)}`

export const blockHref = (blockchain: string, block: bigint): string =>
  `#/block/${encodeURIComponent(blockchain)}/${block}`

/** Replaces the address by another one of the same page, which stays where it is. */
export const replaceHref = (href: string): void => {
  window.history.replaceState(window.scrollY, "", href)
  window.dispatchEvent(new HashChangeEvent("hashchange"))
}

const subscribe = (listener: () => void) => {
  window.addEventListener("hashchange", listener)
  return () => window.removeEventListener("hashchange", listener)
}

export const useHash = (): string => useSyncExternalStore(subscribe, () => window.location.hash)

import { writeFileSync } from "node:fs"
import { argv } from "node:process"
import { fileURLToPath } from "node:url"
/**
 * Generates the exchange catalog from the descriptions of the installed ccxt, so that listing exchanges never loads it.
 * Run: `node --conditions=chaintape-source apps/server/scripts/catalog.ts`
 */
import { timeframeSeconds } from "@chaintape/core"
import type { Description } from "./CcxtDescriptions.ts"
import { ccxtDescriptions } from "./CcxtDescriptions.ts"

/** Exchanges that require an account, an address or an id, measured by calling each class without a key. */
const refuseWithoutKey = new Set(["coinspot", "hyperliquid", "p2b"])

/**
 * The classes that send `since` to the exchange; the others filter the recent page. Measured with a stubbed transport.
 */
const sinceOnWire = new Set([
  "alpaca",
  "aster",
  "bequant",
  "binance",
  "binancecoinm",
  "binanceus",
  "binanceusdm",
  "bitfinex",
  "bitget",
  "bitvavo",
  "bullish",
  "cex",
  "cryptocom",
  "deribit",
  "derive",
  "fmfwio",
  "gemini",
  "grvt",
  "hitbtc",
  "kraken",
  "krakenfutures",
  "lbank",
  "luno",
  "mercado",
  "paradex",
  "revolutx"
])

/**
 * The maximum page size of trades: the value to which the class clamps `limit` (measured with a stubbed transport), or
 * the value in its source. An exchange without a row gets the adapter's cautious default.
 */
const pageCaps: ReadonlyArray<readonly [cap: number, ids: ReadonlyArray<string>]> = [
  [100, ["blofin", "bullish", "latoken"]],
  [200, ["coinone", "foxbit"]],
  [500, ["apex", "bingx", "btse", "deepcoin", "gemini", "nado"]],
  [600, ["lbank"]],
  [
    1000,
    [
      "aster",
      "backpack",
      "bequant",
      "binance",
      "binancecoinm",
      "binanceus",
      "binanceusdm",
      "bitrue",
      "bitvavo",
      "bydfi",
      "coinbase",
      "coinbaseexchange",
      "coinex",
      "coinsph",
      "deribit",
      "derive",
      "dydx",
      "fmfwio",
      "gate",
      "gateeu",
      "grvt",
      "hitbtc",
      "kraken",
      "paradex",
      "poloniex",
      "tokocrypto",
      "weex",
      "xt"
    ]
  ],
  [1900, ["revolutx"]],
  [2000, ["bittrade", "htx"]],
  [10_000, ["bitfinex", "cex"]]
]

const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 }

/** Seconds of a ccxt timeframe label up to a day; a bare number is minutes (backpack's `15` and `30`). */
const labelSeconds = (label: string): number | undefined => {
  const match = /^(\d+)([mhd]?)$/.exec(label)
  const unit = unitSeconds[match?.[2] === "" ? "m" : (match?.[2] ?? "")]
  return match === null || unit === undefined ? undefined : Number(match[1]) * unit
}

const nativeFrames = (timeframes: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> => {
  const divides = (seconds: number) => Object.values(timeframeSeconds).some((frame) => frame % seconds === 0)
  const found = Object.keys(timeframes).flatMap((label) => {
    const seconds = labelSeconds(label)
    return seconds !== undefined && divides(seconds) ? [[seconds, label] as const] : []
  })
  return Object.fromEntries(
    found.sort(([left], [right]) => left - right).map(([seconds, label]) => [String(seconds), label])
  )
}

const answerable = (native: Readonly<Record<string, string>>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(timeframeSeconds).filter(([, frame]) =>
      Object.keys(native).some((seconds) => frame % Number(seconds) === 0)
    )
  )

const country = (code: string): string => code.slice(code.lastIndexOf("-") + 1).toUpperCase()

const first = (value: string | ReadonlyArray<string> | undefined): string =>
  value === undefined ? "" : typeof value === "string" ? value : (value[0] ?? "")

const entry = (description: Description) => {
  const { id, has, urls } = description
  const native = has.fetchOHLCV === true ? nativeFrames(description.timeframes ?? {}) : {}
  const frames = answerable(native)
  return {
    name: description.name,
    id,
    countries: (description.countries ?? []).map(country),
    hasTrades: has.fetchTrades === true && !refuseWithoutKey.has(id),
    hasAggregates: Object.keys(frames).length > 0,
    aggregateTimeframes: frames,
    url: first(urls.www),
    fees: urls.fees ?? [],
    docs: first(urls.doc),
    logo: urls.logo,
    adapter: {
      frames: native,
      sinceOnWire: sinceOnWire.has(id),
      pageCap: pageCaps.find(([, ids]) => ids.includes(id))?.[0] ?? null
    }
  }
}

/** The text of the catalog file. */
export const renderCatalog = async (): Promise<string> => {
  const { version, descriptions } = await ccxtDescriptions()
  const exchanges = descriptions.map(entry).sort((left, right) => (left.id < right.id ? -1 : 1))
  return `${JSON.stringify({ ccxt: version, exchanges }, null, 2)}\n`
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL("../src/cex/ccxt/catalog/catalog.json", import.meta.url), await renderCatalog())
}

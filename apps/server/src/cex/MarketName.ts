import type { MarketName } from "./ExchangeSource.ts"

/** Base and quote of a market written `BASE/QUOTE`. */
export const parseMarket = (market: string): MarketName => {
  const slash = market.indexOf("/")
  return { base: market.slice(0, slash), quote: market.slice(slash + 1) }
}

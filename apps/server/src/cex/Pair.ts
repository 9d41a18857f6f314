import type { MarketPair } from "./ExchangeSource.ts"

/** The two halves of a market written `BASE/QUOTE`. */
export const pairOf = (market: string): MarketPair => {
  const slash = market.indexOf("/")
  return { base: market.slice(0, slash), quote: market.slice(slash + 1) }
}

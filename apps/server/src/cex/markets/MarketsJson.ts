import type { MarketListing } from "./Markets.ts"

/** The body of a list of markets. */
export const marketsJson = (listings: ReadonlyArray<MarketListing>): string =>
  JSON.stringify(
    listings.map(({ active, base, market, quote, recordedSince }) => ({
      market,
      base,
      quote,
      active,
      recorded: recordedSince !== undefined,
      recordedSince: recordedSince === undefined ? "" : String(recordedSince)
    }))
  )

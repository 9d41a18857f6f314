import { Array as Arr, Schema } from "effect"
import type { MarketName, SourceMarket } from "../../ExchangeSource.ts"

const Market = Schema.Struct({
  symbol: Schema.NonEmptyString,
  base: Schema.NonEmptyString,
  quote: Schema.NonEmptyString,
  settle: Schema.optional(Schema.NullOr(Schema.String)),
  spot: Schema.optional(Schema.NullOr(Schema.Boolean)),
  swap: Schema.optional(Schema.NullOr(Schema.Boolean)),
  active: Schema.optional(Schema.NullOr(Schema.Boolean)),
  linear: Schema.optional(Schema.NullOr(Schema.Boolean)),
  contractSize: Schema.optional(Schema.Unknown)
})

const decodeMarket = Schema.decodeUnknownOption(Market)

interface IndexedMarket extends SourceMarket {
  /** ccxt's name of the market. */
  readonly symbol: string
}

/** The markets by `BASE/QUOTE` in upper case. */
export type MarketIndex = ReadonlyMap<string, IndexedMarket>

/**
 * Base and quote do not distinguish spot, perpetual swap and dated contracts: the first of these that exists is used.
 */
const rank = (market: typeof Market.Type): number | undefined => {
  if (market.symbol === `${market.base}/${market.quote}`) return 0
  // Price x size is the cost in the quote currency only if one contract is one unit of the base.
  const isUnit = market.contractSize === undefined || Number(market.contractSize) === 1
  return market.swap === true && market.linear === true && market.settle === market.quote && isUnit ? 1 : undefined
}

/**
 * Indexes the markets that ccxt lists. Entries that are not markets are skipped; a list without any market is rejected.
 */
export const indexMarkets = (markets: ReadonlyArray<unknown>): MarketIndex | undefined => {
  const listed = Arr.getSomes(markets.map((market) => decodeMarket(market)))
  if (listed.length === 0) return undefined
  const found = new Map<string, IndexedMarket & { readonly rank: number }>()
  for (const market of listed) {
    const key = marketKey(market)
    const own = rank(market)
    const known = found.get(key)
    if (own !== undefined && (known === undefined || own < known.rank)) {
      const { active, base, quote, symbol } = market
      found.set(key, {
        rank: own,
        symbol,
        base: base.toUpperCase(),
        quote: quote.toUpperCase(),
        active: active !== false
      })
    }
  }
  return found
}

export const marketKey = ({ base, quote }: MarketName): string => `${base}/${quote}`.toUpperCase()

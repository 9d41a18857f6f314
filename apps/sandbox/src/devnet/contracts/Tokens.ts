/** A token of the devnet, and its value in the bots' view. */
export interface TokenListing {
  readonly symbol: TokenSymbol
  readonly name: string
  readonly decimals: number
  /** The price in USD at the start. */
  readonly usd: number
  /** Standard deviation of the logarithm of the price from one block to the next. */
  readonly volatility: number
}

export type TokenSymbol = "WETH" | "USDC" | "USDT" | "DAI" | "WBTC" | "UNI" | "MOSS"

/** In the order of deployment. WETH is the wrapped native coin. */
export const tokenListings: Readonly<Record<TokenSymbol, TokenListing>> = {
  WETH: { symbol: "WETH", name: "Wrapped Ether", decimals: 18, usd: 3000, volatility: 8e-4 },
  USDC: { symbol: "USDC", name: "USD Coin", decimals: 6, usd: 1, volatility: 1e-5 },
  USDT: { symbol: "USDT", name: "Tether USD", decimals: 6, usd: 1, volatility: 1e-5 },
  DAI: { symbol: "DAI", name: "Dai Stablecoin", decimals: 18, usd: 1, volatility: 1e-5 },
  WBTC: { symbol: "WBTC", name: "Wrapped BTC", decimals: 8, usd: 60_000, volatility: 6e-4 },
  UNI: { symbol: "UNI", name: "Uniswap", decimals: 18, usd: 8, volatility: 1.2e-3 },
  MOSS: { symbol: "MOSS", name: "Moss", decimals: 18, usd: 0.0004, volatility: 3e-3 }
}

/** UNI and MOSS are left out, so that some volume has no USD value. */
export const whitelistSymbols: ReadonlyArray<TokenSymbol> = ["WETH", "USDC", "USDT", "DAI", "WBTC"]

export const stablecoinSymbols: ReadonlyArray<TokenSymbol> = ["USDC", "USDT", "DAI"]

export interface PoolListing {
  readonly pair: readonly [TokenSymbol, TokenSymbol]
  /** In millionths. */
  readonly fee: 100 | 500 | 3000 | 10_000
  /** The value of the liquidity at the start, in USD. */
  readonly usd: number
}

/** The pool that prices the native coin in USD. */
export const stablePoolListing: PoolListing = { pair: ["USDC", "WETH"], fee: 500, usd: 60e6 }

/** In the order of creation. */
export const poolListings: readonly [PoolListing, ...Array<PoolListing>] = [
  stablePoolListing,
  { pair: ["USDC", "WETH"], fee: 3000, usd: 25e6 },
  { pair: ["WETH", "USDT"], fee: 3000, usd: 18e6 },
  { pair: ["WBTC", "WETH"], fee: 3000, usd: 40e6 },
  { pair: ["DAI", "USDC"], fee: 100, usd: 30e6 },
  { pair: ["WBTC", "USDC"], fee: 3000, usd: 8e6 },
  { pair: ["UNI", "WETH"], fee: 3000, usd: 6e6 },
  { pair: ["UNI", "USDC"], fee: 10_000, usd: 1e6 },
  { pair: ["MOSS", "WETH"], fee: 10_000, usd: 1e6 }
]

export const tickSpacings: Readonly<Record<PoolListing["fee"], number>> = { 100: 1, 500: 10, 3000: 60, 10_000: 200 }

/** Descriptions of response members in the OpenAPI document. A separate module, so that no client bundles it. */

/** By the identifier of a schema and the name of its member. */
export interface MemberTexts {
  readonly [schema: string]: { readonly [member: string]: string }
}

const retryFields = {
  retryAfterMs: "How long to wait before the next attempt, in milliseconds"
}

const nameFields = {
  id: "Identifier in this interface",
  name: "Official name"
}

const candle = {
  t: "Start of the candle (Unix milliseconds on the wire)",
  o: "First price",
  h: "Highest price",
  l: "Lowest price",
  c: "Last price",
  v: "Quantity of the base that was traded"
}

const trade = {
  id: "The exchange's own id of the trade",
  timestamp: "When the trade was executed (Unix milliseconds on the wire)",
  price: "Price in the quote",
  size: "Quantity of the base",
  cost: "Amount of the quote: size x price",
  side: "What the taker did with the base"
}

const token = {
  id: "Contract address",
  name: "Name",
  symbol: "Symbol",
  decimals: "Decimals",
  supply: "Total supply when the token's first pool was created, in its smallest unit",
  totalValueLocked: "Liquidity across all pools, in the token",
  totalValueLockedUSD: "Liquidity across all pools, in derived USD",
  volume: "Volume in the token",
  volumeUSD: "Volume in derived USD",
  untrackedVolumeUSD: "Volume in USD, pools with less reliable prices included",
  txCount: "Events across all pools that hold the token",
  derivedETH: "Price in the native coin",
  feesUSD: "Fees in USD",
  poolCount: "Pools that hold the token"
}

const poolTrade = {
  id: "Transaction hash, #, index of the log in its block",
  amount0: "Amount of token 0; in swaps negative when it left the pool",
  amount1: "Amount of token 1; in swaps negative when it left the pool",
  amountUSD: "Amount in derived USD",
  logIndex: "Index of the log in its block",
  origin: "Account that sent the transaction",
  timestamp: "Time of the block (Unix seconds on the wire)",
  transactionId: "Transaction hash"
}

const position = {
  amount: "Amount of liquidity",
  owner: "Owner of the position"
}

/** The descriptions of all schemas of responses and problems. */
export const memberTexts: MemberTexts = {
  Ping: {
    ping: "A fixed greeting",
    ip: "Address of the caller"
  },
  Exchange: {
    ...nameFields,
    countries: "Countries the exchange is located in",
    hasTrades: "Trades of a market can be read",
    hasAggregates: "Candles of a market can be read",
    aggregateTimeframes: "Length in seconds of each timeframe that can be read",
    url: "Website",
    fees: "Where the fees are listed; an empty array where unknown",
    docs: "Documentation of the exchange; empty where unknown",
    logo: "Logo"
  },
  ExchangeSummary: nameFields,
  ListedMarket: {
    base: "The traded currency",
    quote: "The currency of its price",
    active: "False if the exchange states that the market does not trade now",
    recorded: "Whether the service has recorded trades of the market",
    recordedSince: "Time of the first recorded trade (Unix milliseconds on the wire); empty where nothing is recorded"
  },
  Trade: trade,
  LastTrade: trade,
  Candle: candle,
  CandleOfList: candle,
  Blockchain: nameFields,
  Block: {
    number: "Block number",
    timestamp: "The block's own time (Unix seconds on the wire)",
    size: "Size in bytes",
    gasLimit: "Gas limit",
    gasUsed: "Gas used",
    totalDifficulty: "Difficulty of the chain up to this block; empty on the wire where the node does not state it",
    author: "Address of the block's author, in lower case"
  },
  Deployment: {
    id: "Address of the factory",
    poolCount: "Pools created",
    txCount: "Events of all time",
    totalVolumeUSD: "Volume of all time in derived USD",
    untrackedVolumeUSD: "All volume, less reliable USD values included",
    totalVolumeETH: "Volume of all time in the native coin",
    totalValueLockedUSD: "Value locked in USD",
    totalValueLockedETH: "Value locked in the native coin",
    totalFeesUSD: "Swap fees of all time in USD",
    totalFeesETH: "Swap fees of all time in the native coin",
    owner: "Owner of the factory"
  },
  PoolToken: token,
  Token: {
    ...token,
    totalValueLockedUSDUntracked: "Liquidity in USD, untracked",
    logo: "Logo"
  },
  Pool: {
    id: "Contract address",
    createdAtBlockNumber: "Block of its creation",
    createdAtTimestamp: "Time of its creation (Unix seconds on the wire)",
    feeGrowthGlobal0X128:
      "Fee growth of token 0 for each unit of liquidity, times 2^128; empty where the source does not state it",
    feeGrowthGlobal1X128:
      "Fee growth of token 1 for each unit of liquidity, times 2^128; empty where the source does not state it",
    feeTier: "Fee in millionths",
    feesUSD: "Fees in USD",
    liquidity: "Liquidity in range; of a pair the supply of its LP token",
    liquidityProviderCount: "Always 0: nothing defines it",
    observationIndex: "Index of the newest observation; empty without concentrated liquidity",
    sqrtPrice: "Square root of the price, times 2^96; empty without concentrated liquidity",
    tick: "Current tick; empty until the pool is initialized, and without concentrated liquidity",
    token0Price: "Token 0 for one token 1",
    token1Price: "Token 1 for one token 0",
    totalValueLockedToken0: "Token 0 across all ticks",
    totalValueLockedToken1: "Token 1 across all ticks",
    totalValueLockedETH: "Value locked in the native coin",
    totalValueLockedUSD: "Value locked in USD",
    totalValueLockedUSDUntracked: "Value locked in USD, untracked",
    txCount: "Events of all time",
    volumeUSD: "USD swapped, all time",
    volumeToken0: "Token 0 swapped, all time",
    volumeToken1: "Token 1 swapped, all time",
    untrackedVolumeUSD: "USD swapped, all time, less reliable values included"
  },
  PoolTick: {
    tick: "Where positions start or end",
    liquidityGross: "Liquidity of all positions that start or end at the tick",
    liquidityNet: "Change of the liquidity in range when the price rises through the tick"
  },
  PoolCandle: {
    t: "Start of the candle (Unix seconds on the wire)",
    o: "Price before the first swap of the candle",
    h: "Highest price",
    l: "Lowest price",
    c: "Price after the last swap of the candle",
    volumeToken0: "Token 0 swapped",
    volumeToken1: "Token 1 swapped",
    volumeUSD: "USD swapped",
    txCount: "Swaps of the candle"
  },
  Burn: { ...poolTrade, ...position },
  Mint: {
    ...poolTrade,
    ...position,
    sender: "Sender"
  },
  Swap: {
    ...poolTrade,
    sender: "Sender",
    recipient: "Recipient",
    sqrtPriceX96: "Square root of the price after the swap, times 2^96; empty without concentrated liquidity"
  },
  RateLimited: retryFields,
  QuotaExceeded: retryFields,
  NotReady: retryFields,
  Overloaded: retryFields,
  UpstreamBusy: retryFields,
  UpstreamFailed: {
    source:
      "Which source: an exchange or a blockchain by its id, `dex/blockchain` for a subgraph, `index` for an index of the service"
  },
  KeyNotAllowed: {
    group: "The group of the operation: cex, dex or blocks"
  }
}

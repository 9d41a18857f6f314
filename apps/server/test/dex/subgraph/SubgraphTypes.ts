export type EntityName =
  | "Factory"
  | "UniswapFactory"
  | "Bundle"
  | "Token"
  | "Pool"
  | "Pair"
  | "Mint"
  | "Burn"
  | "Swap"
  | "Tick"
  | "Transaction"

/** `number` sorts by value; a reference holds an id; a list has the entities of which the field `by` refers to this one. */
export type FieldKind =
  | "number"
  | "text"
  | { readonly of: EntityName }
  | { readonly listOf: EntityName; readonly by: string }

export type EntityFields = { readonly [field: string]: FieldKind }
export type SchemaTypes = { readonly [Name in EntityName]?: EntityFields }

export const collectionOf: { readonly [collection: string]: EntityName } = {
  factories: "Factory",
  uniswapFactories: "UniswapFactory",
  bundles: "Bundle",
  tokens: "Token",
  pools: "Pool",
  pairs: "Pair",
  mints: "Mint",
  burns: "Burn",
  swaps: "Swap",
  ticks: "Tick"
}

const kinds = (names: string, kind: FieldKind): { readonly [name: string]: FieldKind } =>
  Object.fromEntries(names.split(" ").map((name) => [name, kind]))

const traded = {
  ...kinds("id origin", "text"),
  ...kinds("amount0 amount1 amountUSD logIndex timestamp", "number"),
  ...kinds("token0 token1", { of: "Token" }),
  ...kinds("pool", { of: "Pool" }),
  ...kinds("transaction", { of: "Transaction" })
}

/** The types of a subgraph of Uniswap V3, as in the public ones. */
export const uniswapV3: SchemaTypes = {
  Factory: {
    ...kinds("id owner", "text"),
    ...kinds("poolCount txCount totalVolumeUSD untrackedVolumeUSD totalVolumeETH totalValueLockedUSD", "number"),
    ...kinds("totalValueLockedETH totalFeesUSD totalFeesETH", "number")
  },
  Token: {
    ...kinds("id name symbol", "text"),
    ...kinds("decimals totalSupply totalValueLocked totalValueLockedUSD volume volumeUSD untrackedVolumeUSD", "number"),
    ...kinds("txCount derivedETH feesUSD totalValueLockedUSDUntracked poolCount", "number")
  },
  Pool: {
    ...kinds("id", "text"),
    ...kinds("token0 token1", { of: "Token" }),
    ...kinds("createdAtBlockNumber createdAtTimestamp feeGrowthGlobal0X128 feeGrowthGlobal1X128 feeTier", "number"),
    ...kinds("feesUSD liquidity liquidityProviderCount observationIndex sqrtPrice tick token0Price", "number"),
    ...kinds("token1Price totalValueLockedToken0 totalValueLockedToken1 totalValueLockedETH", "number"),
    ...kinds("totalValueLockedUSD totalValueLockedUSDUntracked txCount volumeUSD volumeToken0", "number"),
    ...kinds("volumeToken1 untrackedVolumeUSD", "number")
  },
  Mint: { ...traded, ...kinds("owner sender", "text"), ...kinds("amount", "number") },
  Burn: { ...traded, ...kinds("owner", "text"), ...kinds("amount", "number") },
  Swap: { ...traded, ...kinds("sender recipient", "text"), ...kinds("sqrtPriceX96", "number") },
  Tick: {
    ...kinds("id", "text"),
    ...kinds("tickIdx liquidityGross liquidityNet", "number"),
    ...kinds("pool", { of: "Pool" })
  },
  Transaction: { ...kinds("id", "text"), ...kinds("blockNumber timestamp", "number") }
}

/** The schema of Algebra of a chain whose native coin is Matic. */
export const algebraName = (field: string): string =>
  field.endsWith("ETH")
    ? `${field.slice(0, -3)}Matic`
    : field === "feeTier"
      ? "fee"
      : field === "sqrtPriceX96"
        ? "price"
        : field

export const algebra: SchemaTypes = Object.fromEntries(
  Object.entries(uniswapV3).map(([entity, fields]) => [
    entity,
    Object.fromEntries(Object.entries(fields).map(([field, kind]) => [algebraName(field), kind]))
  ])
)

const pairTraded = {
  ...kinds("id", "text"),
  ...kinds("logIndex timestamp amountUSD", "number"),
  ...kinds("pair", { of: "Pair" }),
  ...kinds("transaction", { of: "Transaction" })
}

/** The types of a subgraph of Uniswap V2, as in the public ones. */
export const uniswapV2: SchemaTypes = {
  UniswapFactory: {
    ...kinds("id", "text"),
    ...kinds("pairCount totalVolumeUSD totalVolumeETH untrackedVolumeUSD totalLiquidityUSD", "number"),
    ...kinds("totalLiquidityETH txCount", "number")
  },
  Bundle: { ...kinds("id", "text"), ...kinds("ethPrice", "number") },
  Token: {
    ...kinds("id name symbol", "text"),
    ...kinds("decimals totalSupply tradeVolume tradeVolumeUSD untrackedVolumeUSD txCount", "number"),
    ...kinds("totalLiquidity derivedETH", "number"),
    pairBase: { listOf: "Pair", by: "token0" },
    pairQuote: { listOf: "Pair", by: "token1" }
  },
  Pair: {
    ...kinds("id", "text"),
    ...kinds("token0 token1", { of: "Token" }),
    ...kinds("reserve0 reserve1 totalSupply reserveETH reserveUSD trackedReserveETH token0Price", "number"),
    ...kinds("token1Price volumeToken0 volumeToken1 volumeUSD untrackedVolumeUSD txCount", "number"),
    ...kinds("createdAtTimestamp createdAtBlockNumber liquidityProviderCount", "number")
  },
  Mint: { ...pairTraded, ...kinds("sender to", "text"), ...kinds("liquidity amount0 amount1", "number") },
  Burn: { ...pairTraded, ...kinds("sender to", "text"), ...kinds("liquidity amount0 amount1", "number") },
  Swap: {
    ...pairTraded,
    ...kinds("sender from to", "text"),
    ...kinds("amount0In amount1In amount0Out amount1Out", "number")
  },
  Transaction: { ...kinds("id", "text"), ...kinds("blockNumber timestamp", "number") }
}

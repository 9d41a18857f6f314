/**
 * Prices, ticks and sides of Uniswap V3 pools, exact as the contracts have them.
 *
 * @since 0.1.0
 */
export { poolPrice, priceOfSqrtPrice } from "./Price.ts"
export { swapSides, type SwapSides } from "./SwapSides.ts"
export { sqrtPriceAtTick, tickAtSqrtPrice, tickRange } from "./Tick.ts"

import type { Pool } from "@chaintape/core"

/** Whether a pool has reserves in place of concentrated liquidity: no ticks, and LP tokens in place of positions. */
export const isPair = ({ sqrtPrice }: Pick<Pool, "sqrtPrice">): boolean => sqrtPrice === ""

/** Values of `@chaintape/core` that a user's library exports. */
import { candleEnd, PoolMath } from "@chaintape/core"

export const { swapSides } = PoolMath
export const end = candleEnd

import { PoolMath } from "@chaintape/core"
import { Option } from "effect"

export const { highest: highestTick, lowest: lowestTick } = PoolMath.tickRange

/** {@link PoolMath.sqrtPriceAtTick} of a tick in the range. */
export const sqrtRatioAt = (tick: number): bigint => Option.getOrThrow(PoolMath.sqrtPriceAtTick(tick))

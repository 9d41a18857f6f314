import { PoolMath } from "@chaintape/core"
import { Option } from "effect"

export const { highest: highestTick, lowest: lowestTick } = PoolMath.tickRange

const mostKept = 20_000
const known = new Map<number, bigint>()

/** {@link PoolMath.sqrtPriceAtTick}, memoized: swaps use the same ticks again and again. */
export const sqrtRatioAt = (tick: number): bigint => {
  const found = known.get(tick)
  if (found !== undefined) return found
  const ratio = Option.getOrThrow(PoolMath.sqrtPriceAtTick(tick))
  if (known.size >= mostKept) known.clear()
  known.set(tick, ratio)
  return ratio
}

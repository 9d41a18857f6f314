import { PoolMath } from "@chaintape/core"
import { Option } from "effect"

export const { highest: highestTick, lowest: lowestTick } = PoolMath.tickRange

/** {@link PoolMath.sqrtPriceAtTick} of a tick in the range. */
export const sqrtRatioAt = (tick: number): bigint => Option.getOrThrow(PoolMath.sqrtPriceAtTick(tick))

/** The positions at a tick. */
interface Tick {
  readonly tick: number
  /** Liquidity of all positions that start or end here: while it is not zero the tick is initialized. */
  gross: bigint
  /** The change of the liquidity in range when the price rises through the tick. */
  net: bigint
}

export interface TickLiquidity {
  readonly tick: number
  readonly gross: bigint
  readonly net: bigint
}

/** The latest end of a step of a swap. */
export interface StepEnd {
  readonly tick: number
  /** The change of liquidity when the price rises through it; zero if no position starts or ends there. */
  readonly net: bigint
}

/** A word of the contracts' tick bitmap: no step of a swap crosses into the next word. */
const ticksPerWord = 256

/** The initialized ticks of a pool, ascending. */
export class PoolTicks {
  readonly #ticks: Array<Tick> = []

  constructor(ticks: Iterable<TickLiquidity> = []) {
    this.#ticks = Array.from(ticks, (tick) => ({ ...tick })).sort((a, b) => a.tick - b.tick)
  }

  /** The index of the first tick that is not below. */
  #indexFrom(tick: number): number {
    let low = 0
    let high = this.#ticks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ticks[middle]?.tick ?? tick) < tick) low = middle + 1
      else high = middle
    }
    return low
  }

  #add(tick: number, gross: bigint, net: bigint): void {
    const index = this.#indexFrom(tick)
    const known = this.#ticks[index]
    if (known?.tick !== tick) {
      if (gross !== 0n) this.#ticks.splice(index, 0, { tick, gross, net })
      return
    }
    known.gross += gross
    known.net += net
    if (known.gross === 0n) this.#ticks.splice(index, 1)
  }

  /** Adds liquidity to a position, or removes it if the amount is negative. */
  change(lower: number, upper: number, amount: bigint): void {
    this.#add(lower, amount, amount)
    this.#add(upper, amount, -amount)
  }

  /** The end of the step of a swap that starts at a tick, if the price goes down. */
  nextBelow(tick: number, spacing: number): StepEnd {
    const found = this.#ticks[this.#indexFrom(tick + 1) - 1]
    const end = Math.floor(Math.floor(tick / spacing) / ticksPerWord) * ticksPerWord * spacing
    if (found !== undefined && found.tick >= end) return found
    return { tick: Math.max(lowestTick, end), net: 0n }
  }

  /** The same, if the price goes up. */
  nextAbove(tick: number, spacing: number): StepEnd {
    const first = Math.floor(tick / spacing) + 1
    const found = this.#ticks[this.#indexFrom(first * spacing)]
    const end = (Math.floor(first / ticksPerWord) * ticksPerWord + ticksPerWord - 1) * spacing
    if (found !== undefined && found.tick <= end) return found
    return { tick: Math.min(highestTick, end), net: 0n }
  }
}

import { highestTick, lowestTick } from "./TickMath.ts"

/** What positions have at a tick. */
interface Tick {
  readonly tick: number
  /** Of all positions that begin or end here: while it is not zero the tick is initialized. */
  gross: bigint
  /** What the liquidity in range gains when the price rises through the tick. */
  net: bigint
}

export interface TickLiquidity {
  readonly tick: number
  readonly gross: bigint
  readonly net: bigint
}

/** Where a step of a swap ends at the latest. */
export interface StepEnd {
  readonly tick: number
  /** What is gained when the price rises through it; zero where no position begins or ends. */
  readonly net: bigint
}

/** A word of the contracts' tick bitmap: no step of a swap goes from one into the next. */
const ticksPerWord = 256

/** The initialized ticks of a pool, ascending. */
export class PoolTicks {
  readonly #ticks: Array<Tick> = []

  constructor(ticks: Iterable<TickLiquidity> = []) {
    this.#ticks = Array.from(ticks, (tick) => ({ ...tick })).sort((a, b) => a.tick - b.tick)
  }

  /** The place of the first tick that is not below. */
  #place(tick: number): number {
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
    const place = this.#place(tick)
    const known = this.#ticks[place]
    if (known?.tick !== tick) {
      if (gross !== 0n) this.#ticks.splice(place, 0, { tick, gross, net })
      return
    }
    known.gross += gross
    known.net += net
    if (known.gross === 0n) this.#ticks.splice(place, 1)
  }

  /** A position gains liquidity, or loses it where the amount is negative. */
  change(lower: number, upper: number, amount: bigint): void {
    this.#add(lower, amount, amount)
    this.#add(upper, amount, -amount)
  }

  /** Where the step of a swap ends that begins at a tick, if the price goes down. */
  nextBelow(tick: number, spacing: number): StepEnd {
    const found = this.#ticks[this.#place(tick + 1) - 1]
    const end = Math.floor(Math.floor(tick / spacing) / ticksPerWord) * ticksPerWord * spacing
    if (found !== undefined && found.tick >= end) return found
    return { tick: Math.max(lowestTick, end), net: 0n }
  }

  /** The same, if the price goes up. */
  nextAbove(tick: number, spacing: number): StepEnd {
    const first = Math.floor(tick / spacing) + 1
    const found = this.#ticks[this.#place(first * spacing)]
    const end = (Math.floor(first / ticksPerWord) * ticksPerWord + ticksPerWord - 1) * spacing
    if (found !== undefined && found.tick <= end) return found
    return { tick: Math.min(highestTick, end), net: 0n }
  }
}

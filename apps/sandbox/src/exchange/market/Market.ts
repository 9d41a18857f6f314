import * as FixedPoint from "./FixedPoint.ts"
import { OrderBook } from "./OrderBook.ts"
import type { Product } from "./Product.ts"
import { SeededRandom } from "./SeededRandom.ts"
import type { Side, Trade } from "./Trade.ts"

export interface MarketOptions {
  readonly product: Product
  readonly seed: string
  /** Microseconds since 1970 at which the agents start trading. */
  readonly from: number
  /** The agents' target rate, in trades per second. */
  readonly tradesPerSecond: number
  /** Until that time the target rate is another one, with sizes that make the same volume. */
  readonly before?: { readonly time: number; readonly tradesPerSecond: number } | undefined
  /** The newest trade of an earlier run: ids and price continue from it. */
  readonly resume?: Trade | undefined
}

const makers = 3
const levelsOfMaker = 3
const visitors = 24
/** The fraction of a tick in which the fair price is stored, so that a cheap token can move by less than a tick. */
const fine = 1024
/** Average number of trades between two pauses of the agents: observed with the constants of this file. */
const tradesPerRound = 2.33
const volatilityPerSecond = 0.00009

/**
 * One product with its agents: market makers that quote around a drifting fair price, visitors that leave orders near
 * the touch, and takers. The trades until a given time depend only on the seed and the start, not on how the calls
 * divide the time.
 */
export class Market {
  readonly product: Product
  readonly #options: MarketOptions
  readonly #random: SeededRandom
  readonly #book: OrderBook
  readonly #reference: number
  readonly #unit: number
  readonly #quotes: Array<Array<number>> = Array.from({ length: makers }, () => [])
  readonly #left: Array<number> = []
  #fair: number
  #nextMaker = 0
  #lastRound: number
  #nextRound: number
  #burst = 0

  constructor(options: MarketOptions) {
    this.product = options.product
    this.#options = options
    this.#random = new SeededRandom(options.seed)
    const resume = options.resume
    this.#book = new OrderBook({
      lastTradeId: resume?.tradeId ?? 0,
      lastSequence: resume?.sequence ?? 0,
      lastOrder: Math.max(resume?.makerOrder ?? 0, resume?.takerOrder ?? 0)
    })
    this.#reference = (FixedPoint.parse(options.product.referencePrice, options.product.priceDecimals) ?? 1) * fine
    this.#fair = resume === undefined ? this.#reference : resume.price * fine
    this.#unit = unitSize(options.product)
    this.#lastRound = options.from
    this.#nextRound = options.from + (resume === undefined ? 0 : this.#gap(options.from))
    this.#openBook()
  }

  get sequence(): number {
    return this.#book.sequence
  }

  best(side: Side): number | undefined {
    return this.#book.best(side)
  }

  /** The trades after the last call and up to `time`. */
  advanceTo(time: number): ReadonlyArray<Trade> {
    const trades: Array<Trade> = []
    while (this.#nextRound <= time) this.#round(this.#nextRound, trades)
    return trades
  }

  /** Pauses the market until `time`: nothing is traded in between. */
  skipTo(time: number): void {
    if (time <= this.#nextRound) return
    this.#lastRound = time
    this.#nextRound = time
  }

  #openBook(): void {
    const ignored: Array<Trade> = []
    for (let maker = 0; maker < makers; maker++) this.#requote(this.#options.from, ignored)
  }

  #round(time: number, trades: Array<Trade>): void {
    this.#moveFairPrice(time)
    this.#requote(time, trades)
    if (this.#random.chance(0.3)) this.#visit(time, trades)
    this.#take(time, trades)
    this.#lastRound = time
    this.#nextRound = time + this.#gap(time)
  }

  /** Some takers trade in bursts: several rounds within a fraction of a millisecond. */
  #gap(time: number): number {
    if (this.#burst > 0) {
      this.#burst--
      return this.#random.between(0, 140)
    }
    if (this.#random.chance(0.05)) this.#burst = this.#random.between(1, 5)
    const { before, tradesPerSecond } = this.#options
    if (before === undefined || time >= before.time) return this.#wait(tradesPerSecond)
    const slow = this.#wait(before.tradesPerSecond)
    return time + slow < before.time ? slow : before.time - time + this.#wait(tradesPerSecond)
  }

  #wait(tradesPerSecond: number): number {
    return 1 + Math.round((-Math.log(1 - this.#random.fraction()) * 1_000_000 * tradesPerRound) / tradesPerSecond)
  }

  #moveFairPrice(time: number): void {
    const seconds = (time - this.#lastRound) / 1_000_000
    const draw = this.#random.fraction() + this.#random.fraction() + this.#random.fraction() - 1.5
    const noise = this.#fair * volatilityPerSecond * Math.sqrt(seconds) * draw * 2
    const pull = (this.#reference - this.#fair) * Math.min(0.5, seconds / 14_400)
    this.#fair = Math.max(20 * fine, Math.round(this.#fair + noise + pull))
  }

  #requote(time: number, trades: Array<Trade>): void {
    const maker = this.#nextMaker
    this.#nextMaker = (maker + 1) % makers
    for (const order of this.#quotes[maker] ?? []) this.#book.cancel(order)
    const resting: Array<number> = []
    const step = Math.max(1, Math.round(this.#fair / fine / 20_000))
    for (let level = 0; level < levelsOfMaker; level++) {
      const away = step * (1 + maker + level * makers) + this.#random.between(0, step)
      const middle = Math.round(this.#fair / fine)
      for (const [side, price] of [
        ["buy", middle - away],
        ["sell", middle + away]
      ] as const) {
        if (price <= 0) continue
        const { order, rested } = this.#place(side, this.#size(2, time), price, time, trades)
        if (rested > 0) resting.push(order)
      }
    }
    this.#quotes[maker] = resting
  }

  /** A visitor joins near the touch; the oldest one leaves. */
  #visit(time: number, trades: Array<Trade>): void {
    const side: Side = this.#random.chance(0.5) ? "buy" : "sell"
    const touch = this.#book.best(side) ?? Math.round(this.#fair / fine)
    const price = Math.max(1, touch + (side === "buy" ? -1 : 1) * this.#random.between(0, 6))
    const { order, rested } = this.#place(side, this.#size(1, time), price, time, trades)
    if (rested > 0) this.#left.push(order)
    const oldest = this.#left.length > visitors ? this.#left.shift() : undefined
    if (oldest !== undefined) this.#book.cancel(oldest)
  }

  #take(time: number, trades: Array<Trade>): void {
    const side: Side = this.#random.chance(0.5) ? "buy" : "sell"
    this.#place(side, this.#size(this.#random.chance(0.08) ? 12 : 1, time), undefined, time, trades)
  }

  #place(side: Side, size: number, price: number | undefined, time: number, trades: Array<Trade>) {
    const submission = this.#book.submit({ side, size, price }, time)
    for (const trade of submission.trades) trades.push(trade)
    return submission
  }

  /** Mostly small, sometimes up to `scale` units, never zero. */
  #size(scale: number, time: number): number {
    const { before, tradesPerSecond } = this.#options
    const unit = before !== undefined && time < before.time ? tradesPerSecond / before.tradesPerSecond : 1
    const draw = this.#random.fraction()
    return 1 + Math.floor(draw * draw * draw * scale * unit * this.#unit)
  }
}

/** The lots that cost about 4,000 of the quote currency at the reference price. */
const unitSize = (product: Product): number => {
  const price = FixedPoint.parse(product.referencePrice, product.priceDecimals) ?? 1
  const lots = (4000n * 10n ** BigInt(product.priceDecimals + product.sizeDecimals)) / BigInt(price)
  return Math.max(10, Number(lots))
}

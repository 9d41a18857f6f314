import type { Side, Trade } from "./Trade.ts"

/** An order. Without a price it is a market order, whose unfilled part is cancelled. */
export interface NewOrder {
  readonly side: Side
  readonly size: number
  readonly price?: number | undefined
}

export interface Submission {
  readonly order: number
  readonly trades: ReadonlyArray<Trade>
  /** Lots resting in the book. */
  readonly rested: number
}

export interface PriceLevel {
  readonly price: number
  readonly size: number
}

interface RestingOrder {
  readonly order: number
  readonly side: Side
  readonly price: number
  remaining: number
}

interface Level {
  readonly price: number
  readonly orders: Array<RestingOrder>
}

/** The counters of trades, events and orders. */
export interface BookPosition {
  readonly lastTradeId: number
  readonly lastSequence: number
  readonly lastOrder: number
}

const empty: BookPosition = { lastTradeId: 0, lastSequence: 0, lastOrder: 0 }

/** A limit order book with price-time priority. It is deterministic and has no clock. */
export class OrderBook {
  /** Each side ends with its best level, so that the usual removal is cheap. */
  readonly #bids: Array<Level> = []
  readonly #asks: Array<Level> = []
  readonly #resting = new Map<number, RestingOrder>()
  #lastTradeId: number
  #lastSequence: number
  #lastOrder: number

  constructor(position: BookPosition = empty) {
    this.#lastTradeId = position.lastTradeId
    this.#lastSequence = position.lastSequence
    this.#lastOrder = position.lastOrder
  }

  get sequence(): number {
    return this.#lastSequence
  }

  submit(request: NewOrder, time: number): Submission {
    const order = ++this.#lastOrder
    this.#lastSequence++
    const trades: Array<Trade> = []
    let remaining = request.size
    const opposite = request.side === "buy" ? this.#asks : this.#bids
    for (let level = opposite.at(-1); level !== undefined && remaining > 0; level = opposite.at(-1)) {
      if (request.price !== undefined && isBetter(request.side, level.price, request.price)) break
      remaining = this.#fillAt(level, order, remaining, time, trades)
      if (level.orders.length === 0) opposite.pop()
    }
    if (request.price === undefined || remaining === 0) return { order, trades, rested: 0 }
    this.#rest({ order, side: request.side, price: request.price, remaining })
    return { order, trades, rested: remaining }
  }

  /** Cancels an order and returns its remaining lots, or 0 if it does not rest in the book. */
  cancel(order: number): number {
    const found = this.#resting.get(order)
    if (found === undefined) return 0
    this.#resting.delete(order)
    this.#lastSequence++
    const side = found.side === "buy" ? this.#bids : this.#asks
    const at = position(side, found.side, found.price)
    const level = side[at]
    if (level !== undefined) {
      level.orders.splice(level.orders.indexOf(found), 1)
      if (level.orders.length === 0) side.splice(at, 1)
    }
    return found.remaining
  }

  best(side: Side): number | undefined {
    return (side === "buy" ? this.#bids : this.#asks).at(-1)?.price
  }

  /** The levels of one side, best first. */
  levels(side: Side): ReadonlyArray<PriceLevel> {
    return (side === "buy" ? this.#bids : this.#asks)
      .map(({ orders, price }) => ({ price, size: orders.reduce((sum, order) => sum + order.remaining, 0) }))
      .toReversed()
  }

  #fillAt(level: Level, takerOrder: number, wanted: number, time: number, trades: Array<Trade>): number {
    let remaining = wanted
    for (let maker = level.orders[0]; maker !== undefined && remaining > 0; maker = level.orders[0]) {
      const size = Math.min(maker.remaining, remaining)
      remaining -= size
      maker.remaining -= size
      trades.push({
        tradeId: ++this.#lastTradeId,
        sequence: ++this.#lastSequence,
        time,
        side: maker.side,
        price: level.price,
        size,
        makerOrder: maker.order,
        takerOrder
      })
      if (maker.remaining > 0) continue
      level.orders.shift()
      this.#resting.delete(maker.order)
    }
    return remaining
  }

  #rest(order: RestingOrder): void {
    this.#lastSequence++
    this.#resting.set(order.order, order)
    const side = order.side === "buy" ? this.#bids : this.#asks
    const at = position(side, order.side, order.price)
    const level = side[at]
    if (level !== undefined && level.price === order.price) level.orders.push(order)
    else side.splice(at, 0, { price: order.price, orders: [order] })
  }
}

/** Whether `limit` is a better price than `price` for a taker of `side`. */
const isBetter = (side: Side, price: number, limit: number): boolean => (side === "buy" ? price > limit : price < limit)

/** The index of the level of `price`, existing or to be inserted, in a side that ends with its best level. */
const position = (levels: ReadonlyArray<Level>, side: Side, price: number): number => {
  let low = 0
  let high = levels.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const found = levels[middle]?.price ?? price
    if (side === "buy" ? found < price : found > price) low = middle + 1
    else high = middle
  }
  return low
}

import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { OrderBook } from "../../../src/exchange/market/OrderBook.ts"
import type { NewOrder } from "../../../src/exchange/market/OrderBook.ts"
import type { Side, Trade } from "../../../src/exchange/market/Trade.ts"

const Size = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 }))
const Command = Schema.Union([
  Schema.Struct({
    do: Schema.Literal("limit"),
    side: Schema.Literals(["buy", "sell"]),
    size: Size,
    price: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 }))
  }),
  Schema.Struct({ do: Schema.Literal("market"), side: Schema.Literals(["buy", "sell"]), size: Size }),
  Schema.Struct({
    do: Schema.Literal("cancel"),
    order: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 }))
  })
])
type Command = typeof Command.Type
const Commands = Schema.Array(Command).check(Schema.isMinLength(1), Schema.isMaxLength(60))

interface Waiting {
  readonly order: number
  readonly side: Side
  readonly price: number
  remaining: number
}

/** The same market in an obviously correct form: a list, sorted by price and arrival before each match. */
class PlainBook {
  waiting: Array<Waiting> = []
  #orders = 0

  submit({ price, side, size }: NewOrder) {
    const order = ++this.#orders
    /** Maker, price and size of each. */
    const fills: Array<Array<number>> = []
    let remaining = size
    const better = (left: Waiting, right: Waiting) =>
      (side === "buy" ? left.price - right.price : right.price - left.price) || left.order - right.order
    for (const maker of this.waiting.filter((waiting) => waiting.side !== side).toSorted(better)) {
      const acceptable = price === undefined || (side === "buy" ? maker.price <= price : maker.price >= price)
      if (!acceptable || remaining === 0) break
      const filled = Math.min(remaining, maker.remaining)
      fills.push([maker.order, maker.price, filled])
      maker.remaining -= filled
      remaining -= filled
    }
    this.waiting = this.waiting.filter((waiting) => waiting.remaining > 0)
    if (price !== undefined && remaining > 0) this.waiting.push({ order, side, price, remaining })
    return fills
  }

  cancel(order: number): number {
    const found = this.waiting.find((waiting) => waiting.order === order)
    this.waiting = this.waiting.filter((waiting) => waiting !== found)
    return found?.remaining ?? 0
  }
}

const run = (commands: ReadonlyArray<Command>, each: (book: OrderBook) => void = () => {}) => {
  const book = new OrderBook()
  const trades: Array<Trade> = []
  let submitted = 0
  let cancelled = 0
  let dropped = 0
  for (const command of commands) {
    if (command.do === "cancel") cancelled += book.cancel(command.order)
    else {
      const made = book.submit(command, 7)
      const filled = made.trades.reduce((sum, trade) => sum + trade.size, 0)
      submitted += command.size
      dropped += command.size - filled - made.rested
      trades.push(...made.trades)
    }
    each(book)
  }
  const resting = [...book.levels("buy"), ...book.levels("sell")].reduce((sum, level) => sum + level.size, 0)
  return { book, trades, submitted, cancelled, dropped, resting }
}

describe("OrderBook", () => {
  it.prop(
    "matches like a list sorted by price and arrival",
    [Commands],
    ([commands]) => {
      const book = new OrderBook()
      const plain = new PlainBook()
      for (const command of commands) {
        if (command.do === "cancel") {
          assert.strictEqual(book.cancel(command.order), plain.cancel(command.order))
          continue
        }
        const fills = book.submit(command, 0).trades.map((trade) => [trade.makerOrder, trade.price, trade.size])
        assert.deepStrictEqual(fills, plain.submit(command))
      }
    },
    { arbitrary: { runs: 300 } }
  )

  it.prop("is never crossed", [Commands], ([commands]) => {
    run(commands, (book) => {
      const bid = book.best("buy")
      const ask = book.best("sell")
      if (bid !== undefined && ask !== undefined) assert.isBelow(bid, ask)
    })
  })

  it.prop("neither makes nor loses lots", [Commands], ([commands]) => {
    const { cancelled, dropped, resting, submitted, trades } = run(commands)
    const traded = trades.reduce((sum, trade) => sum + trade.size, 0)
    assert.strictEqual(submitted, 2 * traded + cancelled + dropped + resting)
  })

  it.prop("numbers trades consecutively, with an increasing sequence", [Commands], ([commands]) => {
    const { trades } = run(commands)
    assert.deepStrictEqual(
      trades.map((trade) => trade.tradeId),
      trades.map((_, index) => index + 1)
    )
    for (const [index, trade] of trades.entries()) assert.isAbove(trade.sequence, trades[index - 1]?.sequence ?? 0)
  })

  it("lets the first of two equal orders trade first, at its own price, and names its side", () => {
    const book = new OrderBook()
    book.submit({ side: "sell", size: 5, price: 101 }, 1)
    book.submit({ side: "sell", size: 5, price: 100 }, 2)
    book.submit({ side: "sell", size: 5, price: 100 }, 3)
    const { rested, trades } = book.submit({ side: "buy", size: 12, price: 200 }, 4)
    assert.strictEqual(rested, 0)
    assert.deepStrictEqual(
      trades.map((trade) => [trade.makerOrder, trade.price, trade.size, trade.side, trade.time]),
      [
        [2, 100, 5, "sell", 4],
        [3, 100, 5, "sell", 4],
        [1, 101, 2, "sell", 4]
      ]
    )
    assert.strictEqual(book.cancel(1), 3)
    assert.isUndefined(book.best("sell"))
  })

  it("continues the numbers of an earlier run", () => {
    const book = new OrderBook({ lastTradeId: 41, lastSequence: 900, lastOrder: 77 })
    book.submit({ side: "buy", size: 1, price: 10 }, 0)
    const { order, trades } = book.submit({ side: "sell", size: 1 }, 0)
    assert.strictEqual(order, 79)
    assert.strictEqual(trades[0]?.tradeId, 42)
    assert.isAbove(trades[0]?.sequence ?? 0, 900)
  })
})

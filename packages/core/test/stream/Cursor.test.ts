import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Market } from "../../src/cex/Market.ts"
import { InvalidCursor } from "../../src/problem/StreamError.ts"
import { poolPages } from "../../src/stream/DexStream.ts"
import { tradePages } from "../../src/stream/TradeStream.ts"
import { idsOf, modelMarket, place, tradesOf } from "./ModelMarket.ts"

const since = DateTime.makeUnsafe(1000)
const { read, reads } = modelMarket([1000, 1000, 1001].map((time) => ({ time, shownAt: 0 })))

const firstCursor = Effect.gen(function* () {
  const pages = yield* Stream.runCollect(Stream.take(tradePages(read, { ...place, since, pageSize: 2 }), 1))
  return pages[0]?.cursor ?? ""
})

const errorOf = (cursor: string, market = place.market) =>
  Effect.flip(Stream.runDrain(tradePages(read, { ...place, market, since, cursor })))

const damaged = "it is damaged, or of another version of this package"

describe("a cursor of trades", () => {
  it.effect("is text that a URL, a file name and a column can hold", () =>
    Effect.map(firstCursor, (cursor) => assert.match(cursor, /^[\w-]+$/))
  )

  it.effect("takes the place of `since`", () =>
    Effect.gen(function* () {
      const cursor = yield* firstCursor
      const later = DateTime.makeUnsafe(5000)
      const rest = yield* Stream.runCollect(tradePages(read, { ...place, since: later, cursor }))
      assert.deepStrictEqual(idsOf(tradesOf(rest)), ["t2"])
    })
  )

  it.effect("of another market is refused before anything is asked for", () =>
    Effect.gen(function* () {
      const cursor = yield* firstCursor
      const before = reads.length
      const error = yield* errorOf(cursor, Market.make("ETH/USD"))
      assert.instanceOf(error, InvalidCursor)
      assert.strictEqual(
        error.message,
        'The cursor can\'t continue "cex.trades": it belongs to another request than ' +
          '[["exchange","model"],["market","ETH/USD"]]. ' +
          "Pass the cursor of a page of the same request, or none to start again."
      )
      assert.lengthOf(reads, before)
    })
  )

  it.effect.prop("is refused when any character is missing", [Schema.Int.check(Schema.isGreaterThan(0))], ([n]) =>
    Effect.gen(function* () {
      const cursor = yield* firstCursor
      const at = n % cursor.length
      const error = yield* errorOf(cursor.slice(0, at))
      assert.deepStrictEqual(error, new InvalidCursor({ operation: "cex.trades", detail: damaged }))
    })
  )

  it.effect.prop(
    "is refused when any character is another one",
    [Schema.Int.check(Schema.isGreaterThan(0)), Schema.Literals(["A", "b", "7", "_", "-", "."])],
    ([n, character]) =>
      Effect.gen(function* () {
        const cursor = yield* firstCursor
        const at = n % cursor.length
        const other = cursor.slice(0, at) + character + cursor.slice(at + 1)
        if (other === cursor) return
        assert.instanceOf(yield* errorOf(other), InvalidCursor)
      })
  )

  it.effect("is distinguished from the cursor of a list", () =>
    Effect.gen(function* () {
      const cursor = yield* firstCursor
      const pools = poolPages(() => Effect.die("asked for a page"), { exchange: "x", blockchain: "y", cursor })
      const error = yield* Effect.flip(Stream.runDrain(pools))
      assert.deepStrictEqual(error, new InvalidCursor({ operation: "dex.pools", detail: 'it belongs to "cex.trades"' }))
    })
  )
})

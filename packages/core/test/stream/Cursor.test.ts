import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Market } from "../../src/cex/Market.ts"
import { poolPages } from "../../src/stream/DexStream.ts"
import { InvalidCursor } from "../../src/stream/StreamError.ts"
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

/** For the ASCII characters in these, base64 and base64url differ only in the padding. */
const asCursor = (value: unknown) => btoa(JSON.stringify(value)).replaceAll("=", "")
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
        `The cursor can't continue "cex.trades": it belongs to BTC/USD on "model", not to ETH/USD on "model". ` +
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

  const fields = { version: 1, of: "cex.trades", ...place, at: 1000, certain: 1000, known: [] }
  const wrong: ReadonlyArray<readonly [string, unknown]> = [
    ["of another version", { ...fields, version: 2 }],
    ["with a place before what is certain", { ...fields, at: 999 }],
    ["with a time that is no integer", { ...fields, at: 1000.5 }],
    ["with a time that no date has", { ...fields, at: 8_640_000_000_000_001 }],
    ["with a trade whose time no date has", { ...fields, known: [["a", 8_640_000_000_000_000]] }],
    ["that is no object", "cex.trades"]
  ]
  it.effect.each(wrong)("%s is refused", ([, value]) =>
    Effect.gen(function* () {
      const error = yield* errorOf(asCursor(value))
      assert.deepStrictEqual(error, new InvalidCursor({ operation: "cex.trades", detail: damaged }))
    })
  )

  it.effect("of a list says what it belongs to", () =>
    Effect.gen(function* () {
      const list = { version: 1, of: "dex.pools", request: "[]", block: "1", hash: "0x0", skip: 0 }
      const error = yield* errorOf(asCursor(list))
      assert.deepStrictEqual(error, new InvalidCursor({ operation: "cex.trades", detail: 'it belongs to "dex.pools"' }))
    })
  )

  it.effect("is told from that of a list", () =>
    Effect.gen(function* () {
      const cursor = yield* firstCursor
      const pools = poolPages(() => Effect.die("asked for a page"), { exchange: "x", blockchain: "y", cursor })
      const error = yield* Effect.flip(Stream.runDrain(pools))
      assert.deepStrictEqual(error, new InvalidCursor({ operation: "dex.pools", detail: 'it belongs to "cex.trades"' }))
    })
  )

  it.effect("written by hand in the same form is taken", () =>
    Effect.gen(function* () {
      const pages = yield* Stream.runCollect(tradePages(read, { ...place, since, cursor: asCursor(fields) }))
      assert.deepStrictEqual(idsOf(tradesOf(pages)), ["t0", "t1", "t2"])
    })
  )
})

import { Market, PoolAddress } from "@chaintape/core"
import { BlocksStream, DexStream, DexTradeStream, LiveBlocks, LiveSwaps, TradeStream } from "@chaintape/core/streams"
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** A read that a stream must not reach. */
const unread = () => Effect.die("it was sent")

const trades = { exchange: "a", market: Market.make("BTC/USD"), since: 0 }
const dex = { exchange: "a", blockchain: "b" }
const pool = { ...dex, pool: PoolAddress.make(`0x${"ab".repeat(20)}`) }

/** A program without types can give anything. */
const run = (stream: (...args: never) => unknown, request: unknown): Effect.Effect<unknown, unknown> => {
  const made: unknown = Reflect.apply(stream, undefined, [unread, request])
  return Stream.isStream(made) ? Stream.runDrain(made as Stream.Stream<unknown, unknown>) : Effect.die("no stream")
}

const wrong: ReadonlyArray<
  readonly [parameter: string, stream: (...args: never) => unknown, request: unknown, says: string]
> = [
  [
    "livee",
    TradeStream.trades,
    { ...trades, livee: true },
    "it is not a parameter here: allowed are exchange, market, since"
  ],
  ["since", TradeStream.trades, undefined, "it is missing: it must be a time since 1970"],
  ["since", TradeStream.trades, { ...trades, since: Object.create(null) }, '"object" can\'t be sent'],
  ["since", TradeStream.trades, { ...trades, since: undefined }, "it is missing: it must be a time since 1970"],
  ["since", TradeStream.tradePages, { ...trades, since: "yesterday" }, '"yesterday" can\'t be sent: it must be a time'],
  ["until", TradeStream.trades, { ...trades, until: "soon" }, '"soon" can\'t be sent: it must be a time'],
  ["live", TradeStream.trades, { ...trades, live: "yes" }, '"yes" can\'t be sent: it must be true or false'],
  [
    "pollEvery",
    TradeStream.trades,
    { ...trades, pollEvery: "often" },
    '"often" can\'t be sent: it must be milliseconds'
  ],
  ["settle", TradeStream.trades, { ...trades, settle: "later" }, "it must be milliseconds"],
  ["pollEvery", TradeStream.trades, { ...trades, pollEvery: Number.NaN }, "it must be milliseconds"],
  ["settle", TradeStream.trades, { ...trades, settle: -1 }, "it must be milliseconds"],
  ["cursor", TradeStream.trades, { ...trades, cursor: 5 }, '"5" can\'t be sent: it must be the cursor of a page'],
  ["pageSize", TradeStream.trades, { ...trades, pageSize: "many" }, '"many" can\'t be sent: it must be an integer'],
  ["limit", TradeStream.trades, { ...trades, limit: 5 }, "it is not a parameter here"],
  [
    "kind",
    DexTradeStream.poolTrades,
    { ...pool, kind: "swaps" },
    '"swaps" can\'t be sent: it must be swap or mint or burn'
  ],
  ["kind", DexTradeStream.poolTradePages, pool, "it is missing: it must be swap or mint or burn"],
  [
    "as",
    DexTradeStream.tokenTrades,
    { ...dex, token: pool.pool, kind: "swap", as: "base" },
    "it must be token0 or token1"
  ],
  ["blok", DexStream.pools, { ...dex, blok: 5 }, "it is not a parameter here"],
  ["skip", DexStream.tokens, { ...dex, skip: 5 }, "it is not a parameter here"],
  ["pageSize", BlocksStream.blocks, { blockchain: "b", pageSize: "5" }, "it must be an integer"],
  ["since", LiveBlocks.liveBlocks, { blockchain: "b", since: 5 }, "it is not a parameter here: allowed are blockchain"],
  ["pollEvery", LiveSwaps.liveSwapPages, { ...pool, pollEvery: "5" }, "it must be milliseconds"]
]

describe("the request of a stream", () => {
  it.effect.each(wrong)("is refused before anything is sent: a wrong %s", ([parameter, stream, request, says]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(run(stream, request))
      assert.deepInclude(error, { _tag: "InvalidParameter" })
      assert.include(String(error), `Parameter "${parameter}": `)
      assert.include(String(error), says)
    })
  )

  const times = [new Date(5000), 5000, "1970-01-01T00:00:05Z", DateTime.makeUnsafe(5000)]
  it.effect.each(times)("has its start as %o", (since) =>
    Effect.gen(function* () {
      const reads: Array<unknown> = []
      const stream = TradeStream.trades(
        (request) => {
          reads.push(request.since)
          return Effect.fail("enough" as const)
        },
        { ...trades, since }
      )
      yield* Effect.flip(Stream.runDrain(stream))
      assert.deepStrictEqual(reads, [DateTime.makeUnsafe(5000)])
    })
  )

  it.effect("needs no start where a cursor takes its place", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(run(TradeStream.trades, { ...trades, since: undefined, cursor: "x" }))
      assert.deepInclude(error, { _tag: "InvalidCursor" })
    })
  )
})

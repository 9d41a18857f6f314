import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { Block } from "../src/blocks/Block.ts"
import { Blockchain } from "../src/blocks/Blockchain.ts"
import { BlockchainNotFound, BlockNotFound } from "../src/blocks/BlocksProblem.ts"
import { Candle } from "../src/cex/Candle.ts"
import { ExchangeNotFound, MarketNotFound, NoData, OperationNotSupported } from "../src/cex/CexProblem.ts"
import { Exchange, ExchangeSummary } from "../src/cex/Exchange.ts"
import { Market, MarketInPath } from "../src/cex/Market.ts"
import { LastTrade, Trade, Trades } from "../src/cex/Trade.ts"
import { IntegerText, IntegerTextOrUnknown } from "../src/number/Integer.ts"
import * as Problems from "../src/problem/Problem.ts"
import { Milliseconds, MillisecondsText, SecondsText } from "../src/time/Timestamp.ts"

const millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8_640_000_000_000_000 }))
const seconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8_640_000_000_000 }))
const naturals = Arbitrary.map(Arbitrary.schema(Schema.BigInt), (n) => String(n < 0n ? -n : n))
const texts = Arbitrary.schema(Schema.String)
const finites = Arbitrary.schema(Schema.Finite)
const markets = Arbitrary.schema(Schema.Literals(["BTC/USD", "1INCH/USDT", "ÄÖ/ß", "A.B/C_D", "$BONK/€"]))
const timeframes = Arbitrary.schema(Schema.Literals(["1m", "5m", "15m", "1h", "6h", "1d"]))
const millisText = Arbitrary.map(Arbitrary.schema(millis), String)
const secondsText = Arbitrary.map(Arbitrary.schema(seconds), String)
const unknownOr = Arbitrary.map(
  Arbitrary.all([Arbitrary.schema(Schema.Boolean), naturals]),
  ([known, text]: readonly [boolean, string]) => (known ? text : "")
)

const trade = {
  id: texts,
  timestamp: millisText,
  price: finites,
  size: finites,
  cost: finites,
  side: Arbitrary.schema(Schema.Literals(["buy", "sell"]))
}
const trades = Arbitrary.all(trade)
const ofMarket = { exchange: texts, market: markets }

interface Law {
  readonly name: string
  readonly schema: Schema.Codec<unknown, unknown>
  readonly wire: Arbitrary.Arbitrary<unknown>
}

const laws: ReadonlyArray<Law> = [
  { name: "IntegerText", schema: IntegerText, wire: naturals },
  { name: "IntegerTextOrUnknown", schema: IntegerTextOrUnknown, wire: unknownOr },
  { name: "Milliseconds", schema: Milliseconds, wire: Arbitrary.schema(millis) },
  { name: "MillisecondsText", schema: MillisecondsText, wire: millisText },
  { name: "SecondsText", schema: SecondsText, wire: secondsText },
  { name: "Market", schema: Market, wire: markets },
  { name: "Trade", schema: Trade, wire: trades },
  { name: "Trades", schema: Trades, wire: Arbitrary.all({ ...ofMarket, trades: Arbitrary.array(trades) }) },
  { name: "LastTrade", schema: LastTrade, wire: Arbitrary.all({ ...ofMarket, ...trade }) },
  {
    name: "Candle",
    schema: Candle,
    wire: Arbitrary.all({
      ...ofMarket,
      timeframe: timeframes,
      t: Arbitrary.schema(millis),
      o: finites,
      h: finites,
      l: finites,
      c: finites,
      v: finites
    })
  },
  {
    name: "Block",
    schema: Block,
    wire: Arbitrary.all({
      number: naturals,
      timestamp: secondsText,
      size: naturals,
      gasLimit: naturals,
      gasUsed: naturals,
      totalDifficulty: unknownOr,
      author: texts
    })
  },
  // These have no other form on the wire, so that their own values can be compared.
  { name: "Blockchain", schema: Blockchain, wire: Arbitrary.schema(Schema.toEncoded(Blockchain)) },
  { name: "Exchange", schema: Exchange, wire: Arbitrary.schema(Schema.toEncoded(Exchange)) },
  { name: "ExchangeSummary", schema: ExchangeSummary, wire: Arbitrary.schema(Schema.toEncoded(ExchangeSummary)) },
  ...[
    Problems.InvalidParameter,
    Problems.MissingApiKey,
    Problems.InvalidApiKey,
    Problems.KeyNotAllowed,
    Problems.RateLimited,
    Problems.QuotaExceeded,
    Problems.Internal,
    Problems.UpstreamFailed,
    Problems.NotReady,
    Problems.Overloaded,
    Problems.UpstreamBusy,
    Problems.UpstreamTimeout,
    ExchangeNotFound,
    MarketNotFound,
    OperationNotSupported,
    NoData,
    BlockchainNotFound,
    BlockNotFound
  ].map((schema) => ({ name: schema.code, schema, wire: Arbitrary.schema(Schema.toEncoded(schema)) }))
]

describe.each(laws)("$name", ({ schema, wire }) => {
  const json = Schema.toCodecJson(schema)
  const decode = Schema.decodeUnknownSync(json)
  const encode = Schema.encodeUnknownSync(json)

  it.prop("reads what it writes and writes what it reads", [wire], ([value]) => {
    const onTheWire: unknown = JSON.parse(JSON.stringify(value))
    const read = decode(onTheWire)
    const written = encode(read)
    assert.deepStrictEqual(written, onTheWire)
    assert.deepStrictEqual(decode(written), read)
  })
})

describe("MarketInPath", () => {
  it("reads any letter case and writes what it means", () => {
    const decode = Schema.decodeUnknownSync(MarketInPath)
    assert.strictEqual(decode("btc-Usd"), "BTC/USD")
    assert.strictEqual(Schema.encodeSync(MarketInPath)(decode("btc-usd")), "BTC-USD")
  })

  it.prop("reads what it writes", [Market], ([market]) => {
    const upper = Market.make(market.toUpperCase())
    const written = Schema.encodeSync(MarketInPath)(upper)
    assert.strictEqual(Schema.decodeUnknownSync(MarketInPath)(written), upper)
  })
})

describe("times outside of the calendar", () => {
  it.each([
    [MillisecondsText, "8640000000000001"],
    [MillisecondsText, "-1"],
    [MillisecondsText, "1.5"],
    [MillisecondsText, "01"],
    [MillisecondsText, ""],
    [MillisecondsText, 1],
    [SecondsText, "8640000000001"],
    [Milliseconds, 8_640_000_000_000_001],
    [Milliseconds, -1],
    [Milliseconds, 0.5],
    [Milliseconds, "1"]
  ])("are refused", (schema, value) => {
    assert.throws(() => Schema.decodeUnknownSync(schema)(value))
  })
})

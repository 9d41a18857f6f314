import { assert, describe, it } from "@effect/vitest"
import { recognizeLayout } from "../../../src/cex/dumps/DumpRows.ts"

const now = Date.UTC(2026, 0, 1)
const time = 1_735_776_000_123

const marketOf = (driver: string, hasConsecutiveIds = true) => ({
  exchange: driver,
  driver,
  hasConsecutiveIds,
  market: { base: "BTC", quote: "USDT" },
  now
})

/** The first row of a file as a trade, or what is wrong with it. */
const read = (path: string, lines: ReadonlyArray<string>, expected = marketOf("binance")) => {
  const [first = "", second = ""] = lines
  const { hasHeader, parse } = recognizeLayout(path, first, expected)
  return parse((hasHeader ? second : first).split(","))
}

const toTrade = (price: string, size: string, side: "buy" | "sell") => ({
  id: "77",
  sequence: 77,
  timestamp: time,
  price,
  size,
  side,
  receivedAt: now
})

const okx = "instrument_name,trade_id,side,price,size,created_time"
const usdM = "agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker"
const single = "id,price,qty,quote_qty,time,is_buyer_maker"

describe("a row of a published file", () => {
  it.each([
    [
      "Binance spot, milliseconds",
      "BTCUSDT-aggTrades-2024-12-31.csv",
      [`77,94000.50000000,0.01000000,1,2,${time},True,True`],
      marketOf("binance"),
      toTrade("94000.5", "0.01", "sell")
    ],
    [
      "Binance spot, microseconds",
      "BTCUSDT-aggTrades-2025-01-02.csv",
      [`77,94000.50000000,0.01000000,1,2,${time}456,False,True`],
      marketOf("binance"),
      toTrade("94000.5", "0.01", "buy")
    ],
    [
      "Binance USD-M",
      "BTCUSDT-aggTrades-2025-01-02.csv",
      [usdM, `77,94000.5,0.010,1,2,${time},false`],
      marketOf("binanceusdm"),
      toTrade("94000.5", "0.01", "buy")
    ],
    [
      "OKX, with an exponent",
      "BTC-USDT-trades-2025-01-02.csv",
      [okx, `BTC-USDT,77,sell,94000.5,7.98e-05,${time}`],
      marketOf("okx"),
      toTrade("94000.5", "0.0000798", "sell")
    ],
    [
      "Gate, sold",
      "BTC_USDT-202501.csv",
      ["1735776000.123456,77,94000.5,0.01,1"],
      marketOf("gate"),
      toTrade("94000.5", "0.01", "sell")
    ],
    [
      "Gate, bought",
      "BTC_USDT-202501.csv",
      ["1735776000.123456,77,94000.5,0.01,2"],
      marketOf("gate"),
      toTrade("94000.5", "0.01", "buy")
    ],
    [
      "Chaintape",
      "trades.csv",
      ["id,timestamp,time,price,size,cost,side", `77,${time},2025-01-02T00:00:00.123Z,94000.5,0.01,940.005,buy`],
      marketOf("coinbaseexchange"),
      toTrade("94000.5", "0.01", "buy")
    ],
    ["a quantity of zero", "x.csv", [`77,94000.5,0.000,1,2,${time},True,True`], marketOf("binance"), undefined]
  ] as const)("is read: %s", (_, path, lines, expected, trade) => {
    assert.deepStrictEqual(read(path, lines, expected), trade)
  })

  it.each([
    [usdM, `77.5,1,1,1,2,${time},true`, /its id "77.5" is no integer/],
    [usdM, `77,x,1,1,2,${time},true`, /its price "x" or its size "1" is no amount/],
    [usdM, `77,1,-1,1,2,${time},true`, /its price "1" or its size "-1" is no amount/],
    [usdM, `77,1,1,1,2,1735776000,true`, /its time "1735776000" is none of this layout/],
    [usdM, `77,1,1,1,2,${time},1`, /its side "1" is none of this layout/]
  ])("says what is wrong: %s %s", (header, row, message) => {
    assert.match(String(read("x.csv", [header, row], marketOf("binanceusdm"))), message)
  })

  it.each([
    ["x.csv", "price,size", marketOf("binance"), /no known layout/],
    ["x.csv", single, marketOf("binance"), /Import the files aggTrades/],
    ["x.csv", okx, marketOf("binance"), /it holds trades of OKX, not of binance/],
    [
      "x.csv",
      "timestamp,symbol,side,size,price,tickDirection,trdMatchID",
      marketOf("bybit"),
      /Bybit derivatives or BitMEX: their ids are not/
    ],
    ["x.csv", "id,timestamp,price,volume,side", marketOf("bybit"), /the numbers of the rows of a file/],
    ["trades.csv", "id,timestamp,time,price,size,cost,side", marketOf("kraken", false), /not known to be consecutive/],
    [
      "ETHUSDT-aggTrades-2025-01-02.csv",
      usdM,
      marketOf("binanceusdm"),
      /by its name it is of the market "ETHUSDT", not of "BTCUSDT"/
    ]
  ])("is refused: %s %s", (path, header, expected, message) => {
    assert.throws(() => recognizeLayout(path, header, expected), message)
  })

  it("of another market is refused", () => {
    assert.match(
      String(read("x.csv", [okx, `ETH-USDT,77,sell,1,1,${time}`], marketOf("okx"))),
      /market "ETH-USDT", not of "BTC-USDT"/
    )
  })
})

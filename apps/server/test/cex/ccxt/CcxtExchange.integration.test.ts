import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { catalogExchanges } from "../../../src/cex/ccxt/catalog/Catalog.ts"
import { CcxtError } from "../../../src/cex/ccxt/class/CcxtError.ts"
import { openCcxtExchange } from "../../../src/cex/ccxt/class/CcxtExchange.ts"
import type { CcxtExchange, ParsedPage } from "../../../src/cex/ccxt/class/CcxtExchange.ts"
import { decodeCandles } from "../../../src/cex/ccxt/rows/CandleRows.ts"
import { isEmptyBody } from "../../../src/cex/ccxt/rows/EmptyBody.ts"
import { decodeTrades } from "../../../src/cex/ccxt/rows/TradeRows.ts"
import { stubExchange } from "./StubExchange.ts"

const bad = [
  "<html><body>Maintenance</body></html>",
  "",
  "null",
  "{}",
  "[[]]",
  "[[1,2,3]]",
  '[{"foo":1}]',
  '{"data":[{"x":1}]}',
  '{"result":{"data":[[1,2'
]
const symbol = "BTC/USD"
const markets = [{ symbol, id: "BTCUSD", base: "BTC", quote: "USD", baseId: "BTC", quoteId: "USD" }]
const now = Date.UTC(2030, 0, 1)

/** Whether a response is accepted as a list of rows; a call may only reject as the adapter expects. */
const isTaken = async <A>(
  call: Promise<ParsedPage>,
  decode: (rows: ParsedPage["rows"]) => Result.Result<A, string>
) => {
  try {
    const { body, rows } = await call
    return (rows.length > 0 || isEmptyBody(body)) && Result.isSuccess(decode(rows))
  } catch (error) {
    assert.instanceOf(error, CcxtError)
    return false
  }
}

const taken = async (exchange: CcxtExchange, signal: AbortSignal) => {
  const context = { signal, pace: () => Promise.resolve() }
  return (
    (await isTaken(exchange.trades(context, { symbol }), (rows) => decodeTrades(rows, { symbol, now }))) ||
    (await isTaken(exchange.candles(context, { symbol, label: "1h" }), (rows) => decodeCandles(rows, now)))
  )
}

describe("every class of the catalog", () => {
  it.live("fails on each invalid body", () =>
    Effect.gen(function* () {
      let body = ""
      const stub = yield* stubExchange(() => ({ body }))
      for (const { id } of catalogExchanges) {
        yield* Effect.promise(async (signal) => {
          const options = { driver: id, rest: stub.rest, markets, quoteNumbers: false, requestTimeoutMs: 2000 }
          const exchange = await openCcxtExchange(options)
          assert.isAbove(exchange.rateLimit, 0, id)
          for (body of bad) assert.isFalse(await taken(exchange, signal), `${id} ${body}`)
        })
      }
      assert.isAbove(stub.requests.length, 1000)
    })
  )
})

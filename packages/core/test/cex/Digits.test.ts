import { Client, Decimal, Market } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Schema from "effect/Schema"
import { lastCandle, lastTrade, trades } from "../../src/api/CexOperations.ts"
import { decodeExact } from "../../src/internal/decode/exactNumbers.ts"
import { decodeTrades } from "../../src/internal/decode/tradesText.ts"

const listing = { exchange: "kraken", market: Market.make("BTC/USD") }
const digits = "0.000012345678901234567891"

const row = (id: string, price: string, size: string, cost: string) =>
  `{"id":"${id}","timestamp":"1767323045678","price":${price},"size":${size},"cost":${cost},"side":"sell"}`
const answer = (rows: ReadonlyArray<string>) => `{"exchange":"kraken","market":"BTC/USD","trades":[${rows.join(",")}]}`

/** Over a service that answers this text. */
const over = <A, E>(text: string, effect: Effect.Effect<A, E, Client>) =>
  effect.pipe(
    Effect.provide(Client.layer({ baseUrl: "http://stub.test" })),
    Effect.provideService(FetchHttpClient.Fetch, async () => new Response(text))
  )

describe("a decimal of a centralized exchange", () => {
  it.effect("keeps every digit in a trade, in the last trade and in a candle", () =>
    Effect.gen(function* () {
      const head = '{"exchange":"kraken","market":"BTC/USD",'
      const all = yield* over(
        answer([row("1", digits, "100", digits)]),
        Effect.flatMap(Client, ({ call }) => call(trades, listing))
      )
      assert.deepInclude<object | undefined>(all.value.trades[0], { price: digits, size: "100", cost: digits })
      const last = yield* over(
        head + row("1", digits, "1e-7", "0").slice(1),
        Effect.flatMap(Client, ({ call }) => call(lastTrade, listing))
      )
      assert.deepInclude<object>(last.value, { price: digits, size: "0.0000001", cost: "0" })
      const candle = `${head}"timeframe":"1h","t":1767322800000,"o":${digits},"h":2,"l":${digits},"c":1.50,"v":9007199254740993.1}`
      const { value } = yield* over(
        candle,
        Effect.flatMap(Client, ({ call }) => call(lastCandle, { ...listing, timeframe: "1h" }))
      )
      assert.deepInclude<object>(value, {
        open: digits,
        high: "2",
        low: digits,
        close: "1.50",
        volume: "9007199254740993.1"
      })
    })
  )

  it.effect("makes the average price of 50,000 trades exact", () =>
    Effect.gen(function* () {
      // Doubles lose the last digits of each cost, and of their sum.
      const rows = Array.from({ length: 50_000 }, (_, index) => {
        const size = `0.${100_000_000_000_000_000n + BigInt(index)}`
        return row(String(index), "3", size, Decimal.sum([size, size, size].map(Decimal.make)))
      })
      const { value } = yield* over(
        answer(rows),
        Effect.flatMap(Client, ({ call }) => call(trades, { ...listing, limit: 50_000 }))
      )
      const [cost, size] = [
        Decimal.sum(value.trades.map(({ cost }) => cost)),
        Decimal.sum(value.trades.map(({ size }) => size))
      ]
      assert.strictEqual(size, Decimal.make("5000.000000001249975000"))
      const average = BigDecimal.divideUnsafe(Decimal.toBigDecimal(cost), Decimal.toBigDecimal(size))
      assert.strictEqual(BigDecimal.format(BigDecimal.normalize(average)), "3")
    })
  )
})

const Member = Schema.Literals([
  "0",
  "-0",
  "7",
  "-7",
  "0.5",
  "1.50",
  "00",
  "01",
  ".5",
  "1.",
  "1e3",
  "-1.5E-7",
  "null",
  '"1"',
  "true",
  "[]",
  digits
])
const Id = Schema.Literals(["1", "", "a-b_c", "\\u0041", '\\"', "ö", "x".repeat(30), "1767323045678901234567"])
const Time = Schema.Literals([
  "0",
  "1767323045678",
  "01",
  "",
  "-1",
  "8640000000000000",
  "8640000000000001",
  "99999999999999999"
])
const Row = Schema.Tuple([Id, Time, Member, Member, Member, Schema.Literals(["buy", "sell", "hold", ""])])
const Rest = Schema.Literals(["", ",", " ", "x", "]", "}"])

const rowOf = ([id, time, price, size, cost, side]: typeof Row.Type) =>
  `{"id":"${id}","timestamp":"${time}","price":${price},"size":${size},"cost":${cost},"side":"${side}"}`

describe("the reader of trades from their text", () => {
  const { inText } = trades
  if (inText === undefined) throw new Error("Trades have a schema of their text.")
  const [fast, general] = [decodeTrades(inText), decodeExact(inText)]
  const outcome = (decoded: ReturnType<typeof fast>) =>
    decoded === undefined ? Effect.succeed("not JSON") : Effect.exit(Effect.mapError(decoded, String))

  it.effect.prop(
    "agrees with the general one on every text",
    [Schema.Array(Row).check(Schema.isMaxLength(3)), Rest],
    ([rows, rest]) =>
      Effect.gen(function* () {
        const texts = [answer(rows.map(rowOf)), answer(rows.map(rowOf)) + rest, answer([...rows.map(rowOf), rest])]
        for (const text of texts)
          assert.deepStrictEqual(yield* outcome(fast(text)), yield* outcome(general(text)), text)
      })
  )
})

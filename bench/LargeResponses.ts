/** Decoding and writing of large responses. Each row is a median; the ratio is to the first row. */
import { Schema } from "effect"
import { tradesJson } from "../apps/server/src/cex/CexJson.ts"
import type { SourceTrade } from "../apps/server/src/cex/ExchangeSource.ts"
import { Trades } from "../packages/core/src/cex/Trade.ts"
import { medians } from "./Measure.ts"

const rows = 50_000

const trade = (index: number): SourceTrade => ({
  id: String(index + 1),
  timestamp: 1_795_200_000_000 + index,
  price: `67${100 + (index % 900)}.${10 + (index % 90)}`,
  size: `0.0${1000 + (index % 9000)}`,
  cost: `67${100 + (index % 900)}.${1000 + (index % 9000)}`,
  side: index % 2 === 0 ? "buy" : "sell"
})

const report = (title: string, note: string, candidates: { readonly [name: string]: () => unknown }) => {
  const measured = medians(candidates, 15)
  const first = measured[0]?.ms ?? 1
  console.log(`\n${title}\n  ${note}`)
  for (const { ms, name } of measured) {
    console.log(`  ${name.padEnd(34)} ${ms.toFixed(1).padStart(8)} ms   ${(ms / first).toFixed(2)}x`)
  }
}

export const largeResponses = (): void => {
  const trades = Array.from({ length: rows }, (_, index) => trade(index))
  const text = tradesJson("sandbox", "BTC/USD", trades)
  const numbers = { exchange: "sandbox", market: "BTC/USD", trades: JSON.parse(text).trades }
  const decode = Schema.decodeUnknownSync(Schema.toCodecJson(Trades))
  const encoder = new TextEncoder()
  report(
    `Decoding a response of ${rows} trades, ${(text.length / 1e6).toFixed(1)} MB of JSON`,
    "Parsing included. Without code generation, as in a library; the network is not measured.",
    {
      "JSON.parse": () => JSON.parse(text),
      "JSON.parse and the schema alone": () => decode(JSON.parse(text))
    }
  )
  report(
    "Writing the same response",
    "From rows in memory to bytes; exact decimals against doubles. Sending is not measured.",
    {
      "JSON.stringify, doubles": () => encoder.encode(JSON.stringify(numbers)),
      "service, exact decimals": () => encoder.encode(tradesJson("sandbox", "BTC/USD", trades))
    }
  )
}

/** A live stream whose connection dies: the stream goes on by itself, each trade once. */
import { CexStream, createClient } from "@chaintape/core/promise"
import { address, key } from "./settings.js"

const chaintape = createClient({ baseUrl: address, apiKey: key })
const request = {
  exchange: "stub",
  market: "BTC/USD",
  since: "2026-01-02",
  live: true,
  pollEvery: "50 millis"
} as const
const ids: Array<string> = []
for await (const { id } of CexStream.trades(chaintape, request)) {
  ids.push(id)
  if (id === "last") break
}
console.log(JSON.stringify({ count: ids.length, distinct: new Set(ids).size }))

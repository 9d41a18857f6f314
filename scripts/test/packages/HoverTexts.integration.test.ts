import { join } from "node:path"
import { assert, beforeAll, describe, it } from "vitest"
import { repository } from "../../Command.ts"
import { hoverTexts } from "../../LanguageServer.ts"

/** A program of a newcomer, who has the names and no document. It is only in the memory of the language server. */
const program = `
import { Cex } from "@chaintape/cex"
import { Market } from "@chaintape/core"
import { createClient } from "@chaintape/core/promise"
import { Effect } from "effect"

export const latest = Effect.gen(function* () {
  const cex = yield* Cex
  const listing = { exchange: "kraken", market: Market.make("BTC/USD") }
  const page = yield* cex.trades(listing)
  const newest = yield* cex.lastTrade(listing)
  return [page.trades.map((trade) => trade.timestamp), newest.timestamp]
})

const client = createClient({ baseUrl: "http://127.0.0.1:3000" })
const listing = { exchange: "kraken", market: "BTC/USD" }
export const latestTrades = client.cex.trades(listing)
export const latestTrade = client.cex.lastTrade(listing)
`

const file = join(repository, "examples", "cursor.ts")

const questions = [
  ["the unit of `timestamp`", "trade.timestamp", "timestamp", "to the millisecond"],
  ["the unit of the newest `timestamp`", "newest.timestamp", "timestamp", "to the millisecond"],
  ["the default of `limit`", "cex.trades(", "trades(", "`limit` is 1 to 50,000, by default 200"],
  ["the errors of `lastTrade`", "yield* cex.lastTrade", "lastTrade", "Fails with `NoData` if there is none yet"],
  ["the default of `limit`, by promise", "client.cex.trades", "trades(", "`limit` is 1 to 50,000, by default 200"],
  ["the errors of `lastTrade`, by promise", "client.cex.lastTrade", "lastTrade", "`UpstreamBusy` or `UpstreamTimeout`"]
] as const

describe("at the cursor alone", { timeout: 120_000 }, () => {
  let texts: ReadonlyArray<string> = []

  beforeAll(async () => {
    const cursors = questions.map(([, line, word]) => ({ line, word }))
    texts = await hoverTexts(file, program, cursors)
  }, 120_000)

  it.for(questions.map((question, index) => [...question, index] as const))(
    "a newcomer reads %s",
    ([, , , wanted, index]) => assert.include(texts[index]?.replaceAll("\n", " ") ?? "", wanted)
  )
})

import type { Market } from "@chaintape/core"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { getMaxLimit } from "../../internal/getMaxLimit.ts"
import { downloadFlags, runDownload } from "../download/DownloadCommand.ts"
import type { Subject } from "../download/DownloadRequest.ts"
import { downloadRequest } from "../download/DownloadRequest.ts"
import type { Shape } from "../download/Row.ts"
import { decimalColumns, textColumns } from "../download/Row.ts"
import { exchangeArgument, marketArgument } from "./MarketArguments.ts"
import { marketPages } from "./MarketPages.ts"

const unit = "trades"
const maxPage = getMaxLimit("cex.trades")

export const tradeShape: Shape = {
  list: "trades",
  id: "id",
  columns: [
    ...textColumns("id"),
    { name: "timestamp", member: "timestamp", type: "milliseconds" },
    ...decimalColumns("price", "size", "cost"),
    ...textColumns("side")
  ]
}

const toSubject = (exchange: string, market: Market): Subject => ({
  unit,
  name: `${market} on ${exchange}`,
  shape: tradeShape,
  maxPage,
  hasUniqueTimes: false,
  isBounded: false
})

export const trades = Command.make(
  "trades",
  { exchange: exchangeArgument, market: marketArgument, ...downloadFlags(unit, maxPage) },
  Effect.fnUntraced(function* (input) {
    const { exchange, market } = input
    const subject = toSubject(exchange, market)
    yield* runDownload(yield* downloadRequest(input, subject), input, marketPages({ exchange, market }, subject))
  })
).pipe(
  Command.withShortDescription("Write the trades of a market into a file"),
  Command.withDescription(
    "Writes the trades of a market into a file, with the digits of the exchange, and says what is proven about them. " +
      "The same command continues an interrupted download."
  ),
  Command.withExamples([
    { command: "chaintape trades sandbox BTC-USD --since 24h --out trades.csv", description: "The trades of a day" },
    {
      command: "chaintape trades kraken BTC-USD --since 2026-11-01 --until 2026-11-08 --out week.parquet",
      description: "Those between two times"
    },
    {
      command: "chaintape trades sandbox BTC-USD --last 1000 --out - --format csv | head",
      description: "The latest 1,000 to another program"
    }
  ])
)

import type { Timeframe } from "@chaintape/core"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { getMaxLimit } from "../../internal/getMaxLimit.ts"
import { downloadFlags, runDownload } from "../download/DownloadCommand.ts"
import type { Subject } from "../download/DownloadRequest.ts"
import { downloadRequest } from "../download/DownloadRequest.ts"
import type { Shape } from "../download/Row.ts"
import { decimalColumns } from "../download/Row.ts"
import { timeframeArgument } from "../download/timeframeArgument.ts"
import { poolArguments } from "./PoolArguments.ts"
import type { PoolRows } from "./PoolPages.ts"
import { poolPages } from "./PoolPages.ts"

const unit = "candles"
const maxPage = getMaxLimit("dex.candles")

const shape: Shape = {
  list: "aggregates",
  id: "t",
  columns: [
    { name: "timestamp", member: "t", type: "seconds" },
    { name: "open", member: "o", type: "decimal" },
    { name: "high", member: "h", type: "decimal" },
    { name: "low", member: "l", type: "decimal" },
    { name: "close", member: "c", type: "decimal" },
    ...decimalColumns("volumeToken0", "volumeToken1", "volumeUSD", "txCount")
  ]
}

const toSubject = (timeframe: Timeframe, { blockchain, exchange, pool }: Omit<PoolRows, "rows">): Subject => ({
  unit: `${timeframe} ${unit}`,
  name: `pool ${pool} of ${exchange} on ${blockchain}`,
  shape,
  maxPage,
  hasUniqueTimes: true,
  isBounded: true
})

export const poolCandles = Command.make(
  "pool-candles",
  { ...poolArguments, timeframe: timeframeArgument, ...downloadFlags(unit, maxPage) },
  Effect.fnUntraced(function* (input) {
    const { blockchain, exchange, pool, timeframe } = input
    const subject = toSubject(timeframe, { exchange, blockchain, pool })
    const request = yield* downloadRequest(input, subject)
    yield* runDownload(request, input, poolPages({ exchange, blockchain, pool, rows: timeframe }, subject))
  })
).pipe(
  Command.withShortDescription("Write the candles of a pool into a file"),
  Command.withDescription(
    "Writes the candles of a pool into a file, as of one block: the newest candle has the swaps up to that block. The same " +
      "command continues an interrupted download as of the same block."
  ),
  Command.withExamples([
    {
      command:
        "chaintape pool-candles uniswap-v3 ethereum 0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640 1h --since 30d --out hours.csv",
      description: "The candles of a month"
    }
  ])
)

import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { getMaxLimit } from "../../internal/getMaxLimit.ts"
import { downloadFlags, runDownload } from "../download/DownloadCommand.ts"
import type { Subject } from "../download/DownloadRequest.ts"
import { downloadRequest } from "../download/DownloadRequest.ts"
import type { Column, Shape } from "../download/Row.ts"
import { decimalColumns, textColumns } from "../download/Row.ts"
import { poolArguments } from "./PoolArguments.ts"
import type { PoolRows } from "./PoolPages.ts"
import { poolPages, tradeKinds } from "./PoolPages.ts"

type Kind = (typeof tradeKinds)[number]

const maxPage = getMaxLimit("dex.poolTrades")

const common: ReadonlyArray<Column> = [
  ...textColumns("id"),
  { name: "timestamp", member: "timestamp", type: "seconds" },
  ...decimalColumns("amount0", "amount1", "amountUSD", "logIndex"),
  ...textColumns("origin", "transactionId")
]

const shapes: Readonly<Record<Kind, Shape>> = {
  swap: {
    list: "swaps",
    id: "id",
    columns: [...common, ...textColumns("sender", "recipient"), ...decimalColumns("sqrtPriceX96")]
  },
  mint: {
    list: "mints",
    id: "id",
    columns: [...common, ...decimalColumns("amount"), ...textColumns("owner", "sender")]
  },
  burn: { list: "burns", id: "id", columns: [...common, ...decimalColumns("amount"), ...textColumns("owner")] }
}

const toSubject = (kind: Kind, { blockchain, exchange, pool }: Omit<PoolRows, "rows">): Subject => ({
  unit: shapes[kind].list,
  name: `pool ${pool} of ${exchange} on ${blockchain}`,
  shape: shapes[kind],
  maxPage,
  hasUniqueTimes: false,
  isBounded: true
})

export const poolTrades = Command.make(
  "pool-trades",
  {
    ...poolArguments,
    kind: Flag.Literals("kind", tradeKinds).pipe(
      Flag.withDescription("Kind of trades; swap if absent"),
      Flag.withDefault("swap" as const)
    ),
    ...downloadFlags("trades", maxPage)
  },
  Effect.fnUntraced(function* (input) {
    const { blockchain, exchange, kind, pool } = input
    const subject = toSubject(kind, { exchange, blockchain, pool })
    const request = yield* downloadRequest(input, subject)
    yield* runDownload(request, input, poolPages({ exchange, blockchain, pool, rows: kind }, subject))
  })
).pipe(
  Command.withShortDescription("Write the swaps, mints or burns of a pool into a file"),
  Command.withDescription(
    "Writes the swaps, mints or burns of a pool into a file, oldest first, as of one block. The same command continues an " +
      "interrupted download as of the same block."
  ),
  Command.withExamples([
    {
      command:
        "chaintape pool-trades uniswap-v3 ethereum 0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640 --since 7d --out swaps.parquet",
      description: "The swaps of a week"
    }
  ])
)

import { Effect, Predicate, Schema } from "effect"
import type { ChainReader } from "../../dex/index/chain/ChainReader.ts"
import type { BlockLog } from "../../dex/index/decode/RpcLog.ts"
import { toFailure } from "../terminal/CommandError.ts"
import { compareTrades } from "./Comparison.ts"
import type { FirstDifference, Sides } from "./Comparison.ts"
import type { Row } from "./DeploymentReads.ts"
import type { Difference } from "./Difference.ts"
import { describeDifference } from "./Difference.ts"

interface Location {
  readonly block: number | undefined
  readonly transaction: string | undefined
  readonly log: number | undefined
}

const describe = ({ block, log, transaction }: Location, difference: Difference): string => {
  const parts = [
    ...(block === undefined ? [] : [`block ${block}`]),
    ...(transaction === undefined ? [] : [`transaction ${transaction}`]),
    ...(log === undefined ? [] : [`log ${log}`])
  ]
  return `${parts.join(", ")}: ${describeDifference(difference)}`
}

const toNumber = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

/** A trade is named after its transaction and its log. */
const toLocation = ({ id }: Difference): Omit<Location, "block"> => {
  const [transaction, log] = id.split("#")
  return { transaction, log: toNumber(log) }
}

const decodeReceipt = Schema.decodeUnknownOption(Schema.Struct({ blockNumber: Schema.String }))

const findBlock = (reader: ChainReader, transaction: string | undefined) =>
  reader
    .calls([{ method: "eth_getTransactionReceipt", params: [transaction ?? "0x"], mayFail: true }], ([receipt]) =>
      Effect.succeed(decodeReceipt(receipt))
    )
    .pipe(
      Effect.map((found) => (found._tag === "Some" ? Number(found.value.blockNumber) : undefined)),
      // The transaction and its log are known without it.
      Effect.orElseSucceed(() => undefined)
    )

/** Where a trade differs. */
export const locateTrade = Effect.fnUntraced(function* (reader: ChainReader, difference: Difference) {
  const location = toLocation(difference)
  return describe({ ...location, block: yield* findBlock(reader, location.transaction) }, difference)
})

const getToken = (pool: Row, side: "token0" | "token1"): unknown => {
  const token = pool[side]
  return Predicate.hasProperty(token, "id") ? token.id : undefined
}

/** Whether the events of the pool change the row. */
const isOfPool = ({ entity, id }: Difference, pool: Row): boolean => {
  if (entity === "totals") return true
  return entity === "pool" ? pool["id"] === id : getToken(pool, "token0") === id || getToken(pool, "token1") === id
}

/** The logs of the block that change the row: of the pools that concern it, or their creation. */
const readLogs = Effect.fnUntraced(function* (
  reader: ChainReader,
  block: number,
  factory: string,
  pools: ReadonlyArray<Row>
) {
  const headers = yield* reader.headers([block])
  const [read] = yield* reader.receipts(headers)
  const addresses = new Set([factory.toLowerCase(), ...pools.map((pool) => String(pool["id"]))])
  const logs = (read?.logs ?? []).filter((log) => reader.isEvent(log) && addresses.has(log.address))
  return { logs, timestamp: headers[0]?.timestamp ?? 0 }
})

const toLogPosition = ({ logIndex, transactionHash }: BlockLog) => ({ transaction: transactionHash, log: logIndex })

/**
 * Where the state begins to differ: at the first log of the block whose trade differs, or else at the last one that changes
 * the row.
 */
export const locateState = Effect.fnUntraced(
  function* (reader: ChainReader, sides: Sides, factory: string, pools: ReadonlyArray<Row>, first: FirstDifference) {
    const { block, differences } = first
    const [difference] = differences
    if (difference === undefined) return ""
    const concerned = pools.filter((pool) => isOfPool(difference, pool))
    const { logs, timestamp } = yield* readLogs(reader, block, factory, concerned)
    const touched = concerned.filter(({ id }) => logs.some(({ address }) => address === id))
    const window = { from: timestamp, to: timestamp }
    const compared = yield* Effect.forEach(touched, (pool) => compareTrades(sides, block, pool, window))
    const trades = compared.flatMap((one) => one.differences).map((one) => toLocation(one))
    const [earliest] = trades.toSorted((a, b) => (a.log ?? 0) - (b.log ?? 0))
    const last = logs.at(-1)
    const location = earliest ?? (last === undefined ? { transaction: undefined, log: undefined } : toLogPosition(last))
    return describe({ block, ...location }, difference)
  },
  Effect.catchTag("BlockSourceError", ({ message }) => toFailure(message))
)

import { Result, Schema } from "effect"
import type { ChainLog } from "./LogDecoder.ts"

const Hash = Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{64}$/i))
const Quantity = Schema.String.check(Schema.isPattern(/^0x(0|[1-9a-f][0-9a-f]{0,12})$/i))

const RpcLogs = Schema.Array(
  Schema.Struct({
    address: Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{40}$/i)),
    topics: Schema.Array(Hash),
    data: Schema.String.check(Schema.isPattern(/^0x([0-9a-f]{2})*$/i)),
    blockNumber: Quantity,
    blockHash: Hash,
    transactionHash: Hash,
    logIndex: Quantity,
    removed: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
  })
)

/** A log with the block that it says it belongs to. */
export interface PlacedLog extends ChainLog {
  readonly blockHash: string
}

const decode = Schema.decodeUnknownResult(RpcLogs)

const toPlacedLog = (log: (typeof RpcLogs.Type)[number]): PlacedLog => ({
  address: log.address.toLowerCase(),
  topics: log.topics.map((topic) => topic.toLowerCase()),
  data: log.data.toLowerCase(),
  blockNumber: Number(log.blockNumber),
  blockHash: log.blockHash.toLowerCase(),
  transactionHash: log.transactionHash.toLowerCase(),
  logIndex: Number(log.logIndex)
})

/**
 * The logs of `eth_getLogs` in the order of the chain. A failure says what is wrong with the answer: it must be of the
 * protocol, hold no log that a reorg removed, none outside of the range, none twice, and one hash for each block.
 */
export const readLogs = (reply: unknown, from: number, to: number): Result.Result<ReadonlyArray<PlacedLog>, string> => {
  const decoded = decode(reply)
  if (Result.isFailure(decoded)) return Result.fail("described logs in a way that the protocol does not know")
  if (decoded.success.some((log) => log.removed === true)) return Result.fail("answered with logs that a reorg removed")
  const logs = decoded.success.map(toPlacedLog).sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  for (const [index, log] of logs.entries()) {
    if (log.blockNumber < from || log.blockNumber > to) {
      return Result.fail(`answered with a log of block ${log.blockNumber}, where ${from} to ${to} were asked for`)
    }
    const previous = logs[index - 1]
    if (previous?.blockNumber !== log.blockNumber) continue
    if (previous.logIndex === log.logIndex) return Result.fail(`answered twice with a log of block ${log.blockNumber}`)
    if (previous.blockHash !== log.blockHash) {
      return Result.fail(`answered with logs of two branches for block ${log.blockNumber}`)
    }
  }
  return Result.succeed(logs)
}

import { Schema } from "effect"

/** The part of a transaction receipt that the bots use. */
export const Receipt = Schema.Struct({
  transactionHash: Schema.String,
  from: Schema.String,
  status: Schema.String,
  logs: Schema.Array(
    Schema.Struct({
      address: Schema.String,
      topics: Schema.Array(Schema.String),
      data: Schema.String
    })
  )
})

export type Receipt = typeof Receipt.Type
export type Log = Receipt["logs"][number]

/** The 32-byte word of a log's data at an index. */
export const word = (log: Log, index: number): bigint => BigInt(`0x${log.data.slice(2 + index * 64, 66 + index * 64)}`)

/** A topic as an unsigned number; absent topics are zero. */
export const topic = (log: Log, index: number): bigint => BigInt(log.topics[index] ?? 0)

/** A word as a signed number. */
export const toSigned = (value: bigint): number => Number(BigInt.asIntN(256, value))

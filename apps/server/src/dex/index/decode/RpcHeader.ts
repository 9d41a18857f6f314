import { Effect, Predicate, Schema } from "effect"
import { decodeBlock, toSourceBlock } from "../../../blocks/rpc/RpcBlock.ts"
import type { BlockIdentity } from "./ChainFacts.ts"

const Transactions = Schema.Struct({
  transactions: Schema.Array(Schema.Struct({ hash: Schema.String, from: Schema.String }))
})
const decodeTransactions = Schema.decodeUnknownEffect(Transactions)

export const readHeader = (reply: unknown): Effect.Effect<BlockIdentity, Schema.SchemaError> =>
  decodeBlock(reply).pipe(
    Effect.map((block) => {
      const { hash, number, parentHash, timestamp } = toSourceBlock(block)
      return { number, hash, parentHash, timestamp }
    })
  )

/** The senders of a block's transactions by transaction hash, from the full block. */
export const readOrigins = (reply: unknown): Effect.Effect<ReadonlyMap<string, string>, Schema.SchemaError> =>
  decodeTransactions(reply).pipe(
    Effect.map(
      ({ transactions }) => new Map(transactions.map(({ from, hash }) => [hash.toLowerCase(), from.toLowerCase()]))
    )
  )

/** The same from the receipts of `eth_getBlockReceipts`; undefined if they belong to another block. */
export const readReceipts = (reply: unknown, hash: string): ReadonlyMap<string, string> | undefined => {
  if (!Array.isArray(reply)) return undefined
  const origins = new Map<string, string>()
  for (const receipt of reply) {
    if (!Predicate.isObject(receipt)) return undefined
    const { blockHash, from, transactionHash } = receipt
    if (typeof from !== "string" || typeof transactionHash !== "string" || typeof blockHash !== "string")
      return undefined
    if (blockHash.toLowerCase() !== hash) return undefined
    origins.set(transactionHash.toLowerCase(), from.toLowerCase())
  }
  return origins
}

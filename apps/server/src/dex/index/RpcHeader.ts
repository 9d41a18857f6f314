import { Effect, Schema } from "effect"
import { decodeBlock, toSourceBlock } from "../../blocks/rpc/RpcBlock.ts"
import type { BlockIdentity } from "./BlockDraft.ts"

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

/** Who sent a block's transactions, by transaction hash. */
export const readOrigins = (reply: unknown): Effect.Effect<ReadonlyMap<string, string>, Schema.SchemaError> =>
  decodeTransactions(reply).pipe(
    Effect.map(
      ({ transactions }) => new Map(transactions.map(({ from, hash }) => [hash.toLowerCase(), from.toLowerCase()]))
    )
  )

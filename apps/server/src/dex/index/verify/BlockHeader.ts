import { Effect, Schema } from "effect"
import { decodeBlock, toSourceBlock } from "../../../blocks/rpc/RpcBlock.ts"
import type { BlockIdentity } from "../decode/ChainFacts.ts"
import { hasUnknownFields, hashHeader } from "./HeaderHash.ts"
import type { Keccak } from "./Keccak.ts"
import { toBytes } from "./Rlp.ts"

/** A header with what it commits to. */
export interface BlockHeader extends BlockIdentity {
  /** Undefined if the node states none. */
  readonly receiptsRoot: string | undefined
  readonly logsBloom: Uint8Array | undefined
  /** The hashes of the transactions, in order. The header commits to the transactions, not to this list. */
  readonly transactions: ReadonlyArray<string>
  /**
   * Whether the fields hash to `hash`: "unknown" where they do not, and the chain may hash other fields than the standard
   * ones.
   */
  readonly isHashed: boolean | "unknown"
  /** Whether fields of the standard form are missing. */
  readonly lacksFields: boolean
}

const Fields = Schema.Record(Schema.String, Schema.Unknown)
const Commitments = Schema.Struct({
  receiptsRoot: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{64}$/i))),
  logsBloom: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{512}$/i))),
  transactions: Schema.optionalKey(
    Schema.Array(Schema.Union([Schema.String, Schema.Struct({ hash: Schema.String, from: Schema.String })]))
  )
})
const decodeFields = Schema.decodeUnknownEffect(Fields)
const decodeCommitments = Schema.decodeUnknownEffect(Commitments)

/** Decodes a block of `eth_getBlockByNumber`, with or without whole transactions. */
export const readHeader = Effect.fnUntraced(function* (
  keccak: Keccak,
  reply: unknown
): Effect.fn.Return<BlockHeader, Schema.SchemaError> {
  const { hash, number, parentHash, timestamp } = toSourceBlock(yield* decodeBlock(reply))
  const { logsBloom, receiptsRoot, transactions = [] } = yield* decodeCommitments(reply)
  const fields = yield* decodeFields(reply)
  const hashed = hashHeader(keccak, fields)
  return {
    number,
    hash,
    parentHash,
    timestamp,
    receiptsRoot: receiptsRoot?.toLowerCase(),
    logsBloom: logsBloom === undefined ? undefined : toBytes(logsBloom),
    transactions: transactions.map((one) => (typeof one === "string" ? one : one.hash).toLowerCase()),
    isHashed: hashed === hash || (hasUnknownFields(fields) ? "unknown" : false),
    lacksFields: hashed === undefined
  }
})

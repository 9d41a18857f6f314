import { Schema } from "effect"
import { archiveVersion, entryFields } from "../../../archives/ArchiveFormat.ts"
import type { ArchiveFormat } from "../../../archives/ArchiveFormat.ts"

const detailFields = {
  /** The file has the rows of these blocks, both inclusive: they continue those of the entry before. */
  from: Schema.Int,
  /** The last block of the day that the index has. */
  to: Schema.Int,
  /** The hash of block `to`. */
  hash: Schema.String,
  /** Whether the rows are proven against the block headers: none is missing, and none is made up. */
  proven: Schema.Boolean
}

const Details = Schema.Struct(detailFields)

/** The members of a UTC day's entry that are about its blocks. */
export type IndexDetails = typeof Details.Type

const IndexManifest = Schema.Struct({
  chaintapeArchive: Schema.Literal(archiveVersion),
  kind: Schema.Literals(["dex-trades", "blocks"]),
  /** Ids of the decentralized exchange and of its blockchain. */
  exchange: Schema.String,
  blockchain: Schema.String,
  /** In order. A day without a block of the index is absent. */
  days: Schema.Array(Schema.Struct({ ...entryFields, ...detailFields, chain: Schema.String }))
})

/** The content of an archive of a deployment. */
export type IndexManifest = typeof IndexManifest.Type

export interface IndexFormat extends ArchiveFormat<IndexDetails, IndexManifest> {
  readonly kind: IndexManifest["kind"]
}

const toFormat = (kind: IndexManifest["kind"], prefix: string): IndexFormat => ({
  kind,
  decode: Schema.decodeUnknownEffect(Schema.fromJsonString(IndexManifest)),
  toTitle: ({ blockchain, exchange }) => `${prefix}${exchange} on ${blockchain}`,
  toSeed: (head) => JSON.stringify([head.kind, head.exchange, head.blockchain]),
  toHashed: ({ from, hash, proven, to }) => [from, to, hash, proven],
  follows: (before, { from }) => from === before.to + 1,
  isProven: (_, { proven }) => proven
})

/** Archives of the trades of a deployment. */
export const dexTradesFormat = toFormat("dex-trades", "")

/** Archives of the blocks that the index of a deployment has. */
export const blocksFormat = toFormat("blocks", "the blocks of ")

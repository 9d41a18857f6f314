import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { BlockProof, IndexedBlock } from "../IndexedBlock.ts"
import type { Checkpoint, ProofPosition } from "./EntityStore.ts"

/** By their numbers in the column `proof`. */
const proofs = ["none", "block", "chain", "stated"] as const satisfies ReadonlyArray<BlockProof>

export const toProofNumber = (proof: BlockProof): number => proofs.indexOf(proof)

const Positions = Schema.Array(
  Schema.Struct({ number: Schema.NullOr(Schema.Int), hash: Schema.NullOr(Schema.String), rewinds: Schema.Int })
)
const Blocks = Schema.Array(
  Schema.Struct({ number: Schema.Int, hash: Schema.String, proof: Schema.Literals([0, 1, 2, 3]) })
)
const decodePositions = Schema.decodeUnknownEffect(Positions)
const decodeBlocks = Schema.decodeUnknownEffect(Blocks)

export const readProof = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, deployment: number, limit: number) {
  const [position] = yield* Effect.flatMap(
    sql`select proven as number, proven_hash as hash, rewinds from dex_index where id = ${deployment}`,
    decodePositions
  )
  if (position === undefined) return undefined
  const { hash, number, rewinds } = position
  const next = yield* Effect.flatMap(
    sql`select number, hash, proof from dex_block where deployment = ${deployment} and number > ${number ?? -1}
      order by number limit ${limit}`,
    decodeBlocks
  )
  return {
    proven: number === null || hash === null ? undefined : { number, hash },
    next: next.map((block) => ({ ...block, proof: proofs[block.proof] })),
    rewinds
  } satisfies ProofPosition
})

export const writeProof = (sql: SqlClient.SqlClient, deployment: number, block: Checkpoint, rewinds: number) =>
  sql`update dex_index set proven = ${block.number}::int, proven_hash = ${block.hash}
    where id = ${deployment} and rewinds = ${rewinds}::int and coalesce(proven, -1) < ${block.number}::int`

/** A proven index stays proven while only blocks are appended that are proven and follow it. */
export const extendProof = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  deployment: number,
  checkpoint: Checkpoint | undefined,
  blocks: ReadonlyArray<IndexedBlock>
) {
  const last = blocks.at(-1)
  if (last === undefined || !blocks.every(({ proof }) => proof === "chain")) return
  const isFirst = checkpoint === undefined
  yield* sql`update dex_index set proven = ${last.number}::int, proven_hash = ${last.hash}
    where id = ${deployment} and proven is not distinct from ${isFirst ? null : checkpoint.number}::int`
})

/** After the blocks above `number` were removed. */
export const rewindProof = (sql: SqlClient.SqlClient, deployment: number, number: number) =>
  sql`update dex_index set (proven, proven_hash) = (
      select number, hash from dex_block where deployment = ${deployment} and number <= ${number}
      order by number desc limit 1
    ) where id = ${deployment} and proven > ${number}::int`

import { Effect, Option, Predicate, Schema, SchemaTransformation } from "effect"
import { invalidMember } from "../../internal/invalidMember.ts"
import type { BlockSourceError } from "../BlockSource.ts"
import type { SourceBlock } from "../SourceBlock.ts"
import { toQuantity } from "./RpcCall.ts"

/** Whether a response is the `null` that means "no such block". */
export const isAbsent = Predicate.isNullish

const Quantity = Schema.String.check(Schema.isPattern(/^0x(0|[1-9a-f][0-9a-f]{0,63})$/i))
const Big = Quantity.pipe(
  Schema.decodeTo(Schema.BigInt, SchemaTransformation.transform<bigint, string>({ decode: BigInt, encode: toQuantity }))
)
/** A quantity that is a safe integer. */
export const Small = Quantity.pipe(
  Schema.decodeTo(Schema.Int, SchemaTransformation.transform<number, string>({ decode: Number, encode: toQuantity }))
)
const Hash = Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{64}$/i))
const Address = Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{40}$/i))

/** A block as `eth_getBlockByNumber` returns it. */
const RpcBlock = Schema.Struct({
  number: Small,
  hash: Hash,
  parentHash: Hash,
  timestamp: Small,
  size: Big,
  gasLimit: Big,
  gasUsed: Big,
  totalDifficulty: Schema.optionalKey(Schema.NullOr(Big)),
  miner: Address
})

export const decodeQuantity = Schema.decodeUnknownEffect(Small)
export const decodeBlock = Schema.decodeUnknownEffect(RpcBlock)

/** Says what a block lacks. Completes a sentence that begins with the node's name. */
const toInvalidBlockText = (error: Schema.SchemaError, number: number | undefined): string => {
  const block = number === undefined ? "the newest block" : `block ${number}`
  return Option.match(invalidMember(error), {
    onNone: () => `answered with something that is not ${block}`,
    onSome: (field) => `answered ${block} without a valid "${field}"`
  })
}

/** The block of a response, which must be the one of `number` if it is given. */
export const requireBlock = <Block extends { readonly number: number }>(
  decoded: Effect.Effect<Block, Schema.SchemaError>,
  number: number | undefined,
  bad: (message: string) => BlockSourceError
): Effect.Effect<Block, BlockSourceError> =>
  decoded.pipe(
    Effect.mapError((error) => bad(toInvalidBlockText(error, number))),
    Effect.filterOrFail(
      (block) => number === undefined || block.number === number,
      (block) => bad(`answered with block ${block.number} where ${number} was asked for`)
    )
  )

export const toSourceBlock = (block: typeof RpcBlock.Type): SourceBlock => ({
  number: block.number,
  hash: block.hash.toLowerCase(),
  parentHash: block.parentHash.toLowerCase(),
  timestamp: block.timestamp,
  size: block.size,
  gasLimit: block.gasLimit,
  gasUsed: block.gasUsed,
  totalDifficulty: block.totalDifficulty ?? undefined,
  author: block.miner.toLowerCase()
})

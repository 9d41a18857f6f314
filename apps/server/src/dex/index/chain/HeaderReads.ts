import { Effect, Ref } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import { isAbsent, requireBlock } from "../../../blocks/rpc/RpcBlock.ts"
import { blockCall, sendAll } from "../../../blocks/rpc/RpcCall.ts"
import type { BlockIdentity } from "../decode/ChainFacts.ts"
import { readHeader } from "../verify/BlockHeader.ts"
import type { BlockHeader } from "../verify/BlockHeader.ts"
import type { ReadParts, ReportUnprovable } from "./ProvableReads.ts"

/** Consecutive blocks. */
export interface LinkedRange {
  readonly from: number
  readonly to: number
  /** The hash of the block before the range, if it is known. */
  readonly parent: string | undefined
  /** Whether the chain has a block after the range, which must be the child of its last block. */
  readonly next: boolean
}

/** The first block that is not the child of the one before. */
export const findUnlinked = (blocks: ReadonlyArray<BlockIdentity>, parent: string | undefined): string | undefined => {
  const found = blocks.find(({ parentHash }, index) => {
    const before = index === 0 ? parent : blocks[index - 1]?.hash
    return before !== undefined && parentHash !== before
  })
  return found && `answered with block ${found.number} of another branch than the block before it`
}

/** A chain that hashes the standard fields never hashed them in another way; it may have had fewer fields, or get more. */
const isFalse = ({ hashCheck, lacksFields, number }: BlockHeader, hashedFrom: number): boolean =>
  lacksFields ? number >= hashedFrom : hashCheck === "failed" && hashedFrom !== Number.POSITIVE_INFINITY

/** Reads blocks of `eth_getBlockByNumber`, and checks their hashes if `isProven`. */
export const makeHeaderReads = Effect.fnUntraced(function* ({ bad, isProven, keccak, readProvable }: ReadParts) {
  /** The lowest block whose header is known to have the standard encoding: others may have another encoding. */
  const hashedFrom = yield* Ref.make(Number.POSITIVE_INFINITY)
  const expectHashed = (block: number) => Ref.update(hashedFrom, (lowest) => Math.min(lowest, block))

  const checkHash = Effect.fnUntraced(function* (block: BlockHeader, report: ReportUnprovable) {
    const { hashCheck, number } = block
    if (hashCheck === "passed") return yield* expectHashed(number)
    if (!isProven) return
    if (isFalse(block, yield* Ref.get(hashedFrom))) {
      return yield* bad(`answered with a header of block ${number} that does not hash to the block's hash`)
    }
    yield* report(
      `answered with a header of block ${number} that does not hash to the block's hash in a known encoding`
    )
  })

  const header = (reply: unknown, report: ReportUnprovable, number?: number) =>
    Effect.tap(requireBlock(readHeader(keccak, reply), number, bad), (block) => checkHash(block, report))

  const existing = (reply: unknown, report: ReportUnprovable, number: number) =>
    isAbsent(reply) ? Effect.fail(bad(`does not have block ${number}`)) : header(reply, report, number)

  /** The headers of these blocks. Fails on a node for which `check` describes a fault. */
  const readHeaders = (
    numbers: ReadonlyArray<number>,
    check: (headers: ReadonlyArray<BlockHeader>) => string | undefined = () => undefined
  ): Effect.Effect<ReadonlyArray<BlockHeader>, BlockSourceError> =>
    readProvable(({ report, send }) =>
      sendAll(send, numbers.map(blockCall)).pipe(
        Effect.flatMap((replies) =>
          Effect.forEach(numbers, (number, index) => existing(replies[index], report, number))
        ),
        Effect.tap((headers) => {
          const fault = check(headers)
          return fault === undefined ? Effect.void : Effect.fail(bad(fault))
        })
      )
    )

  return {
    expectHashed,
    header,
    existing,
    headers: (numbers: ReadonlyArray<number>) => readHeaders(numbers),
    linkedHeaders: ({ from, next, parent, to }: LinkedRange) => {
      const last = next ? to + 1 : to
      return readHeaders(
        Array.from({ length: last - from + 1 }, (_, index) => from + index),
        (headers) => findUnlinked(headers, parent)
      ).pipe(Effect.map((headers) => headers.slice(0, to - from + 1)))
    }
  }
})

export type HeaderReads = Effect.Success<ReturnType<typeof makeHeaderReads>>

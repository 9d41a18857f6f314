import { Effect, Ref } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import { isAbsent, toInvalidBlockText } from "../../../blocks/rpc/RpcBlock.ts"
import { readHeader } from "../verify/BlockHeader.ts"
import type { BlockHeader } from "../verify/BlockHeader.ts"
import type { Keccak } from "../verify/Keccak.ts"
import type { ReportUnprovable } from "./ProvableReads.ts"

/** Decodes blocks of `eth_getBlockByNumber`, and checks their hashes if `isProven`. */
export const makeHeaderReads = Effect.fnUntraced(function* (
  bad: (what: string) => BlockSourceError,
  keccak: Keccak,
  isProven: boolean
) {
  /** The lowest block whose header is known to have the standard form: others may have a form of their own. */
  const hashedFrom = yield* Ref.make(Number.POSITIVE_INFINITY)
  const expectHashed = (block: number) => Ref.update(hashedFrom, (lowest) => Math.min(lowest, block))

  const checkHash = Effect.fnUntraced(function* (
    { isHashed, lacksFields, number }: BlockHeader,
    report: ReportUnprovable
  ) {
    if (isHashed === true) return yield* expectHashed(number)
    if (!isProven) return
    const from = yield* Ref.get(hashedFrom)
    // A chain that hashes the standard fields never hashed them in another way; it may have had fewer fields, or get more.
    const isFalse = lacksFields ? number >= from : isHashed === false && from !== Number.POSITIVE_INFINITY
    if (isFalse) return yield* bad(`answered with a header of block ${number} that does not hash to the block's hash`)
    yield* report(`answered with a header of block ${number} that has a form of its own`)
  })

  const header = (reply: unknown, report: ReportUnprovable, number?: number) =>
    readHeader(keccak, reply).pipe(
      Effect.mapError((error) => bad(toInvalidBlockText(error, number))),
      Effect.filterOrFail(
        (block) => number === undefined || block.number === number,
        (block) => bad(`answered with block ${block.number} where ${number} was asked for`)
      ),
      Effect.tap((block) => checkHash(block, report))
    )

  return {
    expectHashed,
    header,
    existing: (reply: unknown, report: ReportUnprovable, number: number) =>
      isAbsent(reply) ? Effect.fail(bad(`does not have block ${number}`)) : header(reply, report, number)
  }
})

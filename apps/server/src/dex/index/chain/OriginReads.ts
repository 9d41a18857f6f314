import { Array as Arr, Effect, Option, Ref } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import { RpcFault } from "../../../blocks/rpc/JsonRpc.ts"
import type { RpcCall } from "../../../blocks/rpc/JsonRpc.ts"
import type { BlockIdentity } from "../decode/ChainFacts.ts"
import { readOrigins, readReceipts } from "../decode/RpcHeader.ts"

/** Blocks with all transactions, and blocks with all receipts, are large. */
const blocksPerRequest = 5
const concurrentRequests = 4

/** A block and the senders of its transactions. */
export interface WholeBlock extends BlockIdentity {
  readonly origins: ReadonlyMap<string, string>
}

/** How the blocks of one node are requested and validated. */
interface BlockReading {
  readonly send: (calls: ReadonlyArray<RpcCall>) => Effect.Effect<ReadonlyArray<unknown>, BlockSourceError>
  readonly blockCall: (number: number, whole: boolean) => RpcCall
  readonly existing: (reply: unknown, number: number) => Effect.Effect<BlockIdentity, BlockSourceError>
  readonly bad: (what: string) => BlockSourceError
}

const receiptsCall = (number: number): RpcCall => ({
  method: "eth_getBlockReceipts",
  params: [`0x${number.toString(16)}`],
  mayFail: true
})

/** Whether the node lacks the method, so that a retry cannot help. */
const isUnknownMethod = ({ code, message }: RpcFault): boolean =>
  code === -32_601 || code === -32_004 || /not (supported|available|exist)|unsupported/i.test(message)

/**
 * The senders of a block's transactions: from the receipts, or from the full block if the node has no
 * `eth_getBlockReceipts`. Full blocks cost more, because some nodes recover every sender from its signature per
 * response.
 */
export const makeOriginReads = Effect.fnUntraced(function* ({ bad, blockCall, existing, send }: BlockReading) {
  const hasReceipts = yield* Ref.make(true)

  const fromBlocks = Effect.fnUntraced(function* (numbers: ReadonlyArray<number>) {
    const replies = yield* send(numbers.map((number) => blockCall(number, true)))
    return yield* Effect.forEach(numbers, (number, index) =>
      Effect.all([
        existing(replies[index], number),
        Effect.mapError(readOrigins(replies[index]), () => bad(`described no transactions of block ${number}`))
      ]).pipe(Effect.map(([block, origins]): WholeBlock => ({ ...block, origins })))
    )
  })

  /** Absent if the node does not return receipts. */
  const fromReceipts = Effect.fnUntraced(function* (numbers: ReadonlyArray<number>) {
    const replies = yield* send(numbers.flatMap((number) => [blockCall(number, false), receiptsCall(number)]))
    const fault = replies.find((reply) => reply instanceof RpcFault)
    if (fault instanceof RpcFault) {
      if (isUnknownMethod(fault)) yield* Ref.set(hasReceipts, false)
      return Option.none()
    }
    const blocks: Array<WholeBlock> = []
    for (const [index, number] of numbers.entries()) {
      const block = yield* existing(replies[2 * index], number)
      const origins = readReceipts(replies[2 * index + 1], block.hash)
      if (origins === undefined) return yield* bad(`described no receipts of block ${number}`)
      blocks.push({ ...block, origins })
    }
    return Option.some(blocks)
  })

  const read = Effect.fnUntraced(function* (numbers: ReadonlyArray<number>) {
    const blocks = (yield* Ref.get(hasReceipts)) ? yield* fromReceipts(numbers) : Option.none()
    return Option.isSome(blocks) ? blocks.value : yield* fromBlocks(numbers)
  })

  // Each response is large: it is reduced to the senders before the next one is read.
  return (numbers: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<WholeBlock>, BlockSourceError> =>
    Effect.map(
      Effect.forEach(Arr.chunksOf(numbers, blocksPerRequest), read, { concurrency: concurrentRequests }),
      (chunks) => chunks.flat()
    )
})

import { Array as Arr, Effect } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import type { Nodes } from "../../../blocks/rpc/Nodes.ts"
import { RpcFault } from "../../../blocks/rpc/RpcCall.ts"
import type { NodeMemory, RpcCall, Send } from "../../../blocks/rpc/RpcCall.ts"
import type { BlockHeader } from "../verify/BlockHeader.ts"
import type { Keccak } from "../verify/Keccak.ts"
import { readReceipt } from "../verify/ReceiptEncoding.ts"
import type { Receipt } from "../verify/ReceiptEncoding.ts"
import { proveReceipts } from "../verify/ReceiptsProof.ts"
import type { ReadBlock } from "../verify/ReceiptsProof.ts"

/** Blocks with all receipts are large. */
const blocksPerRequest = 5
const concurrentRequests = 4

const blockMethod = "eth_getBlockReceipts"

const ofBlock = (number: number): RpcCall => ({
  method: blockMethod,
  params: [`0x${number.toString(16)}`],
  mayFail: true
})
const ofTransaction = (hash: string): RpcCall => ({ method: "eth_getTransactionReceipt", params: [hash] })

/** Whether the node lacks the method, so that a retry cannot help. */
const isUnknownMethod = ({ code, message }: RpcFault): boolean =>
  code === -32_601 || code === -32_004 || /not (supported|available|exist)|unsupported/i.test(message)

/** Reads the receipts of blocks. Proves them against their headers if `isProven`. */
export const makeReceiptReads = (
  nodes: Nodes,
  bad: (what: string) => BlockSourceError,
  keccak: Keccak,
  isProven: boolean
) => {
  const decode = (reply: unknown, number: number) => {
    const receipts = Array.isArray(reply) ? reply.map(readReceipt) : [undefined]
    return receipts.includes(undefined)
      ? Effect.fail(bad(`described no receipts of block ${number}`))
      : Effect.succeed(receipts.filter((receipt): receipt is Receipt => receipt !== undefined))
  }

  const readTransactions = Effect.fnUntraced(function* (send: Send, { number, transactions }: BlockHeader) {
    return yield* decode(yield* send(transactions.map(ofTransaction)), number)
  })

  /** A request for several blocks; for nodes without the method, by transaction. */
  const readOn = (send: Send, node: NodeMemory, headers: ReadonlyArray<BlockHeader>) =>
    Effect.gen(function* () {
      const replies = node.lacks.has(blockMethod) ? [] : yield* send(headers.map(({ number }) => ofBlock(number)))
      return yield* Effect.forEach(headers, (header, index) =>
        Effect.gen(function* () {
          const reply = replies[index]
          const isLacking = reply instanceof RpcFault && isUnknownMethod(reply)
          if (isLacking) node.lacks.add(blockMethod)
          if (reply instanceof RpcFault && !isLacking) {
            return yield* bad(`answered the error ${reply.code}: "${reply.message}"`)
          }
          const receipts = node.lacks.has(blockMethod)
            ? yield* readTransactions(send, header)
            : yield* decode(reply, header.number)
          return yield* Effect.mapError(Effect.fromResult(proveReceipts(keccak, header, receipts, isProven)), bad)
        })
      )
    })

  // Each response is large: it is reduced to the logs before the next one is read.
  return (headers: ReadonlyArray<BlockHeader>): Effect.Effect<ReadonlyArray<ReadBlock>, BlockSourceError> =>
    Effect.forEach(
      Arr.chunksOf(headers, blocksPerRequest),
      (some) => nodes.ask((send, node) => readOn(send, node, some)),
      { concurrency: concurrentRequests }
    ).pipe(Effect.map((chunks) => chunks.flat()))
}

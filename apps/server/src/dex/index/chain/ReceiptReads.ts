import { Array as Arr, Effect, Option } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import { blockCall, RpcFault, toErrorText, toQuantity } from "../../../blocks/rpc/RpcCall.ts"
import type { NodeMemory, RpcCall, Send } from "../../../blocks/rpc/RpcCall.ts"
import { toRefused } from "../../../blocks/rpc/RpcRefusal.ts"
import { readHeader } from "../verify/BlockHeader.ts"
import type { BlockHeader } from "../verify/BlockHeader.ts"
import type { Keccak } from "../verify/Keccak.ts"
import { readReceipt, proveReceipts } from "../verify/Receipts.ts"
import type { Receipt, ReadBlock } from "../verify/Receipts.ts"
import type { ReportUnprovable, makeProvableReads } from "./ProvableReads.ts"

/** Blocks with all receipts are large. */
const blocksPerRequest = 5
const concurrentRequests = 4

const blockMethod = "eth_getBlockReceipts"

const receiptsOfBlock = (number: number): RpcCall => ({
  method: blockMethod,
  params: [toQuantity(number)],
  mayFail: true
})
const receiptOfTransaction = (hash: string): RpcCall => ({ method: "eth_getTransactionReceipt", params: [hash] })

const lacking =
  /(method|getBlockReceipts)\b[^:]{0,60}\b(not (supported|available|found|exist)|unsupported)|unsupported (rpc )?method|^(unsupported|not supported)\b/i

/** Whether the node lacks the method, so that a retry cannot help. */
const isUnknownMethod = ({ code, message }: RpcFault): boolean =>
  code === -32_601 || code === -32_004 || lacking.test(message)

/** Reads the receipts of blocks. Proves them against their headers if `isProven`. */
export const makeReceiptReads = (
  ask: ReturnType<typeof makeProvableReads>,
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
    return yield* decode(yield* send(transactions.map(receiptOfTransaction)), number)
  })

  /** The receipts from the reply for their block; by transaction where the node refused them. */
  const prove = Effect.fnUntraced(function* (send: Send, node: NodeMemory, header: BlockHeader, reply: unknown) {
    const receipts =
      node.lacks.has(blockMethod) || reply instanceof RpcFault
        ? yield* readTransactions(send, header)
        : yield* decode(reply, header.number)
    return yield* Effect.mapError(Effect.fromResult(proveReceipts(keccak, header, receipts, isProven)), bad)
  })

  /** The block with the transactions that this node lists. No header commits to the list, so that another one may be false. */
  const withOwnList = Effect.fnUntraced(function* (send: Send, header: BlockHeader) {
    const [reply] = yield* send([blockCall(header.number)])
    const own = yield* Effect.option(readHeader(keccak, reply))
    return Option.filter(
      own,
      ({ hash, transactions }) => hash === header.hash && transactions.join() !== header.transactions.join()
    ).pipe(Option.map(({ transactions }): BlockHeader => ({ ...header, transactions })))
  })

  const readBlock = Effect.fnUntraced(function* (
    send: Send,
    report: ReportUnprovable,
    node: NodeMemory,
    header: BlockHeader,
    reply: unknown
  ) {
    const { number } = header
    const isLacking = reply instanceof RpcFault && isUnknownMethod(reply)
    if (isLacking) node.lacks.add(blockMethod)
    if (reply instanceof RpcFault && !isLacking && toRefused(reply) !== "response")
      return yield* bad(toErrorText(reply))
    const block = yield* prove(send, node, header, reply).pipe(
      Effect.catch((error) =>
        Effect.flatMap(
          withOwnList(send, header),
          Option.match({
            onNone: () => Effect.fail(error),
            onSome: (own) => prove(send, node, own, reply)
          })
        )
      )
    )
    const isUnprovable = isProven && header.hashCheck === "passed" && !block.isVerified
    if (isUnprovable) yield* report(`answered with receipts of block ${number} that have a form of their own`)
    return block
  })

  /** A request for several blocks. */
  const readOn = Effect.fnUntraced(function* (
    send: Send,
    report: ReportUnprovable,
    node: NodeMemory,
    headers: ReadonlyArray<BlockHeader>
  ) {
    const replies = node.lacks.has(blockMethod) ? [] : yield* send(headers.map(({ number }) => receiptsOfBlock(number)))
    return yield* Effect.forEach(headers, (header, index) => readBlock(send, report, node, header, replies[index]))
  })

  // Each response is large: it is reduced to the logs before the next one is read.
  return (headers: ReadonlyArray<BlockHeader>): Effect.Effect<ReadonlyArray<ReadBlock>, BlockSourceError> =>
    Effect.forEach(
      Arr.chunksOf(headers, blocksPerRequest),
      (some) => ask((send, report, node) => readOn(send, report, node, some)),
      { concurrency: concurrentRequests }
    ).pipe(Effect.map((chunks) => chunks.flat()))
}

import { Array as Arr, Effect, Option } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import { blockCall, isCallFailure, RpcFault, toErrorText, toQuantity } from "../../../blocks/rpc/RpcCall.ts"
import type { RpcCall } from "../../../blocks/rpc/RpcCall.ts"
import { toRefused } from "../../../blocks/rpc/RpcRefusal.ts"
import { readHeader } from "../verify/BlockHeader.ts"
import type { BlockHeader } from "../verify/BlockHeader.ts"
import { readReceipt, proveReceipts } from "../verify/Receipts.ts"
import type { ReadBlock } from "../verify/Receipts.ts"
import type { NodeRead, ReadParts } from "./ProvableReads.ts"

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

const decodeReceipts = (bad: ReadParts["bad"], reply: unknown, number: number) => {
  const receipts = Array.isArray(reply) ? reply.map(readReceipt) : [undefined]
  return receipts.every((receipt) => receipt !== undefined)
    ? Effect.succeed(receipts)
    : Effect.fail(bad(`described no receipts of block ${number}`))
}

/** Proves a block from the reply for its receipts; from those of its transactions where the node refused it. */
const proveBlock = Effect.fnUntraced(function* (
  { bad, isProven, keccak }: ReadParts,
  { node, send }: NodeRead,
  header: BlockHeader,
  reply: unknown
) {
  const isRefused = node.lacks.has(blockMethod) || isCallFailure(reply)
  const stated = isRefused ? yield* send(header.transactions.map(receiptOfTransaction)) : reply
  const receipts = yield* decodeReceipts(bad, stated, header.number)
  return yield* Effect.mapError(Effect.fromResult(proveReceipts(keccak, header, receipts, isProven)), bad)
})

/** The block with the transactions that this node lists. No header commits to the list, so that another one may be false. */
const withOwnList = Effect.fnUntraced(function* ({ keccak }: ReadParts, { send }: NodeRead, header: BlockHeader) {
  const [reply] = yield* send([blockCall(header.number)])
  const own = yield* Effect.option(readHeader(keccak, reply))
  return Option.filter(
    own,
    ({ hash, transactions }) => hash === header.hash && transactions.join() !== header.transactions.join()
  ).pipe(Option.map(({ transactions }): BlockHeader => ({ ...header, transactions })))
})

const readBlock = Effect.fnUntraced(function* (parts: ReadParts, read: NodeRead, header: BlockHeader, reply: unknown) {
  const isLacking = reply instanceof RpcFault && isUnknownMethod(reply)
  if (isLacking) read.node.lacks.add(blockMethod)
  if (reply instanceof RpcFault && !isLacking && toRefused(reply) !== "response") {
    return yield* parts.bad(toErrorText(reply))
  }
  const block = yield* proveBlock(parts, read, header, reply).pipe(
    Effect.catch((error) =>
      Effect.flatMap(
        withOwnList(parts, read, header),
        Option.match({
          onNone: () => Effect.fail(error),
          onSome: (own) => proveBlock(parts, read, own, reply)
        })
      )
    )
  )
  const isUnprovable = parts.isProven && header.hashCheck === "passed" && !block.isVerified
  if (isUnprovable) {
    yield* read.report(`answered with receipts of block ${header.number} in an unknown encoding`)
  }
  return block
})

/** Reads several blocks in one request. */
const readBlocks = Effect.fnUntraced(function* (parts: ReadParts, read: NodeRead, headers: ReadonlyArray<BlockHeader>) {
  const { node, send } = read
  const replies = node.lacks.has(blockMethod) ? [] : yield* send(headers.map(({ number }) => receiptsOfBlock(number)))
  return yield* Effect.forEach(headers, (header, index) => readBlock(parts, read, header, replies[index]))
})

/** Reads the receipts of blocks, and proves them against their headers if `isProven`. */
export const makeReceiptReads =
  (parts: ReadParts) =>
  (headers: ReadonlyArray<BlockHeader>): Effect.Effect<ReadonlyArray<ReadBlock>, BlockSourceError> =>
    Effect.forEach(
      Arr.chunksOf(headers, blocksPerRequest),
      // Each response is large: it is reduced to the logs before the next one is read.
      (some) => parts.readProvable((read) => readBlocks(parts, read, some)),
      { concurrency: concurrentRequests }
    ).pipe(Effect.map((chunks) => chunks.flat()))

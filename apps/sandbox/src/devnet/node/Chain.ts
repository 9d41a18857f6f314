import { Effect, Schema } from "effect"
import { DevnetError } from "./DevnetError.ts"
import type { JsonRpc, JsonRpcCall } from "./JsonRpc.ts"
import { Receipt } from "./Receipt.ts"
import type { TransactionRequest } from "./Transaction.ts"

export interface BlockHead {
  readonly number: number
  readonly hash: string
  /** Unix seconds. */
  readonly timestamp: number
}

export interface MinedBlock {
  readonly head: BlockHead
  readonly receipts: ReadonlyArray<Receipt>
}

/** The devnet's operations on the chain. */
export interface Chain {
  /** Drops every unmined transaction, and returns the next nonce of each account. */
  readonly recover: (accounts: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, number>, DevnetError>
  readonly head: Effect.Effect<BlockHead, DevnetError>
  /** Mines one block with these transactions, in their order. */
  readonly mine: (
    requests: ReadonlyArray<TransactionRequest>,
    timestamp: number
  ) => Effect.Effect<MinedBlock, DevnetError>
  readonly mineIdle: (count: number) => Effect.Effect<void, DevnetError>
  /** Replaces the last blocks by as many others, each with its transactions. */
  readonly reorg: (blocks: ReadonlyArray<ReadonlyArray<TransactionRequest>>) => Effect.Effect<void, DevnetError>
  readonly removeBlocks: (depth: number) => Effect.Effect<void, DevnetError>
  readonly receipts: (
    numbers: ReadonlyArray<number>
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<Receipt>>, DevnetError>
}

const Quantity = Schema.TemplateLiteral(["0x", Schema.String])
const Block = Schema.Struct({ number: Quantity, hash: Schema.String, timestamp: Quantity })
const decodeBlock = Schema.decodeUnknownEffect(Block)
const decodeReceipts = Schema.decodeUnknownEffect(Schema.Array(Receipt))
const decodeQuantities = Schema.decodeUnknownEffect(Schema.Array(Quantity))

const toRpcError = (method: string) => (cause: Schema.SchemaError) =>
  new DevnetError({
    reason: "Rpc",
    message: `anvil answered "${method}" with something unexpected: ${cause.message}`,
    cause
  })

const quantity = (value: number) => `0x${value.toString(16)}`

const toHead = ({ hash, number, timestamp }: typeof Block.Type): BlockHead => ({
  number: Number(number),
  hash,
  timestamp: Number(timestamp)
})

export const makeChain = (rpc: JsonRpc, miners: readonly [string, ...Array<string>]): Chain => {
  const readHead = (result: unknown) =>
    Effect.mapBoth(decodeBlock(result), { onSuccess: toHead, onFailure: toRpcError("eth_getBlockByNumber") })
  const readReceipts = (result: unknown) => Effect.mapError(decodeReceipts(result), toRpcError("eth_getBlockReceipts"))

  const mine: Chain["mine"] = Effect.fnUntraced(function* (requests, timestamp) {
    const miner = miners[timestamp % miners.length] ?? miners[0]
    yield* rpc.batch([
      ["anvil_setCoinbase", miner],
      ...requests.map((request): JsonRpcCall => ["eth_sendTransaction", request])
    ])
    yield* rpc.call("evm_mine", { timestamp })
    const [block, receipts] = yield* rpc.batch([
      ["eth_getBlockByNumber", "latest", false],
      ["eth_getBlockReceipts", "latest"]
    ])
    return { head: yield* readHead(block), receipts: yield* readReceipts(receipts) }
  })

  return {
    recover: Effect.fnUntraced(function* (accounts) {
      yield* rpc.call("anvil_dropAllTransactions")
      const results = yield* rpc.batch(accounts.map((account) => ["eth_getTransactionCount", account, "latest"]))
      const nonces = yield* Effect.mapError(decodeQuantities(results), toRpcError("eth_getTransactionCount"))
      return new Map(accounts.map((account, index) => [account, Number(nonces[index])]))
    }),
    head: Effect.flatMap(rpc.call("eth_getBlockByNumber", "latest", false), readHead),
    mine,
    mineIdle: (count) => Effect.asVoid(rpc.call("anvil_mine", quantity(count))),
    reorg: (blocks) =>
      Effect.asVoid(
        rpc.call(
          "anvil_reorg",
          blocks.length,
          blocks.flatMap((requests, offset) => requests.map((request) => [request, offset]))
        )
      ),
    removeBlocks: (depth) => Effect.asVoid(rpc.call("anvil_rollback", depth)),
    receipts: (numbers) =>
      Effect.flatMap(
        rpc.batch(numbers.map((number) => ["eth_getBlockReceipts", quantity(number)])),
        Effect.forEach(readReceipts)
      )
  }
}

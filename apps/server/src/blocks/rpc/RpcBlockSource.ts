import { Array as Arr, Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { BlockSource } from "../BlockSource.ts"
import type { BlockSourceError } from "../BlockSource.ts"
import type { SourceBlock } from "../SourceBlock.ts"
import { finalizedBlock, toFinal } from "./Finality.ts"
import { toNodeError } from "./Node.ts"
import { makeNodes } from "./Nodes.ts"
import { decodeBlock, decodeQuantity, isAbsent, requireBlock, toSourceBlock } from "./RpcBlock.ts"
import { blockCall } from "./RpcCall.ts"
import type { Send } from "./RpcCall.ts"

/** Large enough for few round trips, within the limits of public nodes. */
const batchSize = 100
const concurrentBatches = 4

interface Chain {
  readonly id: string
  readonly rpc: ReadonlyArray<string>
  /** The least depth of final blocks. */
  readonly finality: number
}

const makeChain = (http: HttpClient.HttpClient, { finality, id, rpc }: Chain) => {
  const nodes = makeNodes(http, id, rpc)
  const fail = (reason: "BadResponse" | "Reorged") => (message: string) =>
    toNodeError({ blockchain: id }, reason, message)
  const bad = fail("BadResponse")

  const decode = (number: number, reply: unknown): Effect.Effect<SourceBlock, BlockSourceError> =>
    isAbsent(reply)
      ? Effect.fail(fail("Reorged")(`does not have block ${number}, although the chain is longer`))
      : Effect.map(requireBlock(decodeBlock(reply), number, bad), toSourceBlock)

  const fetch = Effect.fnUntraced(function* (send: Send, numbers: ReadonlyArray<number>) {
    const replies = yield* send(numbers.map(blockCall))
    return yield* Effect.forEach(numbers, (number, index) => decode(number, replies[index]))
  })

  return {
    head: Effect.andThen(
      nodes.compareHeads,
      nodes.read(
        Effect.fnUntraced(function* (send, node) {
          const replies = yield* send(finalizedBlock.addCall([{ method: "eth_blockNumber", params: [] }]))
          const number = yield* Effect.mapError(decodeQuantity(replies[0]), () => bad("stated no block number"))
          finalizedBlock.remember(node, replies, number)
          return { number, final: toFinal(number, finality, nodes.finalized()) }
        })
      )
    ),
    blocks: (numbers: ReadonlyArray<number>) =>
      Effect.forEach(Arr.chunksOf(numbers, batchSize), (batch) => nodes.read((send) => fetch(send, batch)), {
        concurrency: concurrentBatches
      }).pipe(Effect.map((batches) => batches.flat()))
  }
}

/** Reads blocks over the JSON-RPC interface of EVM nodes. */
export const layer = (blockchains: ReadonlyArray<Chain>): Layer.Layer<BlockSource, never, HttpClient.HttpClient> =>
  Layer.effect(
    BlockSource,
    Effect.gen(function* () {
      const http = yield* HttpClient.HttpClient
      const chains = new Map(blockchains.map((chain) => [chain.id, makeChain(http, chain)]))
      const findChain = (id: string) =>
        Effect.suspend(() => {
          const chain = chains.get(id)
          return chain === undefined ? Effect.die(new Error(`"${id}" is not configured`)) : Effect.succeed(chain)
        })
      return BlockSource.of({
        head: (id) => Effect.flatMap(findChain(id), (chain) => chain.head),
        blocks: (id, numbers) => Effect.flatMap(findChain(id), (chain) => chain.blocks(numbers))
      })
    })
  )

import { Array as Arr, Data, Effect, Option, Ref } from "effect"
import type { HttpClient } from "effect/http"
import { BlockSourceError } from "../../../blocks/BlockSource.ts"
import { isAbsent, makeJsonRpc, RpcFault } from "../../../blocks/rpc/JsonRpc.ts"
import type { RpcCall } from "../../../blocks/rpc/JsonRpc.ts"
import { decodeQuantity } from "../../../blocks/rpc/RpcBlock.ts"
import type { BlockIdentity } from "../decode/ChainFacts.ts"
import { topics } from "../decode/LogDecoder.ts"
import { readHeader } from "../decode/RpcHeader.ts"
import { readLogs } from "../decode/RpcLog.ts"
import type { BlockLog } from "../decode/RpcLog.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import { makeOriginReads } from "./OriginReads.ts"
import type { WholeBlock } from "./OriginReads.ts"
import { patientSend } from "./PatientSend.ts"

/** Calls per request: few round trips, within the limits of public nodes. */
const callsPerRequest = 100
const concurrentRequests = 4

/** The chain as a node sees it at this moment. */
export interface Tip {
  readonly head: BlockIdentity
  /** The requested block; absent if the chain is shorter. */
  readonly known: Option.Option<BlockIdentity>
}

const signatures = Object.values(topics)
const hex = (number: number): string => `0x${number.toString(16)}`
const blockCall = (number: number, whole = false): RpcCall => ({
  method: "eth_getBlockByNumber",
  params: [hex(number), whole]
})
const chainIdCall: RpcCall = { method: "eth_chainId", params: [] }

/** The node rejects the range as too large, or fails on it: a smaller range may succeed. */
export class RangeRefused extends Data.TaggedError("RangeRefused")<{
  readonly error: BlockSourceError
  readonly from: number
  readonly to: number
}> {}

type Reading<A> = Effect.Effect<A, BlockSourceError>

/** Reads the chain from the nodes of one blockchain. Every response is validated before it is used. */
export interface ChainReader {
  /** The newest block, and the block with this number as the same node sees it. */
  readonly tip: (number: number) => Reading<Tip>
  readonly headers: (numbers: ReadonlyArray<number>) => Reading<ReadonlyArray<BlockIdentity>>
  readonly wholeBlocks: (numbers: ReadonlyArray<number>) => Reading<ReadonlyArray<WholeBlock>>
  /** The logs of a range, with its first and last block as the responding node sees them. */
  readonly logsOfRange: (
    from: number,
    to: number
  ) => Effect.Effect<
    { readonly first: BlockIdentity; readonly last: BlockIdentity; readonly logs: ReadonlyArray<BlockLog> },
    BlockSourceError | RangeRefused
  >
  /** The logs of exactly these blocks, on whatever branch they are. */
  readonly logsOfBlocks: (blocks: ReadonlyArray<BlockIdentity>) => Reading<ReadonlyArray<BlockLog>>
  readonly calls: (calls: ReadonlyArray<RpcCall>) => Reading<ReadonlyArray<unknown>>
  /** A failure for a response that cannot be used. `what` completes a sentence that begins with the node's name. */
  readonly bad: (what: string) => BlockSourceError
}

export const makeChainReader = Effect.fnUntraced(function* (
  http: HttpClient.HttpClient,
  config: IndexConfig
): Effect.fn.Return<ChainReader> {
  const { blockchain } = config
  const send = patientSend(makeJsonRpc(http, blockchain, config.rpc))
  const chainId = yield* Ref.make(config.chainId)

  const bad = (what: string) =>
    new BlockSourceError({ blockchain, reason: "BadResponse", message: `A node of "${blockchain}" ${what}.` })

  /** All nodes must be on the chain of the first response. */
  const checkChain = Effect.fnUntraced(function* (reply: unknown) {
    const stated = yield* Effect.mapError(decodeQuantity(reply), () => bad("stated no chain id"))
    const expected = yield* Ref.updateAndGet(chainId, (known) => known ?? stated)
    if (stated !== expected) return yield* bad(`belongs to chain ${stated}, and not to chain ${expected}`)
  })

  const header = (reply: unknown, number?: number) =>
    readHeader(reply).pipe(
      Effect.mapError(() => bad("described a block in a way that the protocol does not know")),
      Effect.filterOrFail(
        (block) => number === undefined || block.number === number,
        (block) => bad(`answered with block ${block.number} where ${number} was asked for`)
      )
    )
  const existing = (reply: unknown, number: number) =>
    isAbsent(reply) ? Effect.fail(bad(`does not have block ${number}`)) : header(reply, number)

  const inRequests = (calls: ReadonlyArray<RpcCall>, size: number) =>
    Effect.forEach(Arr.chunksOf(calls, size), send, { concurrency: concurrentRequests }).pipe(
      Effect.map((replies) => replies.flat())
    )

  const failure = ({ code, message }: RpcFault) => bad(`answered the error ${code}: "${message}"`)
  const logsIn = (reply: unknown, from: number, to: number) =>
    reply instanceof RpcFault
      ? Effect.fail(failure(reply))
      : Effect.mapError(Effect.fromResult(readLogs(reply, from, to)), bad)

  return {
    bad,
    wholeBlocks: yield* makeOriginReads({ send, blockCall, existing, bad }),
    calls: (calls) => inRequests(calls, callsPerRequest),
    tip: Effect.fnUntraced(function* (number) {
      const [id, latest, known] = yield* send([
        chainIdCall,
        { method: "eth_getBlockByNumber", params: ["latest", false] },
        blockCall(number)
      ])
      yield* checkChain(id)
      const head = yield* header(latest)
      return { head, known: isAbsent(known) ? Option.none() : Option.some(yield* header(known, number)) }
    }),
    headers: Effect.fnUntraced(function* (numbers) {
      const replies = yield* inRequests(
        numbers.map((number) => blockCall(number)),
        callsPerRequest
      )
      return yield* Effect.forEach(numbers, (number, index) => existing(replies[index], number))
    }),
    logsOfRange: Effect.fnUntraced(function* (from, to) {
      // One request, because a node that lags behind returns no logs for blocks that it does not have yet.
      const [id, begin, block, reply] = yield* send([
        chainIdCall,
        blockCall(from),
        blockCall(to),
        {
          method: "eth_getLogs",
          params: [{ fromBlock: hex(from), toBlock: hex(to), topics: [signatures] }],
          mayFail: true
        }
      ])
      yield* checkChain(id)
      const first = yield* existing(begin, from)
      const last = yield* existing(block, to)
      if (reply instanceof RpcFault) return yield* new RangeRefused({ error: failure(reply), from, to })
      return { first, last, logs: yield* logsIn(reply, from, to) }
    }),
    logsOfBlocks: Effect.fnUntraced(function* (blocks) {
      const replies = yield* inRequests(
        blocks.map(({ hash }) => ({
          method: "eth_getLogs",
          params: [{ blockHash: hash, topics: [signatures] }],
          mayFail: true
        })),
        callsPerRequest
      )
      const logs = yield* Effect.forEach(blocks, ({ hash, number }, index) =>
        logsIn(replies[index], number, number).pipe(
          Effect.filterOrFail(
            (found) => found.every((log) => log.blockHash === hash),
            () => bad(`answered with logs of another branch for block ${number}`)
          )
        )
      )
      return logs.flat()
    })
  }
})

import { Array as Arr, Data, Effect, Option, Ref } from "effect"
import type { HttpClient } from "effect/http"
import { BlockSourceError } from "../../blocks/BlockSource.ts"
import { isAbsent, makeJsonRpc, RpcFault } from "../../blocks/rpc/JsonRpc.ts"
import type { RpcCall } from "../../blocks/rpc/JsonRpc.ts"
import { decodeQuantity } from "../../blocks/rpc/RpcBlock.ts"
import type { BlockIdentity } from "./BlockDraft.ts"
import type { IndexConfig } from "./IndexConfig.ts"
import { topics } from "./LogDecoder.ts"
import { makeOriginReads } from "./OriginReads.ts"
import type { WholeBlock } from "./OriginReads.ts"
import { patientSend } from "./PatientSend.ts"
import { readHeader } from "./RpcHeader.ts"
import { readLogs } from "./RpcLog.ts"
import type { PlacedLog } from "./RpcLog.ts"

/** How many calls go into one request: few round trips within the limits of public nodes. */
const callsPerRequest = 100
const concurrentRequests = 4

/** The chain as a node sees it at this moment. */
export interface Tip {
  readonly head: BlockIdentity
  /** The block that was asked for with it; none if the chain is shorter. */
  readonly known: Option.Option<BlockIdentity>
}

const signatures = Object.values(topics)
const hex = (number: number): string => `0x${number.toString(16)}`
const blockCall = (number: number, whole = false): RpcCall => ({
  method: "eth_getBlockByNumber",
  params: [hex(number), whole]
})
const chainIdCall: RpcCall = { method: "eth_chainId", params: [] }

/** The node takes the range for too large, or fails over it: a smaller one may do. */
export class RangeRefused extends Data.TaggedError("RangeRefused")<{
  readonly error: BlockSourceError
  readonly from: number
  readonly to: number
}> {}

type Reading<A> = Effect.Effect<A, BlockSourceError>

/** What an index asks of the nodes of its blockchain. Every answer is checked before it is used. */
export interface ChainReader {
  /** Newest block, and the block of this number as the same node sees it. */
  readonly tip: (number: number) => Reading<Tip>
  readonly headers: (numbers: ReadonlyArray<number>) => Reading<ReadonlyArray<BlockIdentity>>
  readonly wholeBlocks: (numbers: ReadonlyArray<number>) => Reading<ReadonlyArray<WholeBlock>>
  /** The logs of a range, with its first and its last block as the node that answered sees them. */
  readonly logsOfRange: (
    from: number,
    to: number
  ) => Effect.Effect<
    { readonly first: BlockIdentity; readonly last: BlockIdentity; readonly logs: ReadonlyArray<PlacedLog> },
    BlockSourceError | RangeRefused
  >
  /** The logs of exactly these blocks, whatever branch they belong to. */
  readonly logsOfBlocks: (blocks: ReadonlyArray<BlockIdentity>) => Reading<ReadonlyArray<PlacedLog>>
  readonly calls: (calls: ReadonlyArray<RpcCall>) => Reading<ReadonlyArray<unknown>>
  /** A failure for an answer that cannot be used. `what` follows on the name of the node. */
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

  /** All nodes must be of the chain that the first answer came from. */
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
      // In one request, because a node that lags behind answers with no logs for blocks that it does not have yet.
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

import { Array as Arr, Data, Effect, Option, Ref } from "effect"
import type { HttpClient } from "effect/http"
import { BlockSourceError } from "../../../blocks/BlockSource.ts"
import { finalizedCall, rememberFinalized, toFinal } from "../../../blocks/rpc/Finality.ts"
import { isAbsent, makeNodes } from "../../../blocks/rpc/Nodes.ts"
import type { NodesOptions } from "../../../blocks/rpc/Nodes.ts"
import { decodeQuantity } from "../../../blocks/rpc/RpcBlock.ts"
import { RpcFault } from "../../../blocks/rpc/RpcCall.ts"
import type { NodeMemory, RpcCall, Send } from "../../../blocks/rpc/RpcCall.ts"
import { findSuggestedBlocks } from "../../../blocks/rpc/RpcRefusal.ts"
import type { BlockIdentity } from "../decode/ChainFacts.ts"
import { topics } from "../decode/LogDecoder.ts"
import { readLogs } from "../decode/RpcLog.ts"
import type { BlockLog } from "../decode/RpcLog.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import type { Checkpoint } from "../store/EntityStore.ts"
import { readHeader } from "../verify/BlockHeader.ts"
import type { BlockHeader } from "../verify/BlockHeader.ts"
import { makeBloomTest } from "../verify/Bloom.ts"
import { makeKeccak } from "../verify/Keccak.ts"
import type { ReadBlock } from "../verify/ReceiptsProof.ts"
import { makeReceiptReads } from "./ReceiptReads.ts"

/** Calls per request: few round trips, within the limits of public nodes. */
const callsPerRequest = 100
const concurrentRequests = 4
/** A range takes many requests: one that a rate limit refuses is repeated, instead of the whole range. */
const patience: NodesOptions = { rateLimitRetries: 6, timeoutMs: 60_000 }

/** The chain as a node sees it at this moment. */
export interface Tip {
  readonly head: BlockIdentity
  /** The requested block; absent if the chain is shorter. */
  readonly known: Option.Option<BlockIdentity>
  /** The newest final block. */
  readonly final: number
}

const signatures: ReadonlyArray<string> = Object.values(topics)
const isEvent = ({ topics: [signature] }: BlockLog): boolean =>
  signature !== undefined && signatures.includes(signature)
const hex = (number: number): string => `0x${number.toString(16)}`
const blockCall = (number: number): RpcCall => ({ method: "eth_getBlockByNumber", params: [hex(number), false] })
const chainIdCall: RpcCall = { method: "eth_chainId", params: [] }

/** The node rejects the range as too large, or fails on it: a smaller range may succeed. */
export class RangeRefused extends Data.TaggedError("RangeRefused")<{
  readonly error: BlockSourceError
  readonly from: number
  readonly to: number
  /** The number of blocks that the node suggests. */
  readonly suggested: number | undefined
}> {}

type Reading<A> = Effect.Effect<A, BlockSourceError>

/** Reads the chain from the nodes of one blockchain. Every response is validated before it is used. */
export interface ChainReader {
  /** The newest block, and the block with this number as the same node sees it. */
  readonly tip: (number: number) => Reading<Tip>
  readonly headers: (numbers: ReadonlyArray<number>) => Reading<ReadonlyArray<BlockHeader>>
  /** The logs of these blocks from their receipts, which are proven against the headers. */
  readonly receipts: (headers: ReadonlyArray<BlockHeader>) => Reading<ReadonlyArray<ReadBlock>>
  /** Whether the block may have events: false proves that it has none. */
  readonly mayHaveEvents: (header: BlockHeader) => boolean
  /** Whether the log may be an event of a deployment. */
  readonly isEvent: (log: BlockLog) => boolean
  /** The logs of a range, with its first and last block as the responding node sees them. */
  readonly logsOfRange: (
    from: number,
    to: number
  ) => Effect.Effect<
    { readonly first: BlockIdentity; readonly last: BlockIdentity; readonly logs: ReadonlyArray<BlockLog> },
    BlockSourceError | RangeRefused
  >
  /** Whether every node has another block of this number. Fails if a node does not answer, or lacks the block. */
  readonly isReplaced: (block: Checkpoint) => Reading<boolean>
  /** The logs of exactly these blocks, on whatever branch they are. */
  readonly logsOfBlocks: (blocks: ReadonlyArray<BlockIdentity>) => Reading<ReadonlyArray<BlockLog>>
  /** Decodes the results of calls. If `decode` fails, the next node is asked. */
  readonly calls: <A>(
    calls: ReadonlyArray<RpcCall>,
    decode: (replies: ReadonlyArray<unknown>) => Reading<A>
  ) => Reading<A>
  /** Prefers other nodes for a while, because what this one returned contradicts itself. */
  readonly avoidNode: Effect.Effect<void>
  /** A failure for a response that cannot be used. `what` completes a sentence that begins with the node's name. */
  readonly bad: (what: string) => BlockSourceError
}

export const makeChainReader = Effect.fnUntraced(function* (
  http: HttpClient.HttpClient,
  config: IndexConfig
): Effect.fn.Return<ChainReader> {
  const { blockchain } = config
  const onlyPool = config.onlyPool?.toLowerCase()
  const nodes = makeNodes(http, blockchain, config.rpc, patience)
  const keccak = yield* makeKeccak
  const mayContain = makeBloomTest(keccak)
  const chainId = yield* Ref.make(config.chainId)
  /** The lowest block whose header is known to have the standard form: older ones may have a form of their own. */
  const hashedFrom = yield* Ref.make(Number.POSITIVE_INFINITY)

  const bad = (what: string) =>
    new BlockSourceError({ blockchain, reason: "BadResponse", message: `A node of "${blockchain}" ${what}.` })

  /** All nodes must be on the chain of the first response. */
  const checkChain = Effect.fnUntraced(function* (reply: unknown) {
    const stated = yield* Effect.mapError(decodeQuantity(reply), () => bad("stated no chain id"))
    const expected = yield* Ref.updateAndGet(chainId, (known) => known ?? stated)
    if (stated !== expected) return yield* bad(`belongs to chain ${stated}, and not to chain ${expected}`)
  })

  const checkHash = Effect.fnUntraced(function* ({ isHashed, number }: BlockHeader) {
    if (isHashed === true) return yield* Ref.update(hashedFrom, (lowest) => Math.min(lowest, number))
    if (config.verify !== "none" && isHashed === false && number >= (yield* Ref.get(hashedFrom))) {
      return yield* bad(`answered with a header of block ${number} that does not hash to the block's hash`)
    }
  })

  const header = (reply: unknown, number?: number) =>
    readHeader(keccak, reply).pipe(
      Effect.mapError(() => bad("described a block in a way that the protocol does not know")),
      Effect.filterOrFail(
        (block) => number === undefined || block.number === number,
        (block) => bad(`answered with block ${block.number} where ${number} was asked for`)
      ),
      Effect.tap(checkHash)
    )
  const existing = (reply: unknown, number: number) =>
    isAbsent(reply) ? Effect.fail(bad(`does not have block ${number}`)) : header(reply, number)

  const inRequests = <A>(
    calls: ReadonlyArray<RpcCall>,
    decode: (replies: ReadonlyArray<unknown>, send: Send) => Reading<A>
  ) =>
    nodes.ask((send) =>
      Effect.forEach(Arr.chunksOf(calls, callsPerRequest), send, { concurrency: concurrentRequests }).pipe(
        Effect.flatMap((replies) => decode(replies.flat(), send))
      )
    )

  const failure = ({ code, message }: RpcFault) => bad(`answered the error ${code}: "${message}"`)
  const logsIn = (reply: unknown, from: number, to: number) =>
    reply instanceof RpcFault
      ? Effect.fail(failure(reply))
      : Effect.mapError(Effect.fromResult(readLogs(reply, from, to)), bad)

  return {
    bad,
    avoidNode: nodes.avoidLast,
    receipts: makeReceiptReads(nodes, bad, keccak, config.verify !== "none"),
    isEvent,
    mayHaveEvents: ({ isHashed, logsBloom, number }) =>
      isHashed !== true ||
      logsBloom === undefined ||
      (signatures.some((topic) => mayContain(logsBloom, topic)) &&
        (onlyPool === undefined || number === config.startBlock || mayContain(logsBloom, onlyPool))),
    calls: inRequests,
    tip: (number) =>
      Effect.andThen(
        nodes.compareHeads,
        nodes.ask((send, node) =>
          Effect.gen(function* () {
            const [id, latest, known, finalized] = yield* send([
              chainIdCall,
              { method: "eth_getBlockByNumber", params: ["latest", false] },
              blockCall(number),
              finalizedCall
            ])
            yield* checkChain(id)
            const head = yield* header(latest)
            rememberFinalized(node, finalized, head.number)
            return {
              head,
              known: isAbsent(known) ? Option.none() : Option.some(yield* header(known, number)),
              final: toFinal(head.number, config.finality, nodes.finalized())
            }
          })
        )
      ),
    headers: (numbers) =>
      inRequests(numbers.map(blockCall), (replies) =>
        Effect.forEach(numbers, (number, index) => existing(replies[index], number))
      ),
    isReplaced: ({ hash, number }) =>
      Effect.suspend(() => {
        const others = new Set<NodeMemory>()
        return nodes
          .ask((send, node) =>
            Effect.gen(function* () {
              const [reply] = yield* send([blockCall(number)])
              if ((yield* existing(reply, number)).hash === hash) return false
              others.add(node)
              return yield* bad(`has another block ${number} than the index`)
            })
          )
          .pipe(
            Effect.catch((error) => (others.size === config.rpc.length ? Effect.succeed(true) : Effect.fail(error)))
          )
      }),
    logsOfRange: (from, to) =>
      nodes.ask((send) =>
        Effect.gen(function* () {
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
          if (reply instanceof RpcFault) {
            const suggested = findSuggestedBlocks(reply.message)
            return yield* new RangeRefused({ error: failure(reply), from, to, suggested })
          }
          return { first, last, logs: yield* logsIn(reply, from, to) }
        })
      ),
    logsOfBlocks: (blocks) =>
      inRequests(
        blocks.map(({ hash }) => ({
          method: "eth_getLogs",
          params: [{ blockHash: hash, topics: [signatures] }],
          mayFail: true
        })),
        (replies) =>
          Effect.forEach(blocks, ({ hash, number }, index) =>
            logsIn(replies[index], number, number).pipe(
              Effect.filterOrFail(
                (found) => found.every((log) => log.blockHash === hash),
                () => bad(`answered with logs of another branch for block ${number}`)
              )
            )
          ).pipe(Effect.map((logs) => logs.flat()))
      )
  }
})

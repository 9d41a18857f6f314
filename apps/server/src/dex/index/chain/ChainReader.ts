import { Array as Arr, Effect, Ref } from "effect"
import type { HttpClient } from "effect/http"
import { BlockSourceError } from "../../../blocks/BlockSource.ts"
import { makeNodes } from "../../../blocks/rpc/Nodes.ts"
import type { NodesOptions } from "../../../blocks/rpc/Nodes.ts"
import { decodeQuantity } from "../../../blocks/rpc/RpcBlock.ts"
import { blockCall, chainIdCall } from "../../../blocks/rpc/RpcCall.ts"
import type { RpcCall, Send } from "../../../blocks/rpc/RpcCall.ts"
import type { BlockIdentity } from "../decode/ChainFacts.ts"
import type { BlockLog } from "../decode/RpcLog.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import type { Checkpoint } from "../store/EntityStore.ts"
import type { BlockHeader } from "../verify/BlockHeader.ts"
import { makeKeccak } from "../verify/Keccak.ts"
import type { ReadBlock } from "../verify/Receipts.ts"
import { makeEventFilter } from "./EventFilter.ts"
import { makeHeaderReads } from "./HeaderReads.ts"
import { makeHeadReads } from "./HeadReads.ts"
import type { HeadReading } from "./HeadReads.ts"
import { logsIn, readLogsOfRange } from "./LogReads.ts"
import type { RangeRefused } from "./LogReads.ts"
import { makeProvableReads } from "./ProvableReads.ts"
import { makeReceiptReads } from "./ReceiptReads.ts"

/** Calls per request: few round trips, within the limits of public nodes. */
const callsPerRequest = 100
const concurrentRequests = 4
/** A range takes many requests: one that a rate limit refuses is repeated, instead of the whole range. */
const nodesOptions: NodesOptions = { rateLimitRetries: 6, timeoutMs: 60_000 }

const headCall: RpcCall = { method: "eth_blockNumber", params: [] }

/** Consecutive blocks. */
export interface LinkedRange {
  readonly from: number
  readonly to: number
  /** The hash of the block before the range, if it is known. */
  readonly parent: string | undefined
  /** Whether the chain has a block after the range, which must be the child of its last block. */
  readonly next: boolean
}

/** The first block that is not the child of the one before. */
const findUnlinked = (blocks: ReadonlyArray<BlockIdentity>, parent: string | undefined): string | undefined => {
  const found = blocks.find(({ parentHash }, index) => {
    const before = index === 0 ? parent : blocks[index - 1]?.hash
    return before !== undefined && parentHash !== before
  })
  return found && `answered with block ${found.number} of another branch than the block before it`
}

type Reading<A> = Effect.Effect<A, BlockSourceError>

/** Reads the chain from the nodes of one blockchain. Every response is validated before it is used. */
export interface ChainReader {
  /** The newest block, and the block with this number as the same node sees it. */
  readonly readHead: (number: number) => Reading<HeadReading>
  readonly headers: (numbers: ReadonlyArray<number>) => Reading<ReadonlyArray<BlockHeader>>
  /** The headers of a range, each of the child of the block before. */
  readonly linkedHeaders: (range: LinkedRange) => Reading<ReadonlyArray<BlockHeader>>
  /** From this block on, headers are known to hash to the hashes of their blocks. */
  readonly expectHashed: (block: number) => Effect.Effect<void>
  /** The logs of these blocks from their receipts, which are proven against the headers. */
  readonly receipts: (headers: ReadonlyArray<BlockHeader>) => Reading<ReadonlyArray<ReadBlock>>
  /** Whether the block may have events: false proves that it has none. */
  readonly mayHaveEvents: (header: BlockHeader) => boolean
  /** Whether the log may be an event of a deployment. */
  readonly isEvent: (log: BlockLog) => boolean
  /** The logs of a range, with its last block as the responding node sees it. */
  readonly logsOfRange: (
    range: LinkedRange
  ) => Effect.Effect<
    { readonly last: BlockIdentity; readonly logs: ReadonlyArray<BlockLog> },
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
  /** Prefers other nodes than the last one for a while, because what it returned contradicts itself. */
  readonly avoidNode: Effect.Effect<void>
  /** Asks the node that stated the head last for a while: its head contradicts other reads. */
  readonly avoidHeadNode: Effect.Effect<void>
  /** A failure for a response that cannot be used. `what` completes a sentence that begins with the node's name. */
  readonly bad: (what: string) => BlockSourceError
}

interface QueryParts extends Pick<ChainReader, "bad" | "calls"> {
  readonly ask: ReturnType<typeof makeProvableReads>
  readonly checkChain: (reply: unknown) => Reading<void>
  readonly existing: Effect.Success<ReturnType<typeof makeHeaderReads>>["existing"]
  /** The topics of all events of the index. */
  readonly signatures: ReadonlyArray<string>
}

const makeHeaderQueries = ({
  ask,
  bad,
  existing
}: Pick<QueryParts, "ask" | "bad" | "existing">): Pick<ChainReader, "headers" | "linkedHeaders"> => {
  /** The headers of these blocks. Fails on a node for which `check` describes a fault. */
  const readHeaders = (
    numbers: ReadonlyArray<number>,
    check: (headers: ReadonlyArray<BlockHeader>) => string | undefined = () => undefined
  ): Reading<ReadonlyArray<BlockHeader>> =>
    ask((send, report) =>
      Effect.forEach(Arr.chunksOf(numbers.map(blockCall), callsPerRequest), send, {
        concurrency: concurrentRequests
      }).pipe(
        Effect.map((replies) => replies.flat()),
        Effect.flatMap((replies) =>
          Effect.forEach(numbers, (number, index) => existing(replies[index], report, number))
        ),
        Effect.tap((headers) => {
          const fault = check(headers)
          return fault === undefined ? Effect.void : Effect.fail(bad(fault))
        })
      )
    )

  return {
    headers: (numbers) => readHeaders(numbers),
    linkedHeaders: ({ from, next, parent, to }) => {
      const last = next ? to + 1 : to
      return readHeaders(
        Array.from({ length: last - from + 1 }, (_, index) => from + index),
        (headers) => findUnlinked(headers, parent)
      ).pipe(Effect.map((headers) => headers.slice(0, to - from + 1)))
    }
  }
}

const makeLogQueries = ({
  ask,
  bad,
  calls,
  checkChain,
  existing,
  signatures
}: QueryParts): Pick<ChainReader, "logsOfRange" | "logsOfBlocks"> => ({
  logsOfRange: ({ from, next, parent, to }) =>
    ask((send, report, node) => {
      // In one request, because a node that lags behind returns no logs for blocks that it does not have yet.
      const guards = [chainIdCall, blockCall(from), blockCall(to), ...(next ? [blockCall(to + 1)] : [])]
      const check = Effect.fnUntraced(function* ([id, begin, end, following]: ReadonlyArray<unknown>) {
        yield* checkChain(id)
        const first = yield* existing(begin, report, from)
        const last = yield* existing(end, report, to)
        const links = next ? [last, yield* existing(following, report, to + 1)] : [last]
        const fault = findUnlinked([first], parent) ?? findUnlinked(links, undefined)
        return fault === undefined ? last : yield* bad(fault)
      })
      return readLogsOfRange(bad, send, node, { from, to }, signatures, guards, check).pipe(
        Effect.map(({ checked, logs }) => ({ last: checked, logs }))
      )
    }),
  logsOfBlocks: (blocks) =>
    calls(
      blocks.map(({ hash }) => ({
        method: "eth_getLogs",
        params: [{ blockHash: hash, topics: [signatures] }],
        mayFail: true
      })),
      (replies) =>
        Effect.forEach(blocks, ({ hash, number }, index) =>
          logsIn(bad, replies[index], { from: number, to: number }).pipe(
            Effect.filterOrFail(
              (found) => found.every((log) => log.blockHash === hash),
              () => bad(`answered with logs of another branch for block ${number}`)
            )
          )
        ).pipe(Effect.map((logs) => logs.flat()))
    )
})

export const makeChainReader = Effect.fnUntraced(function* (
  http: HttpClient.HttpClient,
  config: IndexConfig
): Effect.fn.Return<ChainReader> {
  const { blockchain } = config
  const nodes = makeNodes(http, blockchain, config.rpc, nodesOptions)
  const keccak = yield* makeKeccak
  const { isEvent, mayHaveEvents, signatures } = makeEventFilter(config, keccak)
  const chainId = yield* Ref.make(config.chainId)

  const bad = (what: string) =>
    new BlockSourceError({ blockchain, reason: "BadResponse", message: `A node of "${blockchain}" ${what}.` })

  /** All nodes must be on the chain of the first response. */
  const checkChain = Effect.fnUntraced(function* (reply: unknown) {
    const stated = yield* Effect.mapError(decodeQuantity(reply), () => bad("stated no chain id"))
    const expected = yield* Ref.updateAndGet(chainId, (known) => known ?? stated)
    if (stated !== expected) return yield* bad(`belongs to chain ${stated}, and not to chain ${expected}`)
  })

  const isProven = config.verify !== "none"
  const ask = makeProvableReads(nodes, bad, config.rpc.length)
  const { existing, expectHashed, header } = yield* makeHeaderReads(bad, keccak, isProven)

  const sendAll = (send: Send, calls: ReadonlyArray<RpcCall>) =>
    Effect.map(
      Effect.forEach(Arr.chunksOf(calls, callsPerRequest), send, { concurrency: concurrentRequests }),
      (replies) => replies.flat()
    )

  /**
   * A development node that executes the next block answers calls as of its newest one with the state of the next. They
   * are sent again when it has that block.
   */
  const sendSettled = Effect.fnUntraced(function* (send: Send, calls: ReadonlyArray<RpcCall>) {
    if (calls.length === 0) return []
    const [before] = yield* send([headCall])
    const replies = yield* sendAll(send, calls)
    const [after] = yield* send([headCall])
    return before === after ? replies : yield* sendAll(send, calls)
  })

  const sendCalls = config.ephemeral === true ? sendSettled : sendAll

  const inRequests = <A>(calls: ReadonlyArray<RpcCall>, decode: (replies: ReadonlyArray<unknown>) => Reading<A>) =>
    nodes.ask((send) => Effect.flatMap(sendCalls(send, calls), decode))

  return {
    bad,
    avoidNode: nodes.avoid(),
    expectHashed,
    receipts: makeReceiptReads(ask, bad, keccak, isProven),
    isEvent,
    mayHaveEvents,
    calls: inRequests,
    ...makeHeadReads(config, { nodes, ask, bad, checkChain, existing, header }),
    ...makeHeaderQueries({ ask, bad, existing }),
    ...makeLogQueries({ ask, bad, calls: inRequests, checkChain, existing, signatures })
  }
})

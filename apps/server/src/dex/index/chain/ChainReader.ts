import { Effect, Ref } from "effect"
import type { HttpClient } from "effect/http"
import { BlockSourceError } from "../../../blocks/BlockSource.ts"
import { makeNodes } from "../../../blocks/rpc/Nodes.ts"
import type { NodesOptions } from "../../../blocks/rpc/Nodes.ts"
import { decodeQuantity } from "../../../blocks/rpc/RpcBlock.ts"
import { sendAll } from "../../../blocks/rpc/RpcCall.ts"
import type { RpcCall } from "../../../blocks/rpc/RpcCall.ts"
import type { BlockIdentity } from "../decode/ChainFacts.ts"
import type { BlockLog } from "../decode/RpcLog.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import { protocols, toProtocolId } from "../protocol/Protocols.ts"
import type { Checkpoint } from "../store/EntityStore.ts"
import { makeBloomTest } from "../verify/BlockHeader.ts"
import type { BlockHeader } from "../verify/BlockHeader.ts"
import { makeKeccak } from "../verify/Keccak.ts"
import type { Keccak } from "../verify/Keccak.ts"
import type { ReadBlock } from "../verify/Receipts.ts"
import { makeHeaderReads } from "./HeaderReads.ts"
import type { LinkedRange } from "./HeaderReads.ts"
import { makeHeadReads } from "./HeadReads.ts"
import type { HeadReading } from "./HeadReads.ts"
import { makeLogReads } from "./LogReads.ts"
import type { LogRangeError } from "./LogReads.ts"
import { makeProvableReads } from "./ProvableReads.ts"
import type { ReadParts } from "./ProvableReads.ts"
import { makeReceiptReads } from "./ReceiptReads.ts"
import { sendSettled } from "./SettledCalls.ts"

/** A range takes many requests: one that a rate limit refuses is repeated, instead of the whole range. */
const nodesOptions: NodesOptions = { rateLimitRetries: 6, timeoutMs: 60_000 }

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
    BlockSourceError | LogRangeError
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

/** Which logs and blocks may have events of a deployment. */
const makeEventFilter = (config: IndexConfig, keccak: Keccak) => {
  const { factoryTopics, poolTopics } = protocols[toProtocolId(config)]
  const signatures = [...factoryTopics, ...poolTopics]
  const onlyPool = config.onlyPool?.toLowerCase()
  const mayContain = makeBloomTest(keccak)
  return {
    signatures,
    /** Whether the log may be an event of a deployment. */
    isEvent: ({ topics: [signature] }: BlockLog): boolean => signature !== undefined && signatures.includes(signature),
    /** Whether the block may have events: false proves that it has none. */
    mayHaveEvents: ({ hashCheck, logsBloom, number }: BlockHeader): boolean =>
      hashCheck !== "passed" ||
      logsBloom === undefined ||
      (signatures.some((topic) => mayContain(logsBloom, topic)) &&
        (onlyPool === undefined || number === config.startBlock || mayContain(logsBloom, onlyPool)))
  }
}

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

  const parts: ReadParts = {
    readProvable: makeProvableReads(nodes, bad, config.rpc.length),
    bad,
    keccak,
    isProven: config.verify !== "none"
  }

  /** All nodes must be on the chain of the first response. */
  const checkChain = Effect.fnUntraced(function* (reply: unknown) {
    const stated = yield* Effect.mapError(decodeQuantity(reply), () => bad("stated no chain id"))
    const expected = yield* Ref.updateAndGet(chainId, (known) => known ?? stated)
    if (stated !== expected) return yield* bad(`belongs to chain ${stated}, and not to chain ${expected}`)
  })

  const { existing, header, ...headerReads } = yield* makeHeaderReads(parts)

  const sendCalls = config.ephemeral === true ? sendSettled : sendAll

  const calls: ChainReader["calls"] = (calls, decode) =>
    nodes.read((send) => Effect.flatMap(sendCalls(send, calls), decode))

  return {
    bad,
    avoidNode: nodes.avoid(),
    receipts: makeReceiptReads(parts),
    isEvent,
    mayHaveEvents,
    calls,
    ...makeHeadReads(config, { ...parts, nodes, checkChain, existing, header }),
    ...headerReads,
    ...makeLogReads({ ...parts, calls, checkChain, existing, signatures })
  }
})

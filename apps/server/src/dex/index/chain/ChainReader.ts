import { Duration, Effect, Ref } from "effect"
import type { HttpClient } from "effect/http"
import { BlockSourceError } from "../../../blocks/BlockSource.ts"
import { makeNodes } from "../../../blocks/rpc/Nodes.ts"
import type { NodesOptions } from "../../../blocks/rpc/Nodes.ts"
import { decodeQuantity } from "../../../blocks/rpc/RpcBlock.ts"
import { sendAll } from "../../../blocks/rpc/RpcCall.ts"
import type { RpcCall, Send } from "../../../blocks/rpc/RpcCall.ts"
import type { BlockLog } from "../decode/RpcLog.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import { protocols, toProtocolId } from "../protocol/Protocols.ts"
import { makeBloomTest } from "../verify/BlockHeader.ts"
import type { BlockHeader } from "../verify/BlockHeader.ts"
import { makeKeccak } from "../verify/Keccak.ts"
import type { Keccak } from "../verify/Keccak.ts"
import { makeHeaderReads } from "./HeaderReads.ts"
import { makeHeadReads } from "./HeadReads.ts"
import { makeLogReads } from "./LogReads.ts"
import { makeProvableReads } from "./ProvableReads.ts"
import type { ReadParts } from "./ProvableReads.ts"
import { makeReceiptReads } from "./ReceiptReads.ts"

/** A range takes many requests: one that a rate limit refuses is repeated, instead of the whole range. */
const nodesOptions: NodesOptions = { rateLimitRetries: 6, timeoutMs: 60_000 }

const headCall: RpcCall = { method: "eth_blockNumber", params: [] }
/** From the state of a block to its number anvil takes up to 5 ms; longer only if it gets no processor. */
const numberDelay = Duration.millis(20)

type Reading<A> = Effect.Effect<A, BlockSourceError>

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

/** Reads the chain from the nodes of one blockchain. Every response is validated before it is used. */
export const makeChainReader = Effect.fnUntraced(function* (http: HttpClient.HttpClient, config: IndexConfig) {
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

  /**
   * A development node that executes the next block answers calls as of its newest one with the state of the next. They
   * are sent again when it has that block, whose number it states a few milliseconds after its state.
   */
  const sendSettled = Effect.fnUntraced(function* (send: Send, calls: ReadonlyArray<RpcCall>) {
    if (calls.length === 0) return []
    const [before] = yield* send([headCall])
    const replies = yield* sendAll(send, calls)
    yield* Effect.sleep(numberDelay)
    const [after] = yield* send([headCall])
    return before === after ? replies : yield* sendAll(send, calls)
  })

  const sendCalls = config.ephemeral === true ? sendSettled : sendAll

  /** Decodes the results of calls. If `decode` fails, the next node is asked. */
  const calls = <A>(calls: ReadonlyArray<RpcCall>, decode: (replies: ReadonlyArray<unknown>) => Reading<A>) =>
    nodes.read((send) => Effect.flatMap(sendCalls(send, calls), decode))

  return {
    bad,
    /** Prefers other nodes than the last one for a while, because what it returned contradicts itself. */
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

export type ChainReader = Effect.Success<ReturnType<typeof makeChainReader>>

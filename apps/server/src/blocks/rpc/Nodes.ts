import { Effect, Option, Result, Schedule } from "effect"
import { HttpClient } from "effect/http"
import { monotonicMillis } from "../../internal/monotonic.ts"
import { BlockSourceError, isTransient } from "../BlockSource.ts"
import { finalizedBlock } from "./Finality.ts"
import { avoid, makeNode, rememberFailure, rememberSuccess, toNodeError } from "./Node.ts"
import type { Node } from "./Node.ts"
import { sendCalls } from "./NodeCalls.ts"
import type { NodeClient } from "./NodeCalls.ts"
import { decodeQuantity } from "./RpcBlock.ts"
import type { NodeMemory, Send } from "./RpcCall.ts"

/** The JSON-RPC nodes of one blockchain. */
export interface Nodes {
  /**
   * Runs a read on one node, so that all of its responses are of one view of the chain. If the read fails, be it because
   * the node fails or because its responses fail a check, it runs on the next node.
   */
  readonly read: <A, E = never>(
    read: (send: Send, node: NodeMemory) => Effect.Effect<A, E | BlockSourceError>
  ) => Effect.Effect<A, E | BlockSourceError>
  /** Prefers other nodes than this one for a while, or than the last one, because what it returned is contradicted. */
  readonly avoid: (node?: NodeMemory) => Effect.Effect<void>
  /** Compares the heads of the nodes, if there are several, so that those that are late are asked last. */
  readonly compareHeads: Effect.Effect<void>
  /** The lowest of the blocks that nodes call finalized, without those of late nodes. Undefined if no node states one. */
  readonly finalized: () => number | undefined
}

export interface NodesOptions {
  /** How often calls are sent again to a node that limits their rate. */
  readonly rateLimitRetries: number
  /** The limit of a read on all nodes, in milliseconds. */
  readonly timeoutMs: number
}

const maxRequestMs = 5000
const maxReadMs = 12_000
const compareEveryMs = 2000
const retries = Schedule.exponential("100 millis").pipe(Schedule.jittered, Schedule.upTo({ times: 3 }))

/** Reads the head of the node and its finalized block. A node that does not answer keeps those that it stated before. */
const readHead = Effect.fnUntraced(function* (send: Send, node: Node) {
  const answered = yield* send(finalizedBlock.addCall([{ method: "eth_blockNumber", params: [] }])).pipe(
    Effect.timeoutOption(compareEveryMs),
    Effect.option
  )
  const replies = Option.getOrElse(Option.flatten(answered), () => [])
  const stated = yield* Effect.option(decodeQuantity(replies[0]))
  if (Option.isNone(stated)) return
  const head = stated.value
  node.head = head
  finalizedBlock.remember(node, replies, head)
})

/** Nodes whose head is this many blocks behind the highest one are asked last. */
const toleratedLag = 3

/** A predicate for the nodes whose head is behind that of another one. */
const makeIsLate = (nodes: ReadonlyArray<Node>) => {
  const best = Math.max(...nodes.map(({ head }) => head ?? 0))
  return ({ head }: Node): boolean => head !== undefined && best - head > toleratedLag
}

/** Nodes that failed lately, and nodes whose head is behind, are asked last: first the one that is avoided no longer soonest. */
const sortNodes = (nodes: ReadonlyArray<Node>, preferred: Node | undefined, now: number): ReadonlyArray<Node> => {
  const isLate = makeIsLate(nodes)
  const rank = (node: Node): number =>
    (node.avoidedUntil > now ? 4 : node === preferred ? 0 : 1) + (isLate(node) ? 2 : 0)
  return nodes.toSorted((a, b) => rank(a) - rank(b) || a.avoidedUntil - b.avoidedUntil)
}

/** The lowest of the blocks that nodes call finalized, without those of late nodes. Undefined if no node states one. */
const findFinalized = (nodes: ReadonlyArray<Node>): number | undefined => {
  const isLate = makeIsLate(nodes)
  const stated = nodes.flatMap((node) => (isLate(node) ? [] : (node.finalized ?? [])))
  return stated.length === 0 ? undefined : Math.min(...stated)
}

/** The failure of all nodes, with every message. A rate limit says when to retry; other failures do not. */
const combineFailures = (blockchain: string, failures: ReadonlyArray<BlockSourceError>): BlockSourceError => {
  const limit = failures.find(({ reason }) => reason === "Busy")
  const chosen = limit ?? failures.at(-1) ?? toNodeError({ blockchain }, "Unavailable", "is not configured")
  const messages = new Set(failures.map(({ message }) => message))
  if (messages.size < 2) return chosen
  const { reason, retryAfterMs } = chosen
  return new BlockSourceError({
    blockchain,
    reason,
    message: [...messages].join(" "),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs })
  })
}

/** The nodes of one blockchain, and what is known of them. */
interface NodePool {
  readonly blockchain: string
  readonly client: NodeClient
  readonly nodes: ReadonlyArray<Node>
  /** The node that succeeded last is asked first. */
  preferred: Node | undefined
  /** By `monotonicMillis`: when the heads were compared. */
  comparedAt: number
}

const makePool = (
  http: HttpClient.HttpClient,
  blockchain: string,
  urls: ReadonlyArray<string>,
  rateLimitRetries: number
): NodePool => {
  const nodes = urls.map((url) => makeNode(blockchain, url))
  const requestTimeoutMs = Math.min(maxRequestMs, Math.floor(maxReadMs / Math.max(1, nodes.length)))
  const client = { http, requestTimeoutMs, rateLimitRetries }
  return { blockchain, client, nodes, preferred: nodes[0], comparedAt: Number.NEGATIVE_INFINITY }
}

const sendTo =
  ({ client }: NodePool, node: Node): Send =>
  (calls) =>
    sendCalls(client, node, calls)

/** Runs a read on one node after the other, until it succeeds. */
const readInOrder = Effect.fnUntraced(function* <A, E>(
  pool: NodePool,
  read: (send: Send, node: NodeMemory) => Effect.Effect<A, E | BlockSourceError>
): Effect.fn.Return<A, E | BlockSourceError> {
  const failures: Array<BlockSourceError> = []
  for (const node of sortNodes(pool.nodes, pool.preferred, yield* monotonicMillis)) {
    const result = yield* Effect.result(read(sendTo(pool, node), node))
    if (Result.isSuccess(result)) {
      pool.preferred = node
      rememberSuccess(node)
      return result.success
    }
    if (!(result.failure instanceof BlockSourceError)) return yield* Effect.fail(result.failure)
    yield* rememberFailure(node)
    failures.push(result.failure)
  }
  return yield* combineFailures(pool.blockchain, failures)
})

const compareHeads = Effect.fnUntraced(function* (pool: NodePool) {
  const now = yield* monotonicMillis
  if (pool.nodes.length < 2 || now - pool.comparedAt < compareEveryMs) return
  pool.comparedAt = now
  const readHeads = pool.nodes.map((node) => readHead(sendTo(pool, node), node))
  yield* Effect.all(readHeads, { concurrency: "unbounded", discard: true })
})

export const makeNodes = (
  http: HttpClient.HttpClient,
  blockchain: string,
  urls: ReadonlyArray<string>,
  { rateLimitRetries, timeoutMs }: NodesOptions = { rateLimitRetries: 0, timeoutMs: maxReadMs }
): Nodes => {
  const pool = makePool(http, blockchain, urls, rateLimitRetries)
  return {
    read: (read) =>
      readInOrder(pool, read).pipe(
        Effect.retry({ schedule: retries, while: (error) => error instanceof BlockSourceError && isTransient(error) }),
        Effect.timeoutOrElse({
          duration: timeoutMs,
          orElse: () => Effect.fail(toNodeError({ blockchain }, "Timeout", `did not answer within ${timeoutMs} ms`))
        }),
        // The URL of a node may contain its key: the read is traced, not its requests.
        Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
        Effect.withSpan("Nodes.read", { attributes: { blockchain } })
      ),
    avoid: (memory) =>
      Effect.suspend(() => {
        const node = pool.nodes.find((one) => one === (memory ?? pool.preferred))
        return node === undefined ? Effect.void : avoid(node)
      }),
    compareHeads: compareHeads(pool),
    finalized: () => findFinalized(pool.nodes)
  }
}

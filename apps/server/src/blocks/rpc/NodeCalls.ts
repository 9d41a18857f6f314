import { Array as Arr, Effect, Result } from "effect"
import type { HttpClient } from "effect/http"
import type { BlockSourceError } from "../BlockSource.ts"
import { acceptBatch, refuseBatch } from "./BatchLimit.ts"
import type { Node } from "./Node.ts"
import { pause, toNodeError, toRateLimitError, waitForPause } from "./Node.ts"
import { sendRequest } from "./NodeRequest.ts"
import type { ResponseSizeError, BatchSizeError, Replies } from "./NodeRequest.ts"
import type { RpcCall } from "./RpcCall.ts"
import { findDemandedMs } from "./RpcRefusal.ts"

export interface NodeClient {
  readonly http: HttpClient.HttpClient
  /** The limit of one request, in milliseconds. */
  readonly requestTimeoutMs: number
  /** How often calls are sent again to a node that limits their rate. */
  readonly rateLimitRetries: number
}

type Results = ReadonlyArray<unknown>

const concurrentRequests = 4
/** If a node demands a longer pause, the read fails, and says how long. */
const maxDemandMs = 10_000

/** Sends only the calls again that the node refused because of its limit. */
const repeatLimited = Effect.fnUntraced(function* (
  client: NodeClient,
  node: Node,
  calls: ReadonlyArray<RpcCall>,
  { limits, results }: Replies,
  attempt: number
): Effect.fn.Return<Results, BlockSourceError> {
  const refused = calls.filter((_, id) => limits.has(id))
  if (attempt > client.rateLimitRetries) {
    // A persistent limit on one call may be meant for its range: the caller can ask for less.
    if (!refused.every(({ mayFail }) => mayFail === true)) return yield* toRateLimitError(node)
    return calls.map((_, id) => limits.get(id) ?? results.get(id))
  }
  const demandedMs = Math.max(...[...limits.values()].map(({ message }) => findDemandedMs(message) ?? 0))
  if (demandedMs > maxDemandMs) return yield* toRateLimitError(node, demandedMs)
  yield* pause(node, attempt, demandedMs)
  const repeated = yield* sendCalls(client, node, refused, results.size > 0 ? 1 : attempt + 1)
  for (const [index, id] of [...limits.keys()].entries()) results.set(id, repeated[index])
  return calls.map((_, id) => results.get(id))
})

/** Sends calls that fit into one request. */
const sendBatch = Effect.fnUntraced(function* (
  client: NodeClient,
  node: Node,
  calls: ReadonlyArray<RpcCall>,
  attempt: number
): Effect.fn.Return<Results, BlockSourceError | BatchSizeError | ResponseSizeError> {
  yield* waitForPause(node)
  const sent = yield* Effect.result(sendRequest(client.http, client.requestTimeoutMs, node, calls))
  if (Result.isSuccess(sent)) {
    acceptBatch(node, calls.length)
    const { limits, results } = sent.success
    if (limits.size > 0) return yield* repeatLimited(client, node, calls, sent.success, attempt)
    return calls.map((_, id) => results.get(id))
  }
  const { failure } = sent
  if (failure._tag !== "BlockSourceError" || failure.reason !== "Busy") return yield* failure
  if (attempt > client.rateLimitRetries || (failure.retryAfterMs ?? 0) > maxDemandMs) return yield* failure
  yield* pause(node, attempt, failure.retryAfterMs)
  return yield* sendBatch(client, node, calls, attempt + 1)
})

/** Sends a refused batch in smaller ones, and remembers the size; a batch of one call is sent as a call. */
const divide = Effect.fnUntraced(function* (
  client: NodeClient,
  node: Node,
  batch: ReadonlyArray<RpcCall>,
  isBatched: boolean
): Effect.fn.Return<Results, BlockSourceError> {
  if (batch.length > 1) {
    refuseBatch(node, batch.length)
    return yield* sendCalls(client, node, batch)
  }
  if (!isBatched) return yield* toNodeError(node, "BadResponse", "refuses a request of one call")
  const before = node.batchSize
  node.batchSize = 0
  return yield* Effect.onError(sendCalls(client, node, batch), () =>
    // A call at the same time may have set it back already.
    Effect.sync(() => void (node.batchSize = Math.max(node.batchSize, before)))
  )
})

/** The size of responses depends on the calls: the size of the next batches stays. */
const halve = (
  client: NodeClient,
  node: Node,
  batch: ReadonlyArray<RpcCall>
): Effect.Effect<Results, BlockSourceError> => {
  const half = Math.ceil(batch.length / 2)
  return Effect.zipWith(
    sendCalls(client, node, batch.slice(0, half)),
    sendCalls(client, node, batch.slice(half)),
    (one, other) => [...one, ...other]
  )
}

/** Sends calls in batches that the node takes. */
export const sendCalls = (
  client: NodeClient,
  node: Node,
  calls: ReadonlyArray<RpcCall>,
  attempt = 1
): Effect.Effect<Results, BlockSourceError> => {
  const isBatched = node.batchSize > 0
  return Effect.forEach(
    Arr.chunksOf(calls, Math.max(1, node.batchSize)),
    (batch) =>
      sendBatch(client, node, batch, attempt).pipe(
        Effect.catchTags({
          BatchSizeError: () => divide(client, node, batch, isBatched),
          ResponseSizeError: () => halve(client, node, batch)
        })
      ),
    { concurrency: concurrentRequests }
  ).pipe(Effect.map((results) => results.flat()))
}

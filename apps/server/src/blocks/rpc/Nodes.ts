import { Array as Arr, Clock, Data, Effect, Option, Predicate, Result, Schedule, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import type { HttpClientResponse } from "effect/http"
import { backoffMs } from "../../internal/backoff.ts"
import { discardAnswer, readAnswerText } from "../../sources/AnswerText.ts"
import type { AnswerBounds } from "../../sources/JsonMeter.ts"
import { retryAfterMs } from "../../sources/RetryAfter.ts"
import { failureOfStatus } from "../../sources/SourceFailure.ts"
import type { SourceFailure } from "../../sources/SourceFailure.ts"
import { quotable } from "../../sources/UpstreamText.ts"
import { BlockSourceError } from "../BlockSource.ts"
import { finalizedCall, rememberFinalized } from "./Finality.ts"
import { RpcFault } from "./RpcCall.ts"
import type { NodeMemory, RpcCall, Send } from "./RpcCall.ts"
import { findDemandedMs, isBatchLimit, isRateLimit } from "./RpcRefusal.ts"

/** The JSON-RPC nodes of one blockchain. */
export interface Nodes {
  /**
   * Runs a read on one node, so that all of its responses are of one view of the chain. If the read fails, be it because
   * the node fails or because its responses fail a check, it runs on the next node.
   */
  readonly ask: <A, E = never>(
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

const Reply = Schema.Struct({
  id: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  result: Schema.optionalKey(Schema.Unknown),
  error: Schema.optionalKey(Schema.Struct({ code: Schema.Int, message: Schema.String }))
})
type Reply = typeof Reply.Type
const decodeReplies = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Union([Schema.Array(Reply), Reply])))

/** The node takes no batch of this size. */
class BatchRefused extends Data.TaggedError("BatchRefused") {}

/** The answer to a request is larger than `mostOfAnswer`. */
class AnswerTooLarge extends Data.TaggedError("AnswerTooLarge")<{ readonly what: string }> {}

interface Node extends NodeMemory {
  readonly url: string
  /** The largest batch that is sent to it; 0 if it takes single calls only. */
  batchSize: number
  /** The largest batch that it took, and the smallest that it refused: the limit is searched between them. */
  takenBatch: number
  refusedBatch: number
  /** Until when other nodes are asked first. */
  avoidedUntil: number
  /** Until when nothing is sent to it, because it limits the rate. */
  pausedUntil: number
  failures: number
  /** Its newest block when the heads were compared. */
  head: number | undefined
}

const longestAttemptMs = 5000
const wholeMs = 12_000
const largestBatch = 100
const mostOfAnswer: AnswerBounds = { bytes: 32 * 1024 * 1024, values: 1_000_000 }
const concurrentRequests = 4
/** Nodes whose head is this many blocks behind the highest one are asked last. */
const toleratedLag = 3
const compareEveryMs = 2000
const standardWaitMs = 1000
/** If a node demands a longer pause, the read fails, and says how long. */
const longestDemandMs = 10_000
const limited = { firstMs: 100, longestMs: 3200 }
const avoided = { firstMs: 1000, longestMs: 60_000 }
const retries = Schedule.exponential("100 millis").pipe(Schedule.jittered, Schedule.upTo({ times: 3 }))

const bisectBatch = (node: Node): void => {
  node.batchSize = Math.floor((node.takenBatch + node.refusedBatch) / 2)
}

const acceptBatch = (node: Node, calls: number): void => {
  if (calls <= node.takenBatch || calls >= node.refusedBatch) return
  node.takenBatch = calls
  if (calls === node.batchSize) bisectBatch(node)
}

const refuseBatch = (node: Node, calls: number): void => {
  if (calls <= node.takenBatch) node.takenBatch = 0
  node.refusedBatch = Math.min(node.refusedBatch, calls)
  bisectBatch(node)
}

const toHead = (reply: unknown): number | undefined =>
  typeof reply === "string" && /^0x[0-9a-f]{1,13}$/i.test(reply) ? Number(reply) : undefined

const toFields = ({ blockchain, message, reason, retryAfterMs }: BlockSourceError) => ({
  blockchain,
  reason,
  message,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs })
})

/** A predicate for the nodes whose head is behind that of another one. */
const findLate = (nodes: ReadonlyArray<Node>) => {
  const best = Math.max(...nodes.map(({ head }) => head ?? 0))
  return ({ head }: Node): boolean => head !== undefined && best - head > toleratedLag
}

/** Nodes that failed lately, and nodes whose head is behind, are asked last: first the one that is avoided no longer soonest. */
const inOrder = (nodes: ReadonlyArray<Node>, preferred: Node | undefined, now: number): ReadonlyArray<Node> => {
  const isLate = findLate(nodes)
  const rank = (node: Node): number =>
    (node.avoidedUntil > now ? 4 : node === preferred ? 0 : 1) + (isLate(node) ? 2 : 0)
  return nodes.toSorted((a, b) => rank(a) - rank(b) || a.avoidedUntil - b.avoidedUntil)
}

export const makeNodes = (
  http: HttpClient.HttpClient,
  blockchain: string,
  urls: ReadonlyArray<string>,
  { rateLimitRetries, timeoutMs }: NodesOptions = { rateLimitRetries: 0, timeoutMs: wholeMs }
): Nodes => {
  const nodes = urls.map((url): Node => ({
    url,
    lacks: new Set(),
    finalized: undefined,
    logBlocks: Number.MAX_SAFE_INTEGER,
    logQueries: 0,
    batchSize: largestBatch,
    takenBatch: 0,
    refusedBatch: largestBatch + 1,
    avoidedUntil: 0,
    pausedUntil: 0,
    failures: 0,
    head: undefined
  }))
  const attemptMs = Math.min(longestAttemptMs, Math.floor(wholeMs / Math.max(1, nodes.length)))
  /** The node that succeeded last is asked first. */
  let preferred = nodes[0]
  let comparedAt = Number.NEGATIVE_INFINITY

  const failed = (reason: SourceFailure, message: string, retryAfter?: number) =>
    new BlockSourceError({
      blockchain,
      reason,
      message: `A node of "${blockchain}" ${message}.`,
      ...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter })
    })
  const busy = (retryAfter = standardWaitMs) => failed("Busy", "limits the service", retryAfter)

  const readResponse = Effect.fnUntraced(function* (
    response: HttpClientResponse.HttpClientResponse,
    isBatch: boolean,
    url: string
  ) {
    const { headers, status } = response
    const failure = failureOfStatus(status)
    if (failure !== undefined) yield* discardAnswer(response)
    if (isBatch && (status === 400 || status === 413)) return yield* new BatchRefused()
    if (failure === "Busy") {
      const wait = retryAfterMs(headers["retry-after"], yield* Clock.currentTimeMillis)
      return yield* busy(Option.getOrUndefined(wait))
    }
    if (failure !== undefined) return yield* failed(failure, `answered with status ${status}`)
    const text = yield* readAnswerText(response, mostOfAnswer).pipe(
      Effect.mapError(({ isTooLarge, what }) =>
        isTooLarge ? new AnswerTooLarge({ what }) : failed("Unavailable", what)
      )
    )
    const replies = yield* decodeReplies(text).pipe(
      Effect.mapError(() => failed("BadResponse", "answered with something that is no JSON-RPC batch"))
    )
    return Arr.ensure<Reply>(replies).map(({ error, ...reply }): Reply =>
      error === undefined ? reply : { ...reply, error: { ...error, message: quotable(error.message, url) } }
    )
  })

  const post = Effect.fnUntraced(function* (node: Node, calls: ReadonlyArray<RpcCall>) {
    const all = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }))
    const isBatch = node.batchSize > 0 || calls.length > 1
    const request = HttpClientRequest.post(node.url).pipe(HttpClientRequest.bodyJsonUnsafe(isBatch ? all : all[0]))
    const replies = yield* http.execute(request).pipe(
      Effect.mapError(() => failed("Unavailable", "cannot be reached")),
      Effect.flatMap((response) => readResponse(response, isBatch, node.url)),
      Effect.timeoutOrElse({
        duration: attemptMs,
        orElse: () => Effect.fail(failed("Timeout", `did not answer within ${attemptMs} ms`))
      })
    )
    const [only] = replies
    if (calls.length > 1 && replies.length === 1 && only?.error !== undefined) {
      return yield* isRateLimit(only.error) ? busy(findDemandedMs(only.error.message)) : new BatchRefused()
    }
    if (replies.length > 0 && replies.length < calls.length) return yield* new BatchRefused()
    const byId = new Map(replies.map((reply) => [reply.id ?? 0, reply]))
    return byId.size < replies.length ? yield* failed("BadResponse", "answered one call more than once") : byId
  })

  /** A call whose answer is too large is refused as some nodes do it: the caller can ask for less. */
  const refuseExcess = Effect.fnUntraced(function* (calls: ReadonlyArray<RpcCall>, error: AnswerTooLarge) {
    if (calls.length > 1) return yield* error
    if (calls[0]?.mayFail !== true) return yield* failed("BadResponse", error.what)
    const refusal = { code: -32_005, message: `the response is too large: ${error.what}` }
    return new Map<number, Reply>([[0, { id: 0, error: refusal }]])
  })

  /** The results by position in `calls`; without those of the calls that the node did not answer because of its limit. */
  const sendOnce = Effect.fnUntraced(function* (node: Node, calls: ReadonlyArray<RpcCall>) {
    const results = new Map<number, unknown>()
    const limits = new Map<number, RpcFault>()
    const replies = yield* Effect.catchTag(post(node, calls), "AnswerTooLarge", (error) => refuseExcess(calls, error))
    for (const [id, { mayFail }] of calls.entries()) {
      const reply = replies.get(id)
      if (reply === undefined) return yield* failed("BadResponse", "left out a part of its answer")
      const { error } = reply
      if (error === undefined && reply.result === undefined) {
        return yield* failed("BadResponse", "answered a call with neither a result nor an error")
      }
      if (error === undefined) results.set(id, reply.result)
      else if (isRateLimit(error)) limits.set(id, new RpcFault(error))
      else if (calls.length > 1 && isBatchLimit(error)) return yield* new BatchRefused()
      else if (mayFail === true) results.set(id, new RpcFault(error))
      else return yield* failed("BadResponse", `answered the error ${error.code}`)
    }
    return { results, limits }
  })

  /** Pauses the node, for concurrent requests too. */
  const pause = Effect.fnUntraced(function* (node: Node, attempt: number, demandedMs = 0) {
    const wait = yield* backoffMs(attempt, limited, demandedMs)
    node.pausedUntil = Math.max(node.pausedUntil, (yield* Clock.currentTimeMillis) + wait)
  })

  const untilPauseEnds = Effect.fnUntraced(function* (node: Node) {
    const rest = node.pausedUntil - (yield* Clock.currentTimeMillis)
    if (rest > 0) yield* Effect.sleep(rest)
  })

  /** Sends calls that fit into one request. Repeats only the calls that the node refused because of its limit. */
  const sendBatch = (
    node: Node,
    calls: ReadonlyArray<RpcCall>,
    attempt = 1
  ): Effect.Effect<ReadonlyArray<unknown>, BlockSourceError | BatchRefused | AnswerTooLarge> =>
    Effect.gen(function* () {
      yield* untilPauseEnds(node)
      const sent = yield* Effect.result(sendOnce(node, calls))
      if (Result.isFailure(sent)) {
        const { failure } = sent
        if (failure._tag !== "BlockSourceError") return yield* failure
        if (failure.reason !== "Busy" || attempt > rateLimitRetries) return yield* failure
        if ((failure.retryAfterMs ?? 0) > longestDemandMs) return yield* failure
        yield* pause(node, attempt, failure.retryAfterMs)
        return yield* sendBatch(node, calls, attempt + 1)
      }
      if (node.batchSize > 0) acceptBatch(node, calls.length)
      const { limits, results } = sent.success
      if (limits.size > 0) {
        const refused = calls.filter((_, id) => limits.has(id))
        // A persistent limit on one call may be meant for its range: the caller can ask for less.
        const isFinal = attempt > rateLimitRetries
        if (isFinal && !refused.every(({ mayFail }) => mayFail === true)) return yield* busy()
        if (isFinal) for (const [id, fault] of limits) results.set(id, fault)
        else {
          const demandedMs = Math.max(...[...limits.values()].map(({ message }) => findDemandedMs(message) ?? 0))
          if (demandedMs > longestDemandMs) return yield* busy(demandedMs)
          yield* pause(node, attempt, demandedMs)
          const rest = yield* send(node)(refused, results.size > 0 ? 1 : attempt + 1)
          for (const [index, id] of [...limits.keys()].entries()) results.set(id, rest[index])
        }
      }
      return calls.map((_, id) => results.get(id))
    })

  /**
   * Sends calls in batches that the node takes. A refused batch is divided, and the size is remembered; a batch of one call
   * is sent as a call.
   */
  const send =
    (node: Node) =>
    (calls: ReadonlyArray<RpcCall>, attempt = 1): Effect.Effect<ReadonlyArray<unknown>, BlockSourceError> => {
      const isBatched = node.batchSize > 0
      const divide = (batch: ReadonlyArray<RpcCall>): Effect.Effect<ReadonlyArray<unknown>, BlockSourceError> =>
        Effect.suspend(() => {
          if (batch.length === 1 && !isBatched)
            return Effect.fail(failed("BadResponse", "refuses a request of one call"))
          if (batch.length > 1) {
            refuseBatch(node, batch.length)
            return send(node)(batch)
          }
          const before = node.batchSize
          node.batchSize = 0
          return Effect.tapError(send(node)(batch), () => Effect.sync(() => void (node.batchSize = before)))
        })
      // The size of answers depends on the calls: the size of the next batches stays.
      const halve = (batch: ReadonlyArray<RpcCall>) => {
        const half = Math.ceil(batch.length / 2)
        return Effect.zipWith(send(node)(batch.slice(0, half)), send(node)(batch.slice(half)), (one, other) => [
          ...one,
          ...other
        ])
      }
      return Effect.forEach(
        Arr.chunksOf(calls, Math.max(1, node.batchSize)),
        (batch) =>
          sendBatch(node, batch, attempt).pipe(
            Effect.catchTags({ BatchRefused: () => divide(batch), AnswerTooLarge: () => halve(batch) })
          ),
        { concurrency: concurrentRequests }
      ).pipe(Effect.map((results) => results.flat()))
    }

  /** The failure of all nodes, with every message. A rate limit says when to retry; other failures do not. */
  const combine = (failures: ReadonlyArray<BlockSourceError>): BlockSourceError => {
    const limit = failures.find(({ reason }) => reason === "Busy")
    const chosen = limit ?? failures.at(-1) ?? failed("Unavailable", "is not configured")
    const messages = new Set(failures.map(({ message }) => message))
    return messages.size < 2 ? chosen : new BlockSourceError({ ...toFields(chosen), message: [...messages].join(" ") })
  }

  const askAny = Effect.fnUntraced(function* <A, E>(
    run: (sendCalls: Send, node: NodeMemory) => Effect.Effect<A, E | BlockSourceError>
  ): Effect.fn.Return<A, E | BlockSourceError> {
    const failures: Array<BlockSourceError> = []
    for (const node of inOrder(nodes, preferred, yield* Clock.currentTimeMillis)) {
      const result = yield* Effect.result(run(send(node), node))
      if (Result.isSuccess(result)) {
        preferred = node
        node.failures = 0
        node.avoidedUntil = 0
        return result.success
      }
      if (!(result.failure instanceof BlockSourceError)) return yield* Effect.fail(result.failure)
      node.failures += 1
      node.avoidedUntil = (yield* Clock.currentTimeMillis) + (yield* backoffMs(node.failures, avoided))
      failures.push(result.failure)
    }
    return yield* combine(failures)
  })

  const isTransient = (error: unknown): boolean =>
    error instanceof BlockSourceError && (error.reason === "Timeout" || error.reason === "Unavailable")

  return {
    ask: (run) =>
      askAny(run).pipe(
        Effect.retry({ schedule: retries, while: isTransient }),
        Effect.timeoutOrElse({
          duration: timeoutMs,
          orElse: () => Effect.fail(failed("Timeout", `did not answer within ${timeoutMs} ms`))
        }),
        // The URL of a node may contain its key: the read is traced, not its requests.
        Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
        Effect.withSpan("Nodes.ask", { attributes: { blockchain } })
      ),
    avoid: (node = preferred) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const found = nodes.find((one) => one === node)
        if (found !== undefined) found.avoidedUntil = now + avoided.longestMs
      }),
    compareHeads: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (nodes.length < 2 || now - comparedAt < compareEveryMs) return
      comparedAt = now
      yield* Effect.forEach(
        nodes,
        (node) =>
          send(node)([{ method: "eth_blockNumber", params: [] }, finalizedCall]).pipe(
            Effect.timeoutOption(compareEveryMs),
            Effect.option,
            Effect.map((found) => {
              const [reply, finalized] = Option.getOrUndefined(Option.flatten(found)) ?? []
              const head = toHead(reply)
              if (head === undefined) return
              node.head = head
              rememberFinalized(node, finalized, head)
            })
          ),
        { concurrency: "unbounded", discard: true }
      )
    }),
    finalized: () => {
      const isLate = findLate(nodes)
      const stated = nodes.flatMap((node) => (isLate(node) ? [] : (node.finalized ?? [])))
      return stated.length === 0 ? undefined : Math.min(...stated)
    }
  }
}

/** Whether a response is the `null` that means "no such block". */
export const isAbsent = Predicate.isNullish

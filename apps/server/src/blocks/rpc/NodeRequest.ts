import { Array as Arr, Clock, Data, Effect, Option, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import type { HttpClient, HttpClientResponse } from "effect/http"
import type { ResponseBounds } from "../../sources/JsonMeter.ts"
import { discardResponse, readResponseText } from "../../sources/ResponseText.ts"
import { parseRetryAfter } from "../../sources/RetryAfter.ts"
import { toSourceFailure } from "../../sources/SourceFailure.ts"
import { toQuotable } from "../../sources/UpstreamText.ts"
import type { BlockSourceError } from "../BlockSource.ts"
import type { Node } from "./Node.ts"
import { toNodeError, toRateLimitError } from "./Node.ts"
import { OversizedReply, RpcFault, toErrorText } from "./RpcCall.ts"
import type { RpcCall } from "./RpcCall.ts"
import { findDemandedMs, toRefused } from "./RpcRefusal.ts"

/** The node takes no batch of this size. */
export class BatchSizeError extends Data.TaggedError("BatchSizeError") {
  override get message(): string {
    return "The node takes no batch of this size: divide it."
  }
}

/** The response to a request is larger than `maxResponse`. */
export class ResponseSizeError extends Data.TaggedError("ResponseSizeError")<{ readonly what: string }> {
  override get message(): string {
    return `The node ${this.what}: ask for less in one request.`
  }
}

const maxResponse: ResponseBounds = { bytes: 32 * 1024 * 1024, values: 1_000_000 }

const Reply = Schema.Struct({
  id: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  result: Schema.optionalKey(Schema.Unknown),
  error: Schema.optionalKey(Schema.NullOr(Schema.Struct({ code: Schema.Int, message: Schema.String })))
})
/** An error of `null` is none. */
type Reply = Omit<typeof Reply.Type, "error"> & { readonly error?: { readonly code: number; readonly message: string } }
const decodeReplies = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Union([Schema.Array(Reply), Reply])))

const readResponse = Effect.fnUntraced(function* (
  node: Node,
  response: HttpClientResponse.HttpClientResponse,
  isBatch: boolean
) {
  const { headers, status } = response
  const failure = toSourceFailure(status)
  if (failure !== undefined) yield* discardResponse(response)
  if (isBatch && (status === 400 || status === 413)) return yield* new BatchSizeError()
  if (failure === "Busy") {
    const wait = parseRetryAfter(headers["retry-after"], yield* Clock.currentTimeMillis)
    return yield* toRateLimitError(node, Option.getOrUndefined(wait))
  }
  if (failure !== undefined) return yield* toNodeError(node, failure, `answered with status ${status}`)
  const text = yield* readResponseText(response, maxResponse).pipe(
    Effect.mapError(({ isTooLarge, what }) =>
      isTooLarge ? new ResponseSizeError({ what }) : toNodeError(node, "Unavailable", what)
    )
  )
  const replies = yield* decodeReplies(text).pipe(
    Effect.mapError(() => toNodeError(node, "BadResponse", "answered with something that is no JSON-RPC response"))
  )
  return Arr.ensure<typeof Reply.Type>(replies).map(({ error, ...reply }): Reply =>
    error === undefined || error === null
      ? reply
      : { ...reply, error: { ...error, message: toQuotable(error.message, node.url) } }
  )
})

const post = Effect.fnUntraced(function* (
  http: HttpClient.HttpClient,
  timeoutMs: number,
  node: Node,
  calls: ReadonlyArray<RpcCall>
) {
  const all = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }))
  const isBatch = node.batchSize > 0 || calls.length > 1
  const request = HttpClientRequest.post(node.url).pipe(HttpClientRequest.bodyJsonUnsafe(isBatch ? all : all[0]))
  const replies = yield* http.execute(request).pipe(
    Effect.mapError(() => toNodeError(node, "Unavailable", "cannot be reached")),
    Effect.flatMap((response) => readResponse(node, response, isBatch)),
    Effect.timeoutOrElse({
      duration: timeoutMs,
      orElse: () => Effect.fail(toNodeError(node, "Timeout", `did not answer within ${timeoutMs} ms`))
    })
  )
  const [only] = replies
  if (calls.length > 1 && replies.length === 1 && only?.error !== undefined) {
    return yield* toRefused(only.error) === "rate"
      ? toRateLimitError(node, findDemandedMs(only.error.message))
      : new BatchSizeError()
  }
  if (replies.length > 0 && replies.length < calls.length) return yield* new BatchSizeError()
  const byId = new Map(replies.map((reply) => [reply.id ?? 0, reply]))
  if (byId.size < replies.length) return yield* toNodeError(node, "BadResponse", "answered one call more than once")
  return byId
})

/** Callers of the service read the failure, so that only the log quotes the node: after a success as a warning. */
const reportError = Effect.fnUntraced(function* (node: Node, error: NonNullable<Reply["error"]>) {
  const log = node.failures === 0 ? Effect.logWarning : Effect.logDebug
  yield* log(`A node of "${node.blockchain}" ${toErrorText(error)}.`)
  return yield* toNodeError(node, "BadResponse", `answered the error ${error.code}`)
})

/** By position among the calls of a request. */
export interface Replies {
  readonly results: Map<number, unknown>
  /** The calls that the node did not answer because it limits the rate. */
  readonly limits: ReadonlyMap<number, RpcFault>
}

const toReplies = Effect.fnUntraced(function* (
  node: Node,
  calls: ReadonlyArray<RpcCall>,
  replies: ReadonlyMap<number, Reply>
): Effect.fn.Return<Replies, BlockSourceError | BatchSizeError> {
  const results = new Map<number, unknown>()
  const limits = new Map<number, RpcFault>()
  for (const [id, { mayFail }] of calls.entries()) {
    const reply = replies.get(id)
    if (reply === undefined) return yield* toNodeError(node, "BadResponse", "left out a part of its answer")
    const { error } = reply
    if (error === undefined && reply.result === undefined) {
      return yield* toNodeError(node, "BadResponse", "answered a call with neither a result nor an error")
    }
    if (error === undefined) results.set(id, reply.result)
    else if (toRefused(error) === "rate") limits.set(id, new RpcFault(error))
    else if (calls.length > 1 && toRefused(error) === "batch") return yield* new BatchSizeError()
    else if (mayFail === true) results.set(id, new RpcFault(error))
    else return yield* reportError(node, error)
  }
  return { results, limits }
})

/** A single call may fail with it: its caller can ask for less. */
const toOversized = (
  node: Node,
  calls: ReadonlyArray<RpcCall>,
  error: ResponseSizeError
): Effect.Effect<Replies, BlockSourceError | ResponseSizeError> => {
  if (calls.length > 1) return Effect.fail(error)
  if (calls[0]?.mayFail !== true) return Effect.fail(toNodeError(node, "BadResponse", error.what))
  return Effect.succeed({ results: new Map([[0, new OversizedReply({ what: error.what })]]), limits: new Map() })
}

/** Sends calls in one request. */
export const sendRequest = (
  http: HttpClient.HttpClient,
  timeoutMs: number,
  node: Node,
  calls: ReadonlyArray<RpcCall>
): Effect.Effect<Replies, BlockSourceError | BatchSizeError | ResponseSizeError> =>
  post(http, timeoutMs, node, calls).pipe(
    Effect.flatMap((replies) => toReplies(node, calls, replies)),
    Effect.catchTag("ResponseSizeError", (error) => toOversized(node, calls, error))
  )

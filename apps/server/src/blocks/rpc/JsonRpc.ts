import { Clock, Data, Effect, Option, Predicate, Result, Schedule, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import type { HttpClientResponse } from "effect/http"
import { retryAfterMs } from "../../sources/RetryAfter.ts"
import { failureOfStatus } from "../../sources/SourceFailure.ts"
import type { SourceFailure } from "../../sources/SourceFailure.ts"
import { BlockSourceError } from "../BlockSource.ts"

/** A call of JSON-RPC. */
export interface RpcCall {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
  /** An error response to this call becomes a `RpcFault` result instead of failing the whole batch. */
  readonly mayFail?: true
}

/** The error response to one call. */
export class RpcFault extends Data.Class<{ readonly code: number; readonly message: string }> {}

const Replies = Schema.Array(
  Schema.Struct({
    id: Schema.Int,
    result: Schema.optionalKey(Schema.Unknown),
    error: Schema.optionalKey(Schema.Struct({ code: Schema.Int, message: Schema.String }))
  })
)
const decodeReplies = Schema.decodeUnknownEffect(Schema.fromJsonString(Replies))

const longestAttemptMs = 5000
const wholeMs = 12_000
/** Error codes that report a rate limit. */
const limitCodes: ReadonlyArray<number> = [-32_005, -32_029]
const retries = Schedule.exponential("100 millis").pipe(Schedule.jittered, Schedule.upTo({ times: 3 }))

const standardWaitMs = 1000

/**
 * Sends batches to the nodes of one blockchain: if one node fails, to the next, and if all fail, again after a delay.
 */
export const makeJsonRpc = (http: HttpClient.HttpClient, blockchain: string, nodes: ReadonlyArray<string>) => {
  const attemptMs = Math.min(longestAttemptMs, Math.floor(wholeMs / Math.max(1, nodes.length)))
  /** The node that succeeded last is used first. */
  let preferred = 0

  const failed = (reason: SourceFailure, message: string, retryAfterMs?: number) =>
    new BlockSourceError({
      blockchain,
      reason,
      message: `A node of "${blockchain}" ${message}.`,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs })
    })

  const read = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
    const failure = failureOfStatus(response.status)
    if (failure === "Busy") {
      const wait = retryAfterMs(response.headers["retry-after"], yield* Clock.currentTimeMillis)
      return yield* failed(
        failure,
        "limits the service",
        Option.getOrElse(wait, () => standardWaitMs)
      )
    }
    if (failure !== undefined) return yield* failed(failure, `answered with status ${response.status}`)
    const text = yield* response.text.pipe(Effect.mapError(() => failed("Unavailable", "cut its answer off")))
    return yield* decodeReplies(text).pipe(
      Effect.mapError(() => failed("BadResponse", "answered with something that is no JSON-RPC batch"))
    )
  })

  const send = Effect.fnUntraced(function* (node: string, calls: ReadonlyArray<RpcCall>) {
    const request = HttpClientRequest.post(node).pipe(
      HttpClientRequest.bodyJsonUnsafe(calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params })))
    )
    const replies = yield* http.execute(request).pipe(
      Effect.mapError(() => failed("Unavailable", "cannot be reached")),
      Effect.flatMap(read),
      Effect.timeoutOrElse({
        duration: attemptMs,
        orElse: () => Effect.fail(failed("Timeout", `did not answer within ${attemptMs} ms`))
      })
    )
    const byId = new Map(replies.map((reply) => [reply.id, reply]))
    const results: Array<unknown> = []
    for (const [id, { mayFail }] of calls.entries()) {
      const reply = byId.get(id)
      if (reply === undefined) return yield* failed("BadResponse", "left out a part of its answer")
      if (reply.error !== undefined && limitCodes.includes(reply.error.code)) {
        return yield* failed("Busy", "limits the service", standardWaitMs)
      }
      if (reply.error !== undefined && mayFail !== true) {
        return yield* failed("BadResponse", `answered the error ${reply.error.code}`)
      }
      results.push(reply.error === undefined ? reply.result : new RpcFault(reply.error))
    }
    return results
  })

  const sendToAny = Effect.fnUntraced(function* (calls: ReadonlyArray<RpcCall>) {
    const failures: Array<BlockSourceError> = []
    const first = preferred
    for (let turn = 0; turn < nodes.length; turn++) {
      const index = (first + turn) % nodes.length
      const result = yield* Effect.result(send(nodes[index] ?? "", calls))
      if (Result.isSuccess(result)) {
        preferred = index
        return result.success
      }
      failures.push(result.failure)
    }
    // A rate limit says when to retry; other failures do not.
    const busy = failures.find(({ reason }) => reason === "Busy")
    return yield* busy ?? failures.at(-1) ?? failed("Unavailable", "is not configured")
  })

  return (calls: ReadonlyArray<RpcCall>): Effect.Effect<ReadonlyArray<unknown>, BlockSourceError> =>
    sendToAny(calls).pipe(
      Effect.retry({ schedule: retries, while: ({ reason }) => reason === "Timeout" || reason === "Unavailable" }),
      Effect.timeoutOrElse({
        duration: wholeMs,
        orElse: () => Effect.fail(failed("Timeout", `did not answer within ${wholeMs} ms`))
      }),
      // The URL of a node may contain its key: the batch is traced, not its requests.
      Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
      Effect.withSpan("JsonRpc.batch", { attributes: { blockchain, calls: calls.length } })
    )
}

/** Whether a response is the `null` that means "no such block". */
export const isAbsent = Predicate.isNullish

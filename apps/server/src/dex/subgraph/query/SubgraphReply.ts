import { Clock, Data, Effect, Option, Schema } from "effect"
import type { HttpClientResponse } from "effect/http"
import type { ResponseBounds } from "../../../sources/JsonMeter.ts"
import { readResponseText } from "../../../sources/ResponseText.ts"
import { parseRetryAfter } from "../../../sources/RetryAfter.ts"
import { BlockNotIndexedError, toErrorFailure, toStatusFailure } from "./SubgraphFailure.ts"
import type { SubgraphFailure } from "./SubgraphFailure.ts"

const Reply = Schema.fromJsonString(
  Schema.Struct({
    data: Schema.optionalKey(Schema.Unknown),
    errors: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Struct({ message: Schema.String }))))
  })
)
const decodeReply = Schema.decodeUnknownEffect(Reply)

/** The reply lacks the requested data. */
export class SubgraphReplyError extends Data.TaggedError("SubgraphReplyError")<
  SubgraphFailure & { readonly retryAfterMs: number }
> {
  override get message(): string {
    return `The subgraph ${this.what}.`
  }
}

/** A thousand rows, which are the most of a query, have a tenth of these values. */
const replyBounds: ResponseBounds = { bytes: 16 * 1024 * 1024, values: 500_000 }

/** The delay before another attempt if the subgraph states none. */
const defaultWaitMs = 1000

const toReplyFailure = (
  ofStatus: SubgraphFailure | undefined,
  messages: ReadonlyArray<string>
): SubgraphFailure | BlockNotIndexedError | undefined => {
  const ofErrors = messages.length === 0 ? undefined : toErrorFailure(messages)
  if (ofErrors instanceof BlockNotIndexedError) return ofErrors
  // Some servers send errors with status 400; the body says more than the status.
  return ofStatus === undefined || ofStatus.reason === "BadResponse" ? (ofErrors ?? ofStatus) : ofStatus
}

/** Extracts the data of a reply. Errors may come with any status, including 200. */
export const readReply = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
  const retryAfter = parseRetryAfter(response.headers["retry-after"], yield* Clock.currentTimeMillis)
  const wait = Option.getOrElse(retryAfter, () => defaultWaitMs)
  const toReplyError = (failure: SubgraphFailure) => new SubgraphReplyError({ ...failure, retryAfterMs: wait })
  const ofStatus = toStatusFailure(response.status)
  const text = yield* readResponseText(response, replyBounds).pipe(
    Effect.mapError(({ isTooLarge, what }) =>
      toReplyError((isTooLarge ? ofStatus : undefined) ?? { reason: isTooLarge ? "BadResponse" : "Unavailable", what })
    )
  )
  const reply = yield* decodeReply(text).pipe(
    Effect.mapError(() => toReplyError(ofStatus ?? { reason: "BadResponse", what: "answered with no GraphQL reply" }))
  )
  const failure = toReplyFailure(
    ofStatus,
    (reply.errors ?? []).map(({ message }) => message)
  )
  if (failure === undefined) return reply.data
  return yield* failure instanceof BlockNotIndexedError ? failure : toReplyError(failure)
})

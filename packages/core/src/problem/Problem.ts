/**
 * The problems that every part of the interface shares. A problem is an answer with status 400 or more, a body of
 * `application/problem+json` (RFC 9457), and a class of its own here.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { problemClass } from "../internal/problemClass.ts"

export { type ProblemClass } from "../internal/problemClass.ts"

const retryAfterMs = Schema.Int.annotate({ description: "How long to wait before the next attempt, in milliseconds" })

/**
 * One or more parameters of the request are wrong. All of them are listed.
 *
 * @since 0.1.0
 * @category problems
 */
export class InvalidParameter extends problemClass<InvalidParameter>()(
  "InvalidParameter",
  {
    code: "invalid-parameter",
    status: 400,
    title: "Invalid parameter"
  },
  {
    issues: Schema.Array(Schema.Struct({ parameter: Schema.String, message: Schema.String }))
  }
) {}

/**
 * The request carries no API key.
 *
 * @since 0.1.0
 * @category problems
 */
export class MissingApiKey extends problemClass<MissingApiKey>()("MissingApiKey", {
  code: "missing-api-key",
  status: 401,
  title: "Missing API key"
}) {}

/**
 * The API key is unknown, malformed, revoked or expired, or two different keys were sent. The answer is the same for
 * each of these.
 *
 * @since 0.1.0
 * @category problems
 */
export class InvalidApiKey extends problemClass<InvalidApiKey>()("InvalidApiKey", {
  code: "invalid-api-key",
  status: 401,
  title: "Invalid API key"
}) {}

/**
 * No operation has this path.
 *
 * @since 0.1.0
 * @category problems
 */
export class NotFound extends problemClass<NotFound>()(
  "NotFound",
  {
    code: "not-found",
    status: 404,
    title: "Not found"
  },
  { path: Schema.String }
) {}

/**
 * The path exists, but only for other methods.
 *
 * @since 0.1.0
 * @category problems
 */
export class MethodNotAllowed extends problemClass<MethodNotAllowed>()(
  "MethodNotAllowed",
  {
    code: "method-not-allowed",
    status: 405,
    title: "Method not allowed"
  },
  { method: Schema.String }
) {}

/**
 * The URL is longer than the service accepts.
 *
 * @since 0.1.0
 * @category problems
 */
export class UriTooLong extends problemClass<UriTooLong>()("UriTooLong", {
  code: "uri-too-long",
  status: 414,
  title: "URI too long"
}) {}

/**
 * The request headers are larger than the service accepts.
 *
 * @since 0.1.0
 * @category problems
 */
export class HeadersTooLarge extends problemClass<HeadersTooLarge>()("HeadersTooLarge", {
  code: "headers-too-large",
  status: 431,
  title: "Headers too large"
}) {}

/**
 * The caller's budget is used up for the moment.
 *
 * @since 0.1.0
 * @category problems
 */
export class RateLimited extends problemClass<RateLimited>()(
  "RateLimited",
  {
    code: "rate-limited",
    status: 429,
    title: "Rate limited",
    retryable: true
  },
  { retryAfterMs }
) {}

/**
 * The service failed in a way that it does not explain. `requestId` finds it in the service's log.
 *
 * @since 0.1.0
 * @category problems
 */
export class Internal extends problemClass<Internal>()("Internal", {
  code: "internal",
  status: 500,
  title: "Internal error",
  retryable: true
}) {}

/**
 * A source of the data (an exchange, a node) failed or answered with something unusable.
 *
 * @since 0.1.0
 * @category problems
 */
export class UpstreamFailed extends problemClass<UpstreamFailed>()(
  "UpstreamFailed",
  {
    code: "upstream-failed",
    status: 502,
    title: "Source failed",
    retryable: true
  },
  {
    source: Schema.String.annotate({ description: "Which source: an exchange or a blockchain by its id" }),
    reason: Schema.Literals(["unavailable", "refused", "bad-response"])
  }
) {}

/**
 * The service, or the store behind this operation, is starting or stopping.
 *
 * @since 0.1.0
 * @category problems
 */
export class NotReady extends problemClass<NotReady>()(
  "NotReady",
  {
    code: "not-ready",
    status: 503,
    title: "Not ready",
    retryable: true
  },
  { retryAfterMs }
) {}

/**
 * The service has more work than it can do.
 *
 * @since 0.1.0
 * @category problems
 */
export class Overloaded extends problemClass<Overloaded>()(
  "Overloaded",
  {
    code: "overloaded",
    status: 503,
    title: "Overloaded",
    retryable: true
  },
  { retryAfterMs }
) {}

/**
 * The source limits the service; the caller's own budget is not the reason.
 *
 * @since 0.1.0
 * @category problems
 */
export class UpstreamBusy extends problemClass<UpstreamBusy>()(
  "UpstreamBusy",
  {
    code: "upstream-busy",
    status: 503,
    title: "Source busy",
    retryable: true
  },
  { source: Schema.String, retryAfterMs }
) {}

/**
 * The source did not answer in time.
 *
 * @since 0.1.0
 * @category problems
 */
export class UpstreamTimeout extends problemClass<UpstreamTimeout>()(
  "UpstreamTimeout",
  {
    code: "upstream-timeout",
    status: 504,
    title: "Source timed out",
    retryable: true
  },
  { source: Schema.String }
) {}

/**
 * What any keyed operation can answer besides its own problems.
 *
 * @since 0.1.0
 * @category problems
 */
export const keyedProblems = [
  InvalidParameter,
  MissingApiKey,
  InvalidApiKey,
  RateLimited,
  Internal,
  NotReady,
  Overloaded
] as const

/**
 * What an operation that asks a source can answer besides its own problems.
 *
 * @since 0.1.0
 * @category problems
 */
export const upstreamProblems = [UpstreamFailed, UpstreamBusy, UpstreamTimeout] as const

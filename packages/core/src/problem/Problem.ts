/**
 * The problems that every part of the interface shares. A problem is a response with status 400 or more, a body of
 * `application/problem+json` (RFC 9457), and a class of its own here.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import * as Core from "@chaintape/core"
 * import type { Operation } from "@chaintape/core/operations"
 * import type * as BlocksOperations from "@chaintape/core/operations/blocks"
 *
 * // Who has to act. The compiler requires every problem of the operation.
 * const acting: { readonly [Tag in Operation.Problem<typeof BlocksOperations.blocks>["_tag"]]: "caller" | "operator" | "none: wait" } = {
 *   InvalidParameter: "caller",
 *   MissingApiKey: "caller",
 *   InvalidApiKey: "caller",
 *   KeyNotAllowed: "caller",
 *   RateLimited: "none: wait",
 *   QuotaExceeded: "none: wait",
 *   Internal: "operator",
 *   UpstreamFailed: "operator",
 *   NotReady: "none: wait",
 *   Overloaded: "none: wait",
 *   UpstreamBusy: "none: wait",
 *   UpstreamTimeout: "none: wait",
 *   BlockchainNotFound: "caller",
 *   BlockNotFound: "caller"
 * }
 *
 * const problem = new Core.RateLimited({ detail: "The budget is used up: wait a second.", retryAfterMs: 1000 })
 * assert.equal(problem.status, 429)
 * assert.equal(problem.isRetryable, true)
 * assert.equal(acting[problem._tag], "none: wait")
 * ```
 */
import * as Schema from "effect/Schema"
import { problemClass } from "../internal/contract/problemClass.ts"

/**
 * One or more parameters of the request are invalid. All of them are listed.
 *
 * @since 0.1.0
 * @category problems
 */
export class InvalidParameter extends problemClass<InvalidParameter>()(
  "InvalidParameter",
  { status: 400 },
  {
    /** Every invalid parameter, with a sentence that says what it must be. */
    issues: Schema.Array(Schema.Struct({ parameter: Schema.String, message: Schema.String }))
  }
) {}

/**
 * The request has no API key.
 *
 * @since 0.1.0
 * @category problems
 */
export class MissingApiKey extends problemClass<MissingApiKey>()("MissingApiKey", {
  status: 401,
  title: "Missing API key"
}) {}

/**
 * The API key is unknown, malformed, revoked or expired, or two different keys were sent. The response is the same for
 * all of these.
 *
 * @since 0.1.0
 * @category problems
 */
export class InvalidApiKey extends problemClass<InvalidApiKey>()("InvalidApiKey", {
  status: 401,
  title: "Invalid API key"
}) {}

/**
 * The API key is valid, but restricted to other groups of operations.
 *
 * @since 0.1.0
 * @category problems
 */
export class KeyNotAllowed extends problemClass<KeyNotAllowed>()(
  "KeyNotAllowed",
  { status: 403 },
  {
    /** The group of the operation: `cex`, `dex` or `blocks`. */
    group: Schema.String
  }
) {}

/**
 * The caller's budget is used up at the moment.
 *
 * @since 0.1.0
 * @category problems
 */
export class RateLimited extends problemClass<RateLimited>()(
  "RateLimited",
  { status: 429, retryable: true },
  {
    /** Milliseconds after which the same request may succeed. */
    retryAfterMs: Schema.Int
  }
) {}

/**
 * The key's daily quota (UTC) is used up. `retryAfterMs` ends with the day.
 *
 * @since 0.1.0
 * @category problems
 */
export class QuotaExceeded extends problemClass<QuotaExceeded>()(
  "QuotaExceeded",
  { status: 429 },
  {
    /** Milliseconds after which the same request may succeed. */
    retryAfterMs: Schema.Int
  }
) {}

/**
 * The service failed unexpectedly. `requestId` identifies the request in the service's log.
 *
 * @since 0.1.0
 * @category problems
 */
export class Internal extends problemClass<Internal>()("Internal", {
  status: 500,
  title: "Internal error",
  retryable: true
}) {}

/**
 * A source of the data (an exchange, a node) failed or returned something unusable.
 *
 * @since 0.1.0
 * @category problems
 */
export class UpstreamFailed extends problemClass<UpstreamFailed>()(
  "UpstreamFailed",
  { status: 502, title: "Source failed", retryable: true },
  {
    /** The source: an exchange or a blockchain by its id, `dex/blockchain` for a subgraph, `index` for an index of the service. */
    source: Schema.String,
    /** `unavailable`: no connection, or a server error. `refused`: access denied. `bad-response`: unusable data. */
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
  { status: 503, retryable: true },
  {
    /** Milliseconds after which the same request may succeed. */
    retryAfterMs: Schema.Int
  }
) {}

/**
 * The service is at its capacity.
 *
 * @since 0.1.0
 * @category problems
 */
export class Overloaded extends problemClass<Overloaded>()(
  "Overloaded",
  { status: 503, retryable: true },
  {
    /** Milliseconds after which the same request may succeed. */
    retryAfterMs: Schema.Int
  }
) {}

/**
 * The source limits the service's rate; the caller's own budget is not the reason.
 *
 * @since 0.1.0
 * @category problems
 */
export class UpstreamBusy extends problemClass<UpstreamBusy>()(
  "UpstreamBusy",
  { status: 503, title: "Source busy", retryable: true },
  {
    /** The source: an exchange or a blockchain by its id, `dex/blockchain` for a subgraph, `index` for an index of the service. */
    source: Schema.String,
    /** Milliseconds after which the same request may succeed. */
    retryAfterMs: Schema.Int
  }
) {}

/**
 * The source did not answer in time.
 *
 * @since 0.1.0
 * @category problems
 */
export class UpstreamTimeout extends problemClass<UpstreamTimeout>()(
  "UpstreamTimeout",
  { status: 504, title: "Source timed out", retryable: true },
  {
    /** The source: an exchange or a blockchain by its id, `dex/blockchain` for a subgraph, `index` for an index of the service. */
    source: Schema.String
  }
) {}

/**
 * The problems of every operation that requires a key, besides its own.
 *
 * @since 0.1.0
 * @category problems
 */
export const apiKeyProblems = [
  InvalidParameter,
  MissingApiKey,
  InvalidApiKey,
  KeyNotAllowed,
  RateLimited,
  QuotaExceeded,
  Internal,
  NotReady,
  Overloaded
] as const

/**
 * The problems of an operation that calls a source, besides its own.
 *
 * @since 0.1.0
 * @category problems
 */
export const upstreamProblems = [UpstreamFailed, UpstreamBusy, UpstreamTimeout] as const

/**
 * The middleware between a keyed request and its handler: the key, the caller's budget, and the check of the
 * parameters.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { Authorization, Caller, KeyScope, ParameterCheck, RateLimit } from "@chaintape/core/api/Authorization"
 * import { KeyNotAllowed } from "@chaintape/core"
 * import { Effect, Layer } from "effect"
 *
 * // A server for one caller, who may read blocks only
 * const caller = { keyId: "k1", groups: ["blocks"], plan: undefined }
 *
 * const middleware = Layer.mergeAll(
 *   Layer.succeed(Authorization, (handler) => Effect.provideService(handler, Caller, caller)),
 *   Layer.succeed(RateLimit, (handler) => handler),
 *   Layer.succeed(ParameterCheck, (handler) => handler),
 *   Layer.succeed(
 *     KeyScope,
 *     Effect.fn(function* (handler, { group }) {
 *       const { groups } = yield* Caller
 *       if (groups === undefined || groups.includes(group.identifier)) return yield* handler
 *       return yield* new KeyNotAllowed({ detail: "The key is for blocks.", group: group.identifier })
 *     })
 *   )
 * )
 * ```
 */
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import {
  Internal,
  InvalidApiKey,
  InvalidParameter,
  KeyNotAllowed,
  MissingApiKey,
  NotReady,
  QuotaExceeded,
  RateLimited
} from "../problem/Problem.ts"

/**
 * The caller of the request.
 *
 * @since 0.1.0
 * @category services
 */
export class Caller extends Context.Service<
  Caller,
  {
    /** Identifies the key without revealing it. */
    readonly keyId: string
    /** The groups of operations that the key is restricted to; undefined allows all. */
    readonly groups: ReadonlyArray<string> | undefined
    /** The plan that limits the key; undefined for the default one. */
    readonly plan: string | undefined
  }
>()("@chaintape/core/api/Caller") {}

/**
 * Accepts the key in the query parameter `apiKey` or in the header `api-key`.
 *
 * @since 0.1.0
 * @category middleware
 */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Caller }>()(
  "@chaintape/core/api/Authorization",
  { error: [InvalidParameter, MissingApiKey, InvalidApiKey, RateLimited, NotReady, Internal] }
) {}

/**
 * Charges the request to the caller's budget.
 *
 * @since 0.1.0
 * @category middleware
 */
export class RateLimit extends HttpApiMiddleware.Service<RateLimit, { requires: Caller }>()(
  "@chaintape/core/api/RateLimit",
  { error: [RateLimited, QuotaExceeded, Internal] }
) {}

/**
 * Restricts a key to its scopes.
 *
 * @since 0.2.0
 * @category middleware
 */
export class KeyScope extends HttpApiMiddleware.Service<KeyScope, { requires: Caller }>()(
  "@chaintape/core/api/KeyScope",
  { error: [KeyNotAllowed, Internal] }
) {}

/**
 * Turns every wrong parameter of a request into one problem.
 *
 * @since 0.1.0
 * @category middleware
 */
export class ParameterCheck extends HttpApiMiddleware.Service<ParameterCheck>()("@chaintape/core/api/ParameterCheck", {
  error: [InvalidParameter]
}) {}

/**
 * What stands between a keyed request and its handler: the key, the caller's budget, and the check of the parameters.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { Internal, InvalidApiKey, InvalidParameter, MissingApiKey, NotReady, RateLimited } from "../problem/Problem.ts"

/**
 * Who makes the request.
 *
 * @since 0.1.0
 * @category services
 */
export class Caller extends Context.Service<
  Caller,
  {
    /** Identifies the key without revealing it. */
    readonly keyId: string
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
  { error: [InvalidParameter, MissingApiKey, InvalidApiKey, NotReady, Internal] }
) {}

/**
 * Charges the request to the caller's budget.
 *
 * @since 0.1.0
 * @category middleware
 */
export class RateLimit extends HttpApiMiddleware.Service<RateLimit, { requires: Caller }>()(
  "@chaintape/core/api/RateLimit",
  { error: [RateLimited, Internal] }
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

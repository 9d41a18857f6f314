import {
  Internal,
  InvalidApiKey,
  InvalidParameter,
  KeyNotAllowed,
  MissingApiKey,
  NotReady,
  QuotaExceeded,
  RateLimited
} from "@chaintape/core"
/**
 * The middleware between a request with a key and its handler: the key, the caller's budget, and the check of the
 * parameters.
 */
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"

/** The caller of the request. */
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
>()("@chaintape/contract/Caller") {}

/** Accepts the key in the query parameter `apiKey` or in the header `api-key`. */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Caller }>()(
  "@chaintape/contract/Authorization",
  { error: [InvalidParameter, MissingApiKey, InvalidApiKey, RateLimited, NotReady, Internal] }
) {}

/** Charges the request to the caller's budget. */
export class RateLimit extends HttpApiMiddleware.Service<RateLimit, { requires: Caller }>()(
  "@chaintape/contract/RateLimit",
  { error: [RateLimited, QuotaExceeded, Internal] }
) {}

/** Restricts a key to its scopes. */
export class KeyScope extends HttpApiMiddleware.Service<KeyScope, { requires: Caller }>()(
  "@chaintape/contract/KeyScope",
  { error: [KeyNotAllowed, Internal] }
) {}

/** Turns every wrong parameter of a request into one problem. */
export class ParameterCheck extends HttpApiMiddleware.Service<ParameterCheck>()("@chaintape/contract/ParameterCheck", {
  error: [InvalidParameter]
}) {}

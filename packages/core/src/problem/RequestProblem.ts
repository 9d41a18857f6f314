/**
 * The problems of requests that match no operation: no call of a client returns them, so its bundle omits them.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { HeadersTooLarge, MethodNotAllowed, NotFound, UriTooLong } from "@chaintape/core/problem/RequestProblem"
 *
 * const statuses = [HeadersTooLarge, MethodNotAllowed, NotFound, UriTooLong].map(({ code, status }) => `${status} ${code}`)
 * assert.deepEqual(statuses.sort(), ["404 not-found", "405 method-not-allowed", "414 uri-too-long", "431 headers-too-large"])
 * ```
 */
import * as Schema from "effect/Schema"
import { problemClass } from "../internal/contract/problemClass.ts"

/**
 * No operation has this path.
 *
 * @since 0.1.0
 * @category problems
 */
export class NotFound extends problemClass<NotFound>()("NotFound", { status: 404 }, { path: Schema.String }) {}

/**
 * The path exists, but only for other methods.
 *
 * @since 0.1.0
 * @category problems
 */
export class MethodNotAllowed extends problemClass<MethodNotAllowed>()(
  "MethodNotAllowed",
  { status: 405 },
  { method: Schema.String }
) {}

/**
 * The URL is longer than the service accepts.
 *
 * @since 0.1.0
 * @category problems
 */
export class UriTooLong extends problemClass<UriTooLong>()("UriTooLong", { status: 414, title: "URI too long" }) {}

/**
 * The request headers are larger than the service accepts.
 *
 * @since 0.1.0
 * @category problems
 */
export class HeadersTooLarge extends problemClass<HeadersTooLarge>()("HeadersTooLarge", { status: 431 }) {}

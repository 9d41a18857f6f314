/**
 * The problems of the dex group.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { PoolNotFound, TokenNotFound } from "@chaintape/core"
 *
 * const missing = (problem: PoolNotFound | TokenNotFound): string =>
 *   problem instanceof PoolNotFound ? problem.pool : problem.token
 *
 * assert.equal(missing(new TokenNotFound({ token: "0xabc", detail: "There is no token 0xabc." })), "0xabc")
 * ```
 */
import * as Schema from "effect/Schema"
import { problemClass } from "../internal/contract/problemClass.ts"

/**
 * The deployment has no token with this address, or had none yet at the block.
 *
 * @since 0.1.0
 * @category problems
 */
export class TokenNotFound extends problemClass<TokenNotFound>()(
  "TokenNotFound",
  { status: 404 },
  {
    /** The address of the token. */
    token: Schema.String
  }
) {}

/**
 * The deployment has no pool with this address, or had none yet at the block.
 *
 * @since 0.1.0
 * @category problems
 */
export class PoolNotFound extends problemClass<PoolNotFound>()(
  "PoolNotFound",
  { status: 404 },
  {
    /** The address of the pool. */
    pool: Schema.String
  }
) {}

/**
 * The problems of the dex group.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { problemClass } from "../internal/problemClass.ts"

/**
 * The deployment has no token with this address, or had none yet at the block.
 *
 * @since 0.1.0
 * @category problems
 */
export class TokenNotFound extends problemClass<TokenNotFound>()(
  "TokenNotFound",
  {
    code: "token-not-found",
    status: 404,
    title: "Token not found"
  },
  { token: Schema.String }
) {}

/**
 * The deployment has no pool with this address, or had none yet at the block.
 *
 * @since 0.1.0
 * @category problems
 */
export class PoolNotFound extends problemClass<PoolNotFound>()(
  "PoolNotFound",
  {
    code: "pool-not-found",
    status: 404,
    title: "Pool not found"
  },
  { pool: Schema.String }
) {}

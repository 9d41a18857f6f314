/**
 * The operations on blocks as functions, so that a bundle contains only those that its program calls.
 *
 * @since 0.1.0
 */
import { call } from "@chaintape/core/operations"
import * as Operations from "@chaintape/core/operations/blocks"

/**
 * Lists the blockchains whose blocks can be read.
 *
 * @since 0.1.0
 * @category calls
 *
 * @example
 * ```ts
 * import { blockchains } from "@chaintape/blocks"
 * import { Client } from "@chaintape/core"
 * import { Effect } from "effect"
 *
 * const ids = Effect.map(blockchains({}), (all) => all.map(({ id }) => id))
 * const runnable = Effect.provide(ids, Client.layer({ baseUrl: "http://127.0.0.1:3000" }))
 * ```
 */
export const blockchains: Operations.BlocksMethods<"call">["blockchains"] = /* @__PURE__ */ call(Operations.blockchains)

/**
 * Reads blocks, newest first or sorted by `orderBy`: `limit` of them (100 if not given, at most 1,000). Fails with
 * `BlockchainNotFound`, and with `BlockNotFound` for a block beyond the head.
 *
 * @since 0.1.0
 * @category calls
 *
 * @example
 * ```ts
 * import { blocks } from "@chaintape/blocks"
 * import { Effect } from "effect"
 *
 * const newest = Effect.map(blocks({ blockchain: "ethereum", limit: 1 }), ([block]) => block?.number)
 * ```
 */
export const blocks: Operations.BlocksMethods<"call">["blocks"] = /* @__PURE__ */ call(Operations.blocks)

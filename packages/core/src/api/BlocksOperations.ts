/**
 * The operations on blocks.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import * as BlocksOperations from "@chaintape/core/operations/blocks"
 * import { Effect } from "effect"
 *
 * const fullest = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const { value: chains } = yield* call(BlocksOperations.blockchains, {})
 *   const [first] = chains
 *   if (first === undefined) return []
 *   const { value } = yield* call(BlocksOperations.blocks, { blockchain: first.id, orderBy: "gasUsed", orderDirection: "desc", limit: 10 })
 *   return value
 * })
 * ```
 */
import * as Schema from "effect/Schema"
import { Block } from "../blocks/Block.ts"
import { Blockchain } from "../blocks/Blockchain.ts"
import { BlockchainNotFound, BlockNotFound } from "../blocks/BlocksProblem.ts"
import type { CallMode, Method } from "../client/CallMode.ts"
import { decodeInPlace } from "../internal/decode/jsonDecoder.ts"
import { proof } from "../operation/Answer.ts"
import * as Operation from "../operation/Operation.ts"
import * as Parameter from "../operation/Parameter.ts"
import { apiKeyProblems, upstreamProblems } from "../problem/Problem.ts"

const group = "blocks"

/** The fields by which a list of blocks can be sorted. */
const blockFields = [
  "number",
  "timestamp",
  "size",
  "gasLimit",
  "gasUsed",
  "totalDifficulty",
  "author"
] as const satisfies ReadonlyArray<keyof Block>

/**
 * Lists the blockchains whose blocks can be read.
 *
 * @since 0.1.0
 * @category operations
 */
export const blockchains = /* @__PURE__ */ (() =>
  Operation.make({
    name: "blockchains",
    group,
    path: "/v2/blocks",
    success: Schema.Array(Blockchain),
    proof,
    problems: apiKeyProblems
  }))()

/**
 * Reads blocks, newest first or sorted by `orderBy`: `limit` of them (100 if not given, at most 1,000). Fails with
 * `BlockchainNotFound`, and with `BlockNotFound` for a block beyond the head.
 *
 * @since 0.1.0
 * @category operations
 */
export const blocks = /* @__PURE__ */ (() =>
  Operation.make({
    name: "blocks",
    group,
    path: "/v2/blocks/:blockchain",
    params: {
      /** The id of the blockchain, such as `ethereum`. */
      blockchain: Parameter.blockchain
    },
    query: {
      /** Elements at most: 1 to 1,000; 100 if not given. */
      limit: Parameter.limit(1_000, 100),
      /** Elements to leave out at the beginning: 0 or more; 0 if not given. */
      skip: Parameter.skip,
      /** The field to sort by. */
      orderBy: Parameter.orderBy(blockFields),
      /** The direction of `orderBy`; ascending if not given. */
      orderDirection: Parameter.orderDirection,
      /** Only blocks up to this number, a number or a bigint; the newest one if not given. */
      block: Parameter.block("Only blocks up to this number"),
      /** Only what is of this time or later: a `Date`, Unix milliseconds, an ISO 8601 text or a `DateTime`. */
      from: Parameter.time("Only blocks of this time or later"),
      /** Only what is of this time or earlier, in the same forms. */
      to: Parameter.time("Only blocks of this time or earlier")
    },
    relations: [Parameter.directionNeedsOrder, Parameter.windowIsOrdered],
    success: Schema.Array(Block),
    decoder: decodeInPlace,
    proof,
    problems: [...apiKeyProblems, ...upstreamProblems, BlockchainNotFound, BlockNotFound]
  }))()

/**
 * Reads blockchains: the methods of `Blocks`, and of the promise client. Every method fails with `ClientError` and the
 * problems of every operation that requires a key (`InvalidApiKey`, `RateLimited` and so on) besides those that it names.
 *
 * @example
 * ```ts
 * import type { BlocksMethods } from "@chaintape/core/operations/blocks"
 *
 * const heads = (blocks: BlocksMethods<"effect">) => blocks.blocks({ blockchain: "ethereum", limit: 1 })
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface BlocksMethods<Mode extends CallMode> {
  /** The blockchains whose blocks can be read. */
  readonly blockchains: Method<Mode, typeof blockchains>
  /**
   * Blocks, newest first unless `orderBy` says otherwise: `limit` of them, 1 to 1,000, by default 100, after the first
   * `skip`, up to the number `block`, and from `from` to `to`. Fails with `BlockchainNotFound`, `BlockNotFound`,
   * `UpstreamFailed`, `UpstreamBusy` or `UpstreamTimeout`.
   */
  readonly blocks: Method<Mode, typeof blocks>
}

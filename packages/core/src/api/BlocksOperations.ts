/**
 * The operations on blocks.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import { blockchains, blockFields, blocks } from "@chaintape/core/api/BlocksOperations"
 * import { Effect } from "effect"
 *
 * const fullest = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const { value: chains } = yield* call(blockchains, {})
 *   const [first] = chains
 *   if (first === undefined || !blockFields.includes("gasUsed")) return []
 *   const { value } = yield* call(blocks, { blockchain: first.id, orderBy: "gasUsed", orderDirection: "desc", limit: 10 })
 *   return value
 * })
 * ```
 */
import * as Schema from "effect/Schema"
import { Block } from "../blocks/Block.ts"
import { Blockchain } from "../blocks/Blockchain.ts"
import { BlockchainNotFound, BlockNotFound } from "../blocks/BlocksProblem.ts"
import { proof } from "../client/Answer.ts"
import { decodeInPlace } from "../internal/decode/jsonDecoder.ts"
import { keyedProblems, upstreamProblems } from "../problem/Problem.ts"
import * as Operation from "./Operation.ts"
import * as Parameter from "./Parameter.ts"

const group = "blocks"

/**
 * The fields by which a list of blocks can be sorted.
 *
 * @since 0.1.0
 * @category constants
 */
export const blockFields = [
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
    problems: keyedProblems
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
    params: { blockchain: Parameter.blockchain },
    query: {
      limit: Parameter.limit(1_000, 100),
      skip: Parameter.skip,
      orderBy: Parameter.orderBy(blockFields),
      orderDirection: Parameter.orderDirection,
      block: Parameter.block("Only blocks up to this number"),
      from: Parameter.time("Only blocks of this time or later"),
      to: Parameter.time("Only blocks of this time or earlier")
    },
    relations: [Parameter.directionNeedsOrder, Parameter.windowIsOrdered],
    success: Schema.Array(Block),
    decoder: decodeInPlace,
    proof,
    problems: [...keyedProblems, ...upstreamProblems, BlockchainNotFound, BlockNotFound]
  }))()

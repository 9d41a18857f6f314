/**
 * The operations on blocks.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Block } from "../blocks/Block.ts"
import { Blockchain } from "../blocks/Blockchain.ts"
import { BlockchainNotFound, BlockNotFound } from "../blocks/BlocksProblem.ts"
import { keyedProblems, upstreamProblems } from "../problem/Problem.ts"
import * as Operation from "./Operation.ts"
import * as Parameter from "./Parameter.ts"

const group = "blocks"

/**
 * The fields of a block by which a list can be sorted.
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
 * @since 0.1.0
 * @category operations
 */
export const blockchains = Operation.make({
  name: "blockchains",
  group,
  path: "/v2/blocks",
  success: Schema.Array(Blockchain),
  problems: keyedProblems,
  summary: "List the blockchains",
  description: "The blockchains whose blocks can be read."
})

/**
 * @since 0.1.0
 * @category operations
 */
export const blocks = Operation.make({
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
  problems: [...keyedProblems, ...upstreamProblems, BlockchainNotFound, BlockNotFound],
  summary: "Read blocks",
  description: "Blocks by number, newest first, or sorted by `orderBy`; `from`, `to` and `block` bound them."
})

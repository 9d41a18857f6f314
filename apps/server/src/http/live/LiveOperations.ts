import * as DexParameter from "@chaintape/core/api/DexParameter"
import * as Operation from "@chaintape/core/api/Operation"
import * as Parameter from "@chaintape/core/api/Parameter"
import { BlockchainNotFound, BlockNotFound } from "@chaintape/core/blocks/BlocksProblem"
import { ExchangeNotFound, OperationNotSupported } from "@chaintape/core/cex/CexProblem"
import { PoolNotFound } from "@chaintape/core/dex/DexProblem"
import { keyedProblems, upstreamProblems } from "@chaintape/core/problem/Problem"
import { Schema } from "effect"

const longestCursor = 200

const after = Parameter.parameter({
  schema: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^[\x21-\x7e]+$/u), Schema.isMaxLength(longestCursor))
  ),
  rule: `a cursor of this stream: the id of one of its events, at most ${longestCursor} characters`,
  description: "Only what happened behind this cursor",
  json: { type: "string", maxLength: longestCursor }
})

const oneStart: Parameter.Relation = {
  parameter: "since",
  rule: "after and since name two different starts: give one of them",
  holds: (values) => values["after"] === undefined || values["since"] === undefined
}

const problems = [...keyedProblems, ...upstreamProblems] as const

/** The trades of a recorded market, live. */
export const liveTrades = Operation.make({
  name: "liveTrades",
  group: "cex",
  path: "/live/cex/:exchange/:market/trades",
  params: { exchange: Parameter.exchange, market: Parameter.market },
  query: { after, since: Parameter.time("From the first trade executed then or later") },
  relations: [oneStart],
  success: Schema.String,
  problems: [...problems, ExchangeNotFound, OperationNotSupported]
})

/** The swaps of a pool, live. */
export const liveSwaps = Operation.make({
  name: "liveSwaps",
  group: "dex",
  path: "/live/dex/:exchange/:blockchain/pool/:pool/swaps",
  params: { exchange: DexParameter.dex, blockchain: Parameter.blockchain, pool: DexParameter.pool },
  query: { after },
  success: Schema.String,
  problems: [...problems, ExchangeNotFound, BlockchainNotFound, BlockNotFound, PoolNotFound, OperationNotSupported]
})

/** The blocks of a blockchain, live. */
export const liveBlocks = Operation.make({
  name: "liveBlocks",
  group: "blocks",
  path: "/live/blocks/:blockchain",
  params: { blockchain: Parameter.blockchain },
  query: { after },
  success: Schema.String,
  problems: [...problems, BlockchainNotFound]
})

/** The streams. They are separate from the operations of the contract, each of which has one response. */
export const liveOperations = [liveTrades, liveSwaps, liveBlocks] as const

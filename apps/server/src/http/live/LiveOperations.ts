import { BlockchainNotFound, UpstreamBusy, UpstreamFailed, UpstreamTimeout } from "@chaintape/core"
import { Operation, Parameter } from "@chaintape/core/operations"
import * as BlocksOperations from "@chaintape/core/operations/blocks"
import * as CexOperations from "@chaintape/core/operations/cex"
import * as DexOperations from "@chaintape/core/operations/dex"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

const maxCursorLength = 200

const after = Parameter.parameter({
  schema: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^[\x21-\x7e]+$/u), Schema.isMaxLength(maxCursorLength))
  ),
  rule: `a cursor of this stream: the id of one of its events, at most ${maxCursorLength} characters`,
  description: "Only what happened after this cursor",
  json: { type: "string", maxLength: maxCursorLength }
})

const events = Schema.String.annotate({ description: "Server-sent events, until the stream ends" }).pipe(
  HttpApiSchema.asText({ contentType: "text/event-stream" })
)

const oneStart: Parameter.Relation = {
  parameter: "since",
  rule: "after and since name two different starts: give one of them",
  holds: (values) => values["after"] === undefined || values["since"] === undefined
}

/** The trades of a recorded market, live. */
export const liveTrades = Operation.make({
  name: "liveTrades",
  group: "cex",
  path: "/live/cex/:exchange/:market/trades",
  params: { exchange: Parameter.exchange, market: Parameter.market },
  query: { after, since: Parameter.time("From the first trade executed then or later") },
  relations: [oneStart],
  success: events,
  problems: CexOperations.markets.problems
})

/** The swaps of a pool, live. */
export const liveSwaps = Operation.make({
  name: "liveSwaps",
  group: "dex",
  path: "/live/dex/:exchange/:blockchain/pool/:pool/swaps",
  params: DexOperations.pool.params,
  query: { after },
  success: events,
  problems: DexOperations.ticks.problems
})

/** The blocks of a blockchain, live. */
export const liveBlocks = Operation.make({
  name: "liveBlocks",
  group: "blocks",
  path: "/live/blocks/:blockchain",
  params: { blockchain: Parameter.blockchain },
  query: { after },
  success: events,
  problems: [
    ...BlocksOperations.blockchains.problems,
    UpstreamFailed,
    UpstreamBusy,
    UpstreamTimeout,
    BlockchainNotFound
  ]
})

/** The streams. They are separate from the operations of the contract, each of which has one response. */
export const liveOperations = [liveTrades, liveSwaps, liveBlocks] as const

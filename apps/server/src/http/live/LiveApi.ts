import { Authorization, KeyScope, ParameterCheck, RateLimit } from "@chaintape/contract"
import type { Operation } from "@chaintape/core/operations"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { liveBlocks, liveSwaps, liveTrades } from "./LiveOperations.ts"

const asProblem = HttpApiSchema.asJson({ contentType: "application/problem+json" })
const asEvents = HttpApiSchema.asText({ contentType: "text/event-stream" })
const Events = asEvents(Schema.String.annotate({ description: "Server-sent events, until the stream ends" }))
const apiKey = Schema.optionalKey(Schema.String)

const errors = <const Problems extends ReadonlyArray<Operation.AnyProblem>>(problems: Problems) =>
  problems.map(asProblem)

const describeStream = (summary: string, events: string) =>
  OpenApi.annotations({
    summary,
    description:
      `Events ${events}. The id of each event is a cursor: send it as \`after\`, or in the header \`Last-Event-ID\`, ` +
      "to resume after that event."
  })

/** The groups have the names and titles of the contract's: the scope of a key names groups. */
class CexStreams extends HttpApiGroup.make("cex")
  .add(
    HttpApiEndpoint.get(liveTrades.name, liveTrades.path, {
      params: { exchange: liveTrades.params.exchange.schema, market: liveTrades.params.market.schema },
      query: { after: liveTrades.query.after.schema, since: liveTrades.query.since.schema, apiKey },
      success: Events,
      error: errors(liveTrades.problems)
    }).annotateMerge(describeStream("Follow the trades of a recorded market", "`open`, `trade`, `gap` and `end`"))
  )
  .annotate(OpenApi.Title, "Centralized exchanges") {}

class DexStreams extends HttpApiGroup.make("dex")
  .add(
    HttpApiEndpoint.get(liveSwaps.name, liveSwaps.path, {
      params: {
        exchange: liveSwaps.params.exchange.schema,
        blockchain: liveSwaps.params.blockchain.schema,
        pool: liveSwaps.params.pool.schema
      },
      query: { after: liveSwaps.query.after.schema, apiKey },
      success: Events,
      error: errors(liveSwaps.problems)
    }).annotateMerge(describeStream("Follow the swaps of a pool", "`open`, `swap`, `reorg` and `end`"))
  )
  .annotate(OpenApi.Title, "Decentralized exchanges") {}

class BlocksStreams extends HttpApiGroup.make("blocks")
  .add(
    HttpApiEndpoint.get(liveBlocks.name, liveBlocks.path, {
      params: { blockchain: liveBlocks.params.blockchain.schema },
      query: { after: liveBlocks.query.after.schema, apiKey },
      success: Events,
      error: errors(liveBlocks.problems)
    }).annotateMerge(describeStream("Follow the blocks of a blockchain", "`open`, `block`, `reorg` and `end`"))
  )
  .annotate(OpenApi.Title, "Blocks") {}

/** The streams, with the same middleware as the operations of the contract. */
export class LiveApi extends HttpApi.make("chaintape-live")
  .add(CexStreams)
  .add(DexStreams)
  .add(BlocksStreams)
  .middleware(ParameterCheck)
  .middleware(KeyScope)
  .middleware(RateLimit)
  .middleware(Authorization)
  .annotate(HttpApi.QueryParseOptions, { errors: "all", onExcessProperty: "error" }) {}

import { Authorization, KeyScope, ParameterCheck, RateLimit } from "@chaintape/core/api/Authorization"
import type { AnyProblem } from "@chaintape/core/api/Operation"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { liveBlocks, liveSwaps, liveTrades } from "./LiveOperations.ts"

const asProblem = HttpApiSchema.asJson({ contentType: "application/problem+json" })
const asEvents = HttpApiSchema.asText({ contentType: "text/event-stream" })
const apiKey = Schema.optionalKey(Schema.String)

const errors = <const Problems extends ReadonlyArray<AnyProblem>>(problems: Problems) => problems.map(asProblem)

/** Groups by which keys are limited; in each one stream. */
class CexStreams extends HttpApiGroup.make("cex")
  .add(
    HttpApiEndpoint.get(liveTrades.name, liveTrades.path, {
      params: { exchange: liveTrades.params.exchange.schema, market: liveTrades.params.market.schema },
      query: { after: liveTrades.query.after.schema, since: liveTrades.query.since.schema, apiKey },
      success: asEvents(Schema.String),
      error: errors(liveTrades.problems)
    })
  )
  .middleware(ParameterCheck)
  .middleware(KeyScope)
  .middleware(RateLimit)
  .middleware(Authorization) {}

class DexStreams extends HttpApiGroup.make("dex")
  .add(
    HttpApiEndpoint.get(liveSwaps.name, liveSwaps.path, {
      params: {
        exchange: liveSwaps.params.exchange.schema,
        blockchain: liveSwaps.params.blockchain.schema,
        pool: liveSwaps.params.pool.schema
      },
      query: { after: liveSwaps.query.after.schema, apiKey },
      success: asEvents(Schema.String),
      error: errors(liveSwaps.problems)
    })
  )
  .middleware(ParameterCheck)
  .middleware(KeyScope)
  .middleware(RateLimit)
  .middleware(Authorization) {}

class BlocksStreams extends HttpApiGroup.make("blocks")
  .add(
    HttpApiEndpoint.get(liveBlocks.name, liveBlocks.path, {
      params: { blockchain: liveBlocks.params.blockchain.schema },
      query: { after: liveBlocks.query.after.schema, apiKey },
      success: asEvents(Schema.String),
      error: errors(liveBlocks.problems)
    })
  )
  .middleware(ParameterCheck)
  .middleware(KeyScope)
  .middleware(RateLimit)
  .middleware(Authorization) {}

/** The streams, under the same guards as the operations of the contract. */
export class LiveApi extends HttpApi.make("chaintape-live")
  .add(CexStreams)
  .add(DexStreams)
  .add(BlocksStreams)
  .annotate(HttpApi.QueryParseOptions, { errors: "all", onExcessProperty: "error" }) {}

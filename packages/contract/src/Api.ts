/** The contract: every operation of the interface as an `HttpApi`, from which the server is built. */
import { SystemOperations as System } from "@chaintape/core/operations"
import * as Blocks from "@chaintape/core/operations/blocks"
import * as Cex from "@chaintape/core/operations/cex"
import * as Dex from "@chaintape/core/operations/dex"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Authorization, KeyScope, ParameterCheck, RateLimit } from "./Authorization.ts"
import { openApiDocument } from "./Document.ts"
import { endpoints } from "./internal/endpoint.ts"

const system = [System.ping] as const

const cex = [Cex.exchanges, Cex.exchange, Cex.markets, Cex.trades, Cex.lastTrade, Cex.lastCandle, Cex.candles] as const

const dex = [
  Dex.blockchains,
  Dex.deployments,
  Dex.tokens,
  Dex.tokenTrades,
  Dex.pools,
  Dex.pool,
  Dex.poolTrades,
  Dex.ticks,
  Dex.candles
] as const

const blocks = [Blocks.blockchains, Blocks.blocks] as const

/** Every operation, from the list of each group. */
export const operations = [...system, ...cex, ...dex, ...blocks] as const

/** The group of the operations that need no key. */
class SystemApi extends HttpApiGroup.make("system")
  .add(...endpoints(system))
  .middleware(ParameterCheck)
  .annotateMerge(OpenApi.annotations({ title: "Connectivity", description: "Is the service there?" })) {}

/** The group of the operations on centralized exchanges. */
class CexApi extends HttpApiGroup.make("cex")
  .add(...endpoints(cex))
  .middleware(ParameterCheck)
  .middleware(KeyScope)
  .middleware(RateLimit)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Centralized exchanges",
      description: "Exchanges, their trades and candles"
    })
  ) {}

/** The group of the operations on blocks. */
class BlocksApi extends HttpApiGroup.make("blocks")
  .add(...endpoints(blocks))
  .middleware(ParameterCheck)
  .middleware(KeyScope)
  .middleware(RateLimit)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Blocks", description: "Blockchains and their blocks" })) {}

/** The group of the operations on decentralized exchanges. */
class DexApi extends HttpApiGroup.make("dex")
  .add(...endpoints(dex))
  .middleware(ParameterCheck)
  .middleware(KeyScope)
  .middleware(RateLimit)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Decentralized exchanges",
      description: "Totals, tokens, pools and their trades, as of any block"
    })
  ) {}

/** All groups. One problem reports every invalid parameter of a request; an unknown parameter is invalid, too. */
export class Api extends HttpApi.make("chaintape")
  .add(SystemApi)
  .add(CexApi)
  .add(DexApi)
  .add(BlocksApi)
  .annotate(HttpApi.QueryParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Chaintape",
      version: "2",
      description: "Crypto market and blockchain data. Read-only: every operation is a GET request.",
      license: { name: "MIT", identifier: "MIT" },
      transform: (document) => openApiDocument(document, operations)
    })
  ) {}

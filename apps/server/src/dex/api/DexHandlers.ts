import { Api } from "@chaintape/contract"
import { Blockchain } from "@chaintape/core"
import * as DexOperations from "@chaintape/core/operations/dex"
import { DateTime, Effect, Option } from "effect"
import type { Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { declareCacheable } from "../../internal/handler/Cacheable.ts"
import { dataHeaders } from "../../internal/handler/DataHeaders.ts"
import { handlerGroup } from "../../internal/handler/RequestServices.ts"
import { toHandlerResult } from "../../internal/handler/toHandlerResult.ts"
import { Deployments, readTotals } from "../Deployments.ts"
import type { OpenedView } from "../Deployments.ts"
import type { Order, Page, TokenOrderField, TokenQuery, TradeOrderField, TradeQuery } from "../DexQueries.ts"
import { readCandles, listPools, readPool, readTicks } from "../pools/Pools.ts"
import { readPoolTrades, readTokenTrades } from "../pools/PoolTrades.ts"
import { listTokens } from "../pools/Tokens.ts"
import type { ViewReorgedError } from "../ViewError.ts"

/** Rows are already text, exactly as the schema encodes them: they are not encoded again. */
const render = <S extends Schema.Top>(
  _: S,
  { ephemeral, source, view: { asOf } }: OpenedView,
  body: S["Encoded"],
  pinned: boolean
): S["Type"] =>
  toHandlerResult(
    HttpServerResponse.jsonUnsafe(body, {
      headers: dataHeaders({
        sources: [source],
        asOf: asOf.hash === undefined ? undefined : { ...asOf, hash: asOf.hash },
        // An unproven state may still be found to lack events.
        isImmutable: pinned && asOf.finalized && asOf.proven !== false && !ephemeral
      })
    })
  )

const getOrder = <Field extends string>(field: Field | undefined, direction: "asc" | "desc" | undefined) =>
  field === undefined ? Option.none<Order<Field>>() : Option.some({ field, direction: direction ?? "asc" })

const toSeconds = (time: DateTime.Utc | undefined, round: (value: number) => number) =>
  Option.map(Option.fromUndefinedOr(time), (known) => round(DateTime.toEpochMillis(known) / 1000))

interface PageParameters<Field extends string> extends Page {
  readonly orderBy?: Field | undefined
  readonly orderDirection?: "asc" | "desc" | undefined
}

interface TradeParameters extends PageParameters<TradeOrderField> {
  readonly from?: DateTime.Utc | undefined
  readonly to?: DateTime.Utc | undefined
}

const toTradeQuery = ({ from, limit, orderBy, orderDirection, skip, to }: TradeParameters): TradeQuery => ({
  limit,
  skip,
  order: getOrder(orderBy, orderDirection),
  from: toSeconds(from, Math.ceil),
  to: toSeconds(to, Math.floor)
})

interface TokenParameters extends PageParameters<TokenOrderField | "logo"> {
  readonly tokenId?: string | undefined
  readonly tokenName?: string | undefined
  readonly tokenSymbol?: string | undefined
}

const toTokenQuery = ({ limit, orderBy, orderDirection, skip, ...token }: TokenParameters): TokenQuery => ({
  limit,
  skip,
  // All logos are equal, so their order is that of the ids.
  order: orderBy === "logo" ? getOrder("id", "asc") : getOrder(orderBy, orderDirection),
  symbol: Option.fromUndefinedOr(token.tokenSymbol),
  name: Option.fromUndefinedOr(token.tokenName),
  id: Option.fromUndefinedOr(token.tokenId)
})

/** Reads a view of a deployment. Without a block it is the newest one. */
const makeRespond =
  (deployments: Deployments["Service"]) =>
  <S extends Schema.Top, E, R>(
    success: S,
    { blockchain, exchange }: { readonly exchange: string; readonly blockchain: string },
    block: number | undefined,
    read: (view: OpenedView["view"]) => Effect.Effect<S["Encoded"], E | ViewReorgedError, R>
  ) =>
    deployments.read(
      exchange,
      blockchain,
      Option.fromUndefinedOr(block),
      Effect.fnUntraced(function* (opened) {
        if (opened.isCurrent !== undefined) yield* declareCacheable({ isCurrent: opened.isCurrent })
        return render(success, opened, yield* read(opened.view), block !== undefined)
      })
    )

export const DexHandlers = handlerGroup(
  Effect.gen(function* () {
    const deployments = yield* Deployments
    const respond = makeRespond(deployments)
    return HttpApiBuilder.group(Api, "dex", (handlers) =>
      handlers.handleAll({
        blockchains: ({ params }) =>
          Effect.map(deployments.blockchains(params.exchange), (found) => found.map((one) => new Blockchain(one))),
        deployments: ({ params, query: { block } }) =>
          respond(DexOperations.deployments.success, params, block, readTotals),
        tokens: ({ params, query }) =>
          respond(DexOperations.tokens.success, params, query.block, (view) =>
            listTokens(view, toTokenQuery(query), query.logo)
          ),
        pools: ({ params, query: { block, limit, orderBy, orderDirection, pool, skip } }) =>
          respond(DexOperations.pools.success, params, block, (view) =>
            listPools(view, { limit, skip, order: getOrder(orderBy, orderDirection), id: Option.fromUndefinedOr(pool) })
          ),
        pool: ({ params, query: { block } }) =>
          respond(DexOperations.pool.success, params, block, (view) => readPool(view, params.pool)),
        poolTrades: ({ params, query }) =>
          respond(DexOperations.poolTrades.success, params, query.block, (view) =>
            readPoolTrades(view, params.pool, query, toTradeQuery(query))
          ),
        candles: ({ params, query: { block, from, limit, to } }) =>
          respond(DexOperations.candles.success, params, block, (view) =>
            readCandles(view, params, { limit, from: toSeconds(from, Math.ceil), to: toSeconds(to, Math.floor) })
          ),
        ticks: ({ params, query }) =>
          respond(DexOperations.ticks.success, params, query.block, (view) => readTicks(view, params, query)),
        tokenTrades: ({ params, query }) =>
          respond(DexOperations.tokenTrades.success, params, query.block, (view) =>
            readTokenTrades(view, params.token, query, toTradeQuery(query))
          )
      })
    )
  })
)

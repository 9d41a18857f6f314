import { Api } from "@chaintape/contract"
import { Blockchain } from "@chaintape/core"
import * as DexOperations from "@chaintape/core/operations/dex"
import { DateTime, Effect, Option } from "effect"
import type { Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { declareCacheable } from "../../internal/handler/Cacheable.ts"
import { asOfHeader, immutable } from "../../internal/handler/DataHeaders.ts"
import { ready } from "../../internal/handler/ready.ts"
import { handlerGroup } from "../../internal/handler/RequestServices.ts"
import { Deployments, toBusy, ViewReorged } from "../Deployments.ts"
import type { OpenedView } from "../Deployments.ts"
import { readCandles } from "../pools/PoolCandles.ts"
import { listPools, readPool } from "../pools/Pools.ts"
import { readPoolTrades, readTokenTrades } from "../pools/PoolTrades.ts"
import type { Order, TradeQuery } from "../pools/PoolTrades.ts"
import { readTicks } from "../pools/Ticks.ts"
import { listTokens } from "../pools/Tokens.ts"

const isReorged = (error: unknown): error is ViewReorged => error instanceof ViewReorged

/** If a reorg between two reads removes the view's blocks, the request restarts with a new view. */
const retryOnReorg = <A, E, R>(read: Effect.Effect<A, E | ViewReorged, R>) =>
  read.pipe(Effect.retry({ times: 3, while: isReorged }), Effect.catchIf(isReorged, toBusy))

/** Rows are already text, exactly as the schema encodes them: they are not encoded again. */
const render = <S extends Schema.Top>(
  _: S,
  { ephemeral, source, view: { asOf } }: OpenedView,
  body: S["Encoded"],
  pinned: boolean
): S["Type"] =>
  ready(
    HttpServerResponse.jsonUnsafe(body, {
      headers: {
        "chaintape-source": source,
        ...(asOf.hash === undefined ? {} : asOfHeader({ ...asOf, hash: asOf.hash })),
        // An unproven state may still be found to lack events.
        ...(pinned && asOf.finalized && asOf.proven !== false && !ephemeral ? immutable : {})
      }
    })
  )

const getOrder = <Field extends string>(field: Field | undefined, direction: "asc" | "desc" | undefined) =>
  field === undefined ? Option.none<Order<Field>>() : Option.some({ field, direction: direction ?? "asc" })

const seconds = (time: DateTime.Utc | undefined, round: (value: number) => number) =>
  Option.map(Option.fromUndefinedOr(time), (known) => round(DateTime.toEpochMillis(known) / 1000))

type TradeParameters = {
  readonly limit: number
  readonly skip: number
  readonly orderBy?: Extract<TradeQuery["order"], Option.Some<unknown>>["value"]["field"] | undefined
  readonly orderDirection?: "asc" | "desc" | undefined
  readonly from?: DateTime.Utc | undefined
  readonly to?: DateTime.Utc | undefined
}

const tradeQuery = ({ from, limit, orderBy, orderDirection, skip, to }: TradeParameters): TradeQuery => ({
  limit,
  skip,
  order: getOrder(orderBy, orderDirection),
  from: seconds(from, Math.ceil),
  to: seconds(to, Math.floor)
})

export const DexHandlers = handlerGroup(
  Effect.gen(function* () {
    const deployments = yield* Deployments
    const open = (
      { blockchain, exchange }: { readonly exchange: string; readonly blockchain: string },
      block: number | undefined
    ) =>
      Effect.tap(deployments.open(exchange, blockchain, Option.fromUndefinedOr(block)), ({ isCurrent }) =>
        isCurrent === undefined ? Effect.void : declareCacheable({ isCurrent })
      )

    return HttpApiBuilder.group(Api, "dex", (handlers) =>
      handlers.handleAll({
        blockchains: ({ params }) =>
          Effect.map(deployments.blockchains(params.exchange), (found) => found.map((one) => new Blockchain(one))),
        deployments: Effect.fnUntraced(function* ({ params, query: { block } }) {
          const opened = yield* open(params, block)
          return render(
            DexOperations.deployments.success,
            opened,
            yield* deployments.totals(opened.view),
            block !== undefined
          )
        }, retryOnReorg),
        tokens: Effect.fnUntraced(function* ({ params, query }) {
          const opened = yield* open(params, query.block)
          const { logo, orderBy, orderDirection } = query
          // All logos are equal, so their order is that of the ids.
          const order = getOrder(orderBy === "logo" ? "id" : orderBy, orderBy === "logo" ? "asc" : orderDirection)
          const rows = yield* listTokens(
            opened.view,
            {
              limit: query.limit,
              skip: query.skip,
              order,
              symbol: Option.fromUndefinedOr(query.tokenSymbol),
              name: Option.fromUndefinedOr(query.tokenName),
              id: Option.fromUndefinedOr(query.tokenId)
            },
            logo
          )
          return render(DexOperations.tokens.success, opened, rows, query.block !== undefined)
        }, retryOnReorg),
        pools: Effect.fnUntraced(function* ({ params, query }) {
          const opened = yield* open(params, query.block)
          const rows = yield* listPools(opened.view, {
            limit: query.limit,
            skip: query.skip,
            order: getOrder(query.orderBy, query.orderDirection),
            id: Option.fromUndefinedOr(query.pool)
          })
          return render(DexOperations.pools.success, opened, rows, query.block !== undefined)
        }, retryOnReorg),
        pool: Effect.fnUntraced(function* ({ params, query: { block } }) {
          const opened = yield* open(params, block)
          return render(
            DexOperations.pool.success,
            opened,
            yield* readPool(opened.view, params.pool),
            block !== undefined
          )
        }, retryOnReorg),
        poolTrades: Effect.fnUntraced(function* ({ params, query }) {
          const opened = yield* open(params, query.block)
          const trades = yield* readPoolTrades(opened.view, params.pool, query, tradeQuery(query))
          return render(DexOperations.poolTrades.success, opened, trades, query.block !== undefined)
        }, retryOnReorg),
        candles: Effect.fnUntraced(function* ({ params, query }) {
          const opened = yield* open(params, query.block)
          const { from, limit, to } = query
          const candles = yield* readCandles(opened.view, params, {
            limit,
            from: seconds(from, Math.ceil),
            to: seconds(to, Math.floor)
          })
          return render(DexOperations.candles.success, opened, candles, query.block !== undefined)
        }, retryOnReorg),
        ticks: Effect.fnUntraced(function* ({ params, query }) {
          const opened = yield* open(params, query.block)
          const ticks = yield* readTicks(opened.view, params, query)
          return render(DexOperations.ticks.success, opened, ticks, query.block !== undefined)
        }, retryOnReorg),
        tokenTrades: Effect.fnUntraced(function* ({ params, query }) {
          const opened = yield* open(params, query.block)
          const trades = yield* readTokenTrades(opened.view, params.token, query, tradeQuery(query))
          return render(DexOperations.tokenTrades.success, opened, trades, query.block !== undefined)
        }, retryOnReorg)
      })
    )
  })
)

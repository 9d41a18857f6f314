/** Reads trades: page by page, and live if there is a live stream of them. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import { trades } from "../../api/CexOperations.ts"
import type { InvalidParameter } from "../../problem/Problem.ts"
import type { InvalidCursor, TradesTooDense } from "../../problem/StreamError.ts"
import { checkRequest, tradeOptions } from "../pagination/streamRequest.ts"
import type { CheckedTradesRequest, ReadTrades, TradePage, TradesRequest } from "./tradePage.ts"
import type { TradePosition } from "./tradePosition.ts"
import { makeTradeReader } from "./tradeReader.ts"

/** Each read is one element, which `shape` selects from it. */
export const tradeReading = <A, E, R>(
  read: ReadTrades<E, R>,
  request: TradesRequest,
  shape: (page: TradePage) => ReadonlyArray<A>
): Stream.Stream<A, E | InvalidParameter | InvalidCursor | TradesTooDense, R> =>
  Stream.unwrap(
    checkRequest<CheckedTradesRequest>(trades, request, {
      options: tradeOptions,
      without: ["limit"],
      required: Predicate.hasProperty(request, "cursor") && request.cursor !== undefined ? [] : ["since"]
    }).pipe(
      Effect.flatMap((checked) => makeTradeReader(read, checked)),
      Effect.map(({ next, start }) =>
        Stream.paginate(start, (position: TradePosition) =>
          Effect.map(next(position), (read) => [read.pages.flatMap(shape), read.next] as const)
        )
      )
    )
  )

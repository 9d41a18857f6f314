import {
  type ExchangeNotFound,
  MarketNotFound,
  NoData,
  OperationNotSupported,
  type UpstreamBusy,
  type UpstreamFailed,
  type UpstreamTimeout
} from "@chaintape/core"
import { Effect, type Option } from "effect"
import { toProblem } from "../sources/SourceFailure.ts"
import type { SourceHealth } from "../sources/SourceHealth.ts"
import { toExchangeHealth } from "./ExchangeHealth.ts"
import type { ExchangeError } from "./ExchangeSource.ts"

/** The call of the exchange failed: the tape may have its data. */
type UpstreamProblem = UpstreamFailed | UpstreamBusy | UpstreamTimeout

export type MarketReadProblem = ExchangeNotFound | MarketNotFound | OperationNotSupported | UpstreamProblem

export const isUpstreamProblem = (problem: MarketReadProblem): problem is UpstreamProblem =>
  problem._tag === "UpstreamFailed" || problem._tag === "UpstreamBusy" || problem._tag === "UpstreamTimeout"

/** The response of the exchange, or none if it fails; a market that it does not list stays a problem. */
export const tryExchange = <A>(
  call: Effect.Effect<A, MarketReadProblem>
): Effect.Effect<Option.Option<A>, MarketReadProblem> =>
  call.pipe(
    Effect.asSome,
    // The response's headers report the gap; the health of the source is recorded elsewhere.
    Effect.catchIf(isUpstreamProblem, () => Effect.succeedNone)
  )

export const noTradeYet = (exchange: string, market: string) =>
  new NoData({ exchange, market, detail: `The market "${market}" of "${exchange}" has no trade yet.` })

const toMarketProblem = (error: ExchangeError, market: string) => {
  const { exchange, message, reason, retryAfterMs } = error
  switch (reason) {
    case "MarketNotFound":
      return new MarketNotFound({
        exchange,
        market,
        detail: `The exchange "${exchange}" does not list the market "${market}".`
      })
    case "NotSupported":
      return new OperationNotSupported({ exchange, detail: message })
    case "Rejected":
      return toProblem(exchange, { reason: "BadResponse", message })
    default:
      return toProblem(exchange, { reason, message, retryAfterMs })
  }
}

/** Calls an exchange: a failure becomes a problem, and the outcome is recorded in the health of the source. */
export const makeCallExchange =
  (health: SourceHealth["Service"]) =>
  <A, R>(exchange: string, market: string, call: Effect.Effect<A, ExchangeError, R>) => {
    const { failed, succeeded } = toExchangeHealth(health, exchange)
    return call.pipe(
      Effect.tap(() => succeeded),
      Effect.tapError(failed),
      Effect.mapError((error) => toMarketProblem(error, market))
    )
  }

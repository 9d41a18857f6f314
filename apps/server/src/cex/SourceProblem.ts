import {
  type ExchangeNotFound,
  MarketNotFound,
  OperationNotSupported,
  type UpstreamBusy,
  type UpstreamFailed,
  type UpstreamTimeout
} from "@chaintape/core"
import { Effect } from "effect"
import { toProblem } from "../sources/SourceFailure.ts"
import type { SourceHealth } from "../sources/SourceHealth.ts"
import type { ExchangeError } from "./ExchangeSource.ts"

export type MarketReadProblem =
  | ExchangeNotFound
  | MarketNotFound
  | OperationNotSupported
  | UpstreamFailed
  | UpstreamBusy
  | UpstreamTimeout

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
    default:
      return toProblem(exchange, { reason, message, retryAfterMs })
  }
}

const reasonsUnrelatedToHealth: ReadonlyArray<ExchangeError["reason"]> = ["MarketNotFound", "NotSupported"]

/** Records the failure in the health of the exchange. */
export const recordFailure =
  (health: SourceHealth["Service"]) =>
  ({ exchange, message, reason }: ExchangeError): Effect.Effect<void> =>
    reasonsUnrelatedToHealth.includes(reason) ? Effect.void : health.exchange.failed(exchange, message)

/** Calls an exchange: a failure becomes a problem, and the outcome is recorded in the health of the source. */
export const makeAsk =
  (health: SourceHealth["Service"]) =>
  <A, R>(exchange: string, market: string, call: Effect.Effect<A, ExchangeError, R>) =>
    call.pipe(
      Effect.tap(() => health.exchange.succeeded(exchange)),
      Effect.tapError(recordFailure(health)),
      Effect.mapError((error) => toMarketProblem(error, market))
    )

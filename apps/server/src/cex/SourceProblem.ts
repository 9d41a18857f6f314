import type { ExchangeNotFound } from "@chaintape/core/cex/CexProblem"
import { MarketNotFound, OperationNotSupported } from "@chaintape/core/cex/CexProblem"
import type { UpstreamBusy, UpstreamFailed, UpstreamTimeout } from "@chaintape/core/problem/Problem"
import { Effect } from "effect"
import type { SourceHealth } from "../sources/SourceHealth.ts"
import { upstreamProblem } from "../sources/UpstreamProblem.ts"
import type { ExchangeError } from "./ExchangeSource.ts"

export type MarketReadProblem =
  | ExchangeNotFound
  | MarketNotFound
  | OperationNotSupported
  | UpstreamFailed
  | UpstreamBusy
  | UpstreamTimeout

const toProblem = (error: ExchangeError, market: string) => {
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
    case "Busy":
    case "Timeout":
    case "Unavailable":
    case "Refused":
    case "BadResponse":
      return upstreamProblem(exchange, { reason, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })
  }
}

const saysNothingOfTheSource: ReadonlyArray<ExchangeError["reason"]> = ["MarketNotFound", "NotSupported"]

/** Keeps the health of the exchange that failed. */
export const notingFailures =
  (health: SourceHealth["Service"]) =>
  ({ exchange, message, reason }: ExchangeError): Effect.Effect<void> =>
    saysNothingOfTheSource.includes(reason) ? Effect.void : health.failed(exchange, message)

/** Asks an exchange: a failure becomes the caller's problem, and the health of the source is kept. */
export const askingWith =
  (health: SourceHealth["Service"]) =>
  <A, R>(exchange: string, market: string, ask: Effect.Effect<A, ExchangeError, R>) =>
    ask.pipe(
      Effect.tap(() => health.succeeded(exchange)),
      Effect.tapError(notingFailures(health)),
      Effect.mapError((error) => toProblem(error, market))
    )

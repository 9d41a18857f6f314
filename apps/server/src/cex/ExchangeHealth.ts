import { Effect } from "effect"
import type { SourceHealth } from "../sources/SourceHealth.ts"
import { isUnsupported } from "./ExchangeSource.ts"
import type { ExchangeError } from "./ExchangeSource.ts"

/** Receives the outcomes of calls to an exchange. */
export interface ExchangeHealth {
  readonly succeeded: Effect.Effect<void>
  readonly failed: (error: ExchangeError) => Effect.Effect<void>
}

/** Records the outcomes of calls in the health of an exchange. */
export const toExchangeHealth = (health: SourceHealth["Service"], exchange: string): ExchangeHealth => ({
  succeeded: health.exchange.succeeded(exchange),
  failed: (error) => (isUnsupported(error) ? Effect.void : health.exchange.failed(exchange, error.message))
})

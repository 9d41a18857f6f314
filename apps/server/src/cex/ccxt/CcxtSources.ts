import { Layer } from "effect"
import type { ExchangeSource } from "../ExchangeSource.ts"
import type { TradeFlow } from "../TradeFlow.ts"
import type { CallLimits } from "./calls/CallLimits.ts"
import * as CcxtExchangeSource from "./CcxtExchangeSource.ts"
import * as CcxtTradeFlow from "./CcxtTradeFlow.ts"
import { CcxtConnections } from "./upstream/CcxtConnections.ts"
import type { CcxtExchangeEntry } from "./upstream/CcxtConnections.ts"

/** Both ports over one connection per exchange, so that requests of callers have priority over those of recordings. */
export const layer = (
  exchanges: ReadonlyArray<CcxtExchangeEntry>,
  limits: Partial<CallLimits> = {}
): Layer.Layer<ExchangeSource | TradeFlow> =>
  Layer.mergeAll(CcxtExchangeSource.layer, CcxtTradeFlow.layer).pipe(
    Layer.provide(CcxtConnections.layer(exchanges, limits))
  )

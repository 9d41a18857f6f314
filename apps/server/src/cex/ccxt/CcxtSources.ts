import { Layer } from "effect"
import type { ExchangeSource } from "../ExchangeSource.ts"
import type { TradeFlow } from "../TradeFlow.ts"
import { CcxtConnections } from "./CcxtConnections.ts"
import type { CcxtExchangeEntry } from "./CcxtConnections.ts"
import { CcxtExchangeSource } from "./CcxtExchangeSource.ts"
import { CcxtTradeFlow } from "./CcxtTradeFlow.ts"
import type { Limits } from "./Limits.ts"

/** Both ports over one connection for each exchange, so that reads of callers go before those of recordings. */
export const layer = (
  exchanges: ReadonlyArray<CcxtExchangeEntry>,
  limits: Partial<Limits> = {}
): Layer.Layer<ExchangeSource | TradeFlow> =>
  Layer.mergeAll(CcxtExchangeSource.layerNoDeps, CcxtTradeFlow.layerNoDeps).pipe(
    Layer.provide(CcxtConnections.layer(exchanges, limits))
  )

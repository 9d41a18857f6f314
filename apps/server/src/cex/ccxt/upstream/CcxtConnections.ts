import { Context, Effect, Layer, RcMap } from "effect"
import type { Scope } from "effect"
import { ExchangeError } from "../../ExchangeSource.ts"
import type { CallLimits } from "../calls/CallLimits.ts"
import { defaultCallLimits } from "../calls/CallLimits.ts"
import { catalogExchange } from "../catalog/Catalog.ts"
import type { ExchangeAddresses } from "../class/CcxtOptions.ts"
import { makeUpstream } from "./Upstream.ts"
import type { Upstream } from "./Upstream.ts"

/** An exchange of the configuration: one of ccxt's, or one with the same protocol at another address. */
export interface CcxtExchangeEntry extends ExchangeAddresses {
  readonly id: string
  /** The ccxt id whose class is used; the entry's own id if absent. */
  readonly driver?: string | undefined
}

/**
 * The one connection of each exchange, with its queue, its rate limit, its circuit breaker and its market list. A
 * connection that nothing has held for `idleMs` is released.
 */
export class CcxtConnections extends Context.Service<
  CcxtConnections,
  {
    readonly open: (exchange: string) => Effect.Effect<Upstream, ExchangeError, Scope.Scope>
  }
>()("@chaintape/server/cex/ccxt/upstream/CcxtConnections") {
  /**
   * Ids without an entry are those of the catalog. `limits` are for tests and for a private exchange with higher
   * limits.
   */
  static readonly layer = (
    exchanges: ReadonlyArray<CcxtExchangeEntry>,
    limits: Partial<CallLimits> = {}
  ): Layer.Layer<CcxtConnections> =>
    Layer.effect(
      CcxtConnections,
      Effect.gen(function* () {
        const entries = new Map(exchanges.map((entry) => [entry.id, entry]))
        const settings = { ...defaultCallLimits, ...limits }
        const connect = (id: string) =>
          Effect.suspend(() => {
            const entry = entries.get(id) ?? { id }
            const driver = catalogExchange(entry.driver ?? id)
            return driver === undefined
              ? Effect.fail(
                  new ExchangeError({ exchange: id, reason: "NotSupported", message: `There is no exchange "${id}".` })
                )
              : makeUpstream({ ...entry, driver, limits: settings })
          })
        const upstreams = yield* RcMap.make({ lookup: connect, idleTimeToLive: settings.idleMs })
        return CcxtConnections.of({ open: (id) => RcMap.get(upstreams, id) })
      })
    )
}

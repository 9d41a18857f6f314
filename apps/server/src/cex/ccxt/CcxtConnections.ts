import { Context, Effect, Layer, Scope } from "effect"
import { ExchangeError } from "../ExchangeSource.ts"
import { catalogExchange } from "./Catalog.ts"
import type { KnownMarket } from "./internal/CcxtExchange.ts"
import type { Limits } from "./Limits.ts"
import { defaultLimits } from "./Limits.ts"
import { makeSharedCalls } from "./SharedCalls.ts"
import { makeUpstream } from "./Upstream.ts"
import type { Upstream } from "./Upstream.ts"

/** An exchange of the configuration: one of ccxt's, or one that speaks like it at another address. */
export interface CcxtExchangeEntry {
  readonly id: string
  /** The ccxt id whose class speaks with it; the entry's own id if absent. */
  readonly driver?: string | undefined
  /** Scheme, host and port in place of those of every REST address. */
  readonly rest?: string | undefined
  /** The same for its stream. An entry with `rest` alone has none. */
  readonly websocket?: string | undefined
  /** Stands in for the exchange's list of markets, which is then never asked for. */
  readonly markets?: ReadonlyArray<KnownMarket> | undefined
}

/** The one connection of each exchange, with its queue, its pace and its circuit breaker. */
export class CcxtConnections extends Context.Service<
  CcxtConnections,
  {
    readonly open: (exchange: string) => Effect.Effect<Upstream, ExchangeError>
  }
>()("@chaintape/server/cex/ccxt/CcxtConnections") {
  /**
   * Ids without an entry are those of the catalog. `limits` are for tests and for a private exchange that can take
   * more.
   */
  static readonly layer = (
    exchanges: ReadonlyArray<CcxtExchangeEntry>,
    limits: Partial<Limits> = {}
  ): Layer.Layer<CcxtConnections> =>
    Layer.effect(
      CcxtConnections,
      Effect.gen(function* () {
        const scope = yield* Effect.scope
        const entries = new Map(exchanges.map((entry) => [entry.id, entry]))
        const upstreams = yield* makeSharedCalls<Upstream, ExchangeError>()
        const settings = { ...defaultLimits, ...limits }
        const connect = (id: string) =>
          Effect.suspend(() => {
            const entry = entries.get(id) ?? { id }
            const driver = catalogExchange(entry.driver ?? id)
            return driver === undefined
              ? Effect.fail(
                  new ExchangeError({ exchange: id, reason: "NotSupported", message: `There is no exchange "${id}".` })
                )
              : Effect.provideService(makeUpstream({ ...entry, driver, limits: settings }), Scope.Scope, scope)
          })
        return CcxtConnections.of({
          open: (id) => upstreams.get(id, connect(id), { freshMs: Infinity, isKept: true })
        })
      })
    )
}

import { type Exchange, ExchangeNotFound, OperationNotSupported } from "@chaintape/core"
import { Context, Effect, Layer } from "effect"

/** The exchanges and what each supports. */
export class Exchanges extends Context.Service<
  Exchanges,
  {
    /** By id, ascending. */
    readonly all: ReadonlyArray<Exchange>
    readonly get: (id: string) => Effect.Effect<Exchange, ExchangeNotFound>
    /** The exchange, if its trades can be read. */
    readonly withTrades: (id: string) => Effect.Effect<Exchange, ExchangeNotFound | OperationNotSupported>
  }
>()("@chaintape/server/cex/Exchanges") {
  static readonly layer = (all: ReadonlyArray<Exchange>) =>
    Layer.sync(Exchanges, () => {
      const byId = new Map(all.map((exchange) => [exchange.id, exchange]))
      const get = (id: string) =>
        Effect.mapError(
          Effect.fromNullishOr(byId.get(id)),
          () =>
            new ExchangeNotFound({
              exchange: id,
              detail: `There is no exchange "${id}": /v2/cex/exchanges lists those there are.`
            })
        )
      return Exchanges.of({
        all,
        get,
        withTrades: (id) =>
          Effect.filterOrFail(
            get(id),
            ({ hasTrades }) => hasTrades,
            () =>
              new OperationNotSupported({
                exchange: id,
                detail: `The exchange "${id}" does not offer its trades without an account.`
              })
          )
      })
    })
}

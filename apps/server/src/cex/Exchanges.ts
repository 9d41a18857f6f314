import { type Exchange, ExchangeNotFound, OperationNotSupported } from "@chaintape/core"
import { Context, Effect, Layer, Option } from "effect"
import { ExchangeCatalog } from "./ExchangeCatalog.ts"

/** The exchanges and what each supports. */
export class Exchanges extends Context.Service<
  Exchanges,
  {
    readonly all: ReadonlyArray<Exchange>
    readonly get: (id: string) => Effect.Effect<Exchange, ExchangeNotFound>
    /** The exchange, if its trades can be read. */
    readonly withTrades: (id: string) => Effect.Effect<Exchange, ExchangeNotFound | OperationNotSupported>
  }
>()("@chaintape/server/cex/Exchanges") {
  static readonly layer = Layer.effect(
    Exchanges,
    Effect.gen(function* () {
      const catalog = yield* ExchangeCatalog
      const get = (id: string) =>
        Option.match(catalog.get(id), {
          onSome: Effect.succeed,
          onNone: () =>
            Effect.fail(
              new ExchangeNotFound({
                exchange: id,
                detail: `There is no exchange "${id}": /v2/cex/exchanges lists those there are.`
              })
            )
        })
      return Exchanges.of({
        all: catalog.all,
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
  )
}

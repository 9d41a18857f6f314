import { Cex } from "@chaintape/cex"
import { Client, type Coverage, type Market } from "@chaintape/core"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { AccessKey } from "../service/AccessKey.ts"
import { toSentence } from "../service/Sentence.ts"
import type { ReadError } from "../service/Sentence.ts"
import { connect } from "../service/ServiceClient.ts"
import type { Failure } from "../terminal/Failure.ts"
import { toFailure } from "../terminal/Failure.ts"
import type { TradeText } from "./TradeText.ts"
import { tradeTexts } from "./TradeText.ts"

export interface TradePage {
  /** Oldest first. */
  readonly trades: ReadonlyArray<TradeText>
  readonly state: Coverage["state"]
  /** Unix milliseconds: the range of `state`. */
  readonly from: Option.Option<number>
  readonly to: Option.Option<number>
}

/** The trades of a running service, with the digits of its responses. */
export class TradePages extends Context.Service<
  TradePages,
  {
    /** Fails if the service, the key or the exchange does not exist. */
    readonly check: (exchange: string) => Effect.Effect<void, Failure>
    /** The first `limit` trades at or after `since` (Unix milliseconds), or the latest ones. */
    readonly read: (request: {
      readonly exchange: string
      readonly market: Market
      readonly since: Option.Option<number>
      readonly limit: number
    }) => Effect.Effect<TradePage, Failure>
  }
>()("@chaintape/server/cli/trades/TradePages") {
  static readonly layer = (url: URL, key: Option.Option<AccessKey>) =>
    Layer.effect(
      TradePages,
      Effect.gen(function* () {
        const service = yield* connect(url, key)
        const cexOf = (client: Client["Service"]) =>
          Cex.layerNoDeps.pipe(
            Layer.provide(Layer.succeed(Client, client)),
            Layer.build,
            Effect.map((built) => Context.get(built, Cex))
          )
        const first = yield* cexOf(service.eager)
        const cex = yield* cexOf(service.patient)
        const inWords = Effect.mapError((error: ReadError) => toFailure(toSentence(error, url, key)))

        return TradePages.of({
          check: (exchange) => first.exchange({ exchange }).pipe(inWords, Effect.asVoid),
          read: Effect.fn("TradePages.read")(function* ({ exchange, limit, market, since }) {
            const from = Option.getOrUndefined(Option.map(since, DateTime.makeUnsafe))
            const answer = yield* cex.withResponse.trades({ exchange, market, limit, since: from }).pipe(inWords)
            const texts = tradeTexts(yield* service.body)
            if (texts === undefined || texts.length !== answer.value.trades.length) {
              return yield* toFailure(
                `The answer of ${url.origin} is not written as this program reads it: do their versions differ?`
              )
            }
            const bound = (name: "from" | "to") =>
              Option.map(
                Option.flatMap(answer.coverage, (known) => known[name]),
                DateTime.toEpochMillis
              )
            return {
              trades: texts,
              state: Option.match(answer.coverage, { onNone: () => "unverifiable", onSome: ({ state }) => state }),
              from: bound("from"),
              to: bound("to")
            }
          })
        })
      })
    )
}

import type { Timeframe } from "@chaintape/core"
import { Effect, Layer, Option, Schema } from "effect"
import { RedisLink } from "../store/RedisLink.ts"
import type { ExchangeError, MarketName } from "./ExchangeSource.ts"
import { ExchangeSource, newestFreshMs, newestPage, SourceCandle, SourceTrades } from "./ExchangeSource.ts"

const toCallName = (exchange: string, { base, quote }: MarketName, what: number | Timeframe) =>
  JSON.stringify([exchange, base, quote, what])

/**
 * The newest trades and the newest candle of an exchange, requested once for all instances that share a Redis: an
 * exchange limits the address that the instances share, however many they are.
 */
export const layer: Layer.Layer<ExchangeSource, never, ExchangeSource | RedisLink> = Layer.effect(
  ExchangeSource,
  Effect.gen(function* () {
    const source = yield* ExchangeSource
    const { prefix, send } = yield* RedisLink

    /** Shares calls by their name. An entry that another version of the service wrote does not decode and is ignored. */
    const share = <A, I>(schema: Schema.Codec<A, I>) => {
      const json = Schema.fromJsonString(schema)
      const decode = Schema.decodeUnknownOption(json)
      const encode = Schema.encodeSync(json)
      return Effect.fnUntraced(function* (name: string, call: Effect.Effect<A, ExchangeError>) {
        const key = `${prefix}newest:${name}`
        const found = Option.flatMap(yield* send(["GET", key], Option.some), decode)
        if (Option.isSome(found)) return found.value
        return yield* Effect.tap(call, (value) =>
          send(["SET", key, encode(value), "PX", `${newestFreshMs}`], Option.some)
        )
      })
    }
    const shareTrades = share(SourceTrades)
    const shareCandle = share(Schema.OptionFromNullOr(SourceCandle))

    return ExchangeSource.of({
      markets: source.markets,
      candles: source.candles,
      trades: (exchange, market, request) => {
        const call = source.trades(exchange, market, request)
        return Option.isSome(request.since) || Option.isSome(request.before) || request.limit > newestPage
          ? call
          : shareTrades(toCallName(exchange, market, request.limit), call)
      },
      lastCandle: (exchange, market, timeframe) =>
        shareCandle(toCallName(exchange, market, timeframe), source.lastCandle(exchange, market, timeframe))
    })
  })
)

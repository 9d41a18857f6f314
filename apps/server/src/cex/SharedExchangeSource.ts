import type { Timeframe } from "@chaintape/core"
import { Effect, Layer, Option, Schema } from "effect"
import * as ExactDecimal from "../internal/ExactDecimal.ts"
import { RedisLink } from "../store/RedisLink.ts"
import type { ExchangeError, MarketName } from "./ExchangeSource.ts"
import { ExchangeSource, newestFreshMs, newestPage } from "./ExchangeSource.ts"

const Decimal = Schema.String.check(Schema.makeFilter((text) => ExactDecimal.canonical(text) === text))

const Trades = Schema.Struct({
  trades: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      timestamp: Schema.Int,
      price: Decimal,
      size: Decimal,
      cost: Decimal,
      side: Schema.Literals(["buy", "sell"])
    })
  ),
  completeness: Schema.Literals(["complete", "incomplete", "unverifiable"])
})

const Candle = Schema.OptionFromNullOr(
  Schema.Struct({
    start: Schema.Int,
    open: Decimal,
    high: Decimal,
    low: Decimal,
    close: Decimal,
    volume: Decimal
  })
)

/** The entry in Redis. An entry written by another version of the service does not decode and is ignored. */
const storedAs = <A, I>(schema: Schema.Codec<A, I>) => {
  const json = Schema.fromJsonString(schema)
  return { decode: Schema.decodeUnknownOption(json), encode: Schema.encodeSync(json) }
}

const trades = storedAs(Trades)
const candle = storedAs(Candle)

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

    const shared = <A>(
      name: string,
      {
        decode,
        encode
      }: { readonly decode: (json: unknown) => Option.Option<A>; readonly encode: (value: A) => string },
      call: Effect.Effect<A, ExchangeError>
    ) => {
      const key = `${prefix}newest:${name}`
      return Effect.flatMap(send(["GET", key], Option.some), (found) =>
        Option.match(Option.flatMap(found, decode), {
          onSome: Effect.succeed,
          onNone: () =>
            Effect.tap(call, (value) => send(["SET", key, encode(value), "PX", `${newestFreshMs}`], Option.some))
        })
      )
    }

    return ExchangeSource.of({
      markets: source.markets,
      candles: source.candles,
      trades: (exchange, market, request) => {
        const call = source.trades(exchange, market, request)
        return Option.isSome(request.since) || Option.isSome(request.before) || request.limit > newestPage
          ? call
          : shared(toCallName(exchange, market, request.limit), trades, call)
      },
      lastCandle: (exchange, market, timeframe) =>
        shared(toCallName(exchange, market, timeframe), candle, source.lastCandle(exchange, market, timeframe))
    })
  })
)

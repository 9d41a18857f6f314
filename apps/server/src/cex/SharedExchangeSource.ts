import type { Timeframe } from "@chaintape/core/cex/Timeframe"
import { Effect, Layer, Option, Schema } from "effect"
import { RedisLink } from "../store/RedisLink.ts"
import * as ExactDecimal from "./ExactDecimal.ts"
import type { ExchangeError, MarketPair } from "./ExchangeSource.ts"
import { ExchangeSource } from "./ExchangeSource.ts"

/** As long as the adapter gives an answer to the callers of its own instance. */
const freshMs = 500

/** Of the newest trades, what an exchange gives in one page. */
const most = 1000

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

/** What stands in Redis: another instance may be of another version, and what it wrote is then not read. */
const storedAs = <A, I>(schema: Schema.Codec<A, I>) => {
  const json = Schema.fromJsonString(schema)
  return { decode: Schema.decodeUnknownOption(json), encode: Schema.encodeSync(json) }
}

const trades = storedAs(Trades)
const candle = storedAs(Candle)

const placeOf = (exchange: string, { base, quote }: MarketPair, what: number | Timeframe) =>
  JSON.stringify([exchange, base, quote, what])

/**
 * The newest trades and the newest candle of an exchange, asked for once by all instances that share a Redis: the limits
 * of an exchange are those of the address that the instances have in common, however many they are.
 */
export const layer: Layer.Layer<ExchangeSource, never, ExchangeSource | RedisLink> = Layer.effect(
  ExchangeSource,
  Effect.gen(function* () {
    const source = yield* ExchangeSource
    const { ask, prefix } = yield* RedisLink

    const shared = <A>(
      place: string,
      {
        decode,
        encode
      }: { readonly decode: (json: unknown) => Option.Option<A>; readonly encode: (value: A) => string },
      call: Effect.Effect<A, ExchangeError>
    ) => {
      const key = `${prefix}newest:${place}`
      return Effect.flatMap(
        ask((redis) => redis.send<unknown>("GET", key)),
        (found) =>
          Option.match(Option.flatMap(found, decode), {
            onSome: Effect.succeed,
            onNone: () =>
              Effect.tap(call, (value) => ask((redis) => redis.send("SET", key, encode(value), "PX", String(freshMs))))
          })
      )
    }

    return ExchangeSource.of({
      trades: (exchange, market, request) => {
        const call = source.trades(exchange, market, request)
        return Option.isSome(request.since) || Option.isSome(request.before) || request.limit > most
          ? call
          : shared(placeOf(exchange, market, request.limit), trades, call)
      },
      lastCandle: (exchange, market, timeframe) =>
        shared(placeOf(exchange, market, timeframe), candle, source.lastCandle(exchange, market, timeframe))
    })
  })
)

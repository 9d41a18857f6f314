/**
 * Candles (aggregates) of a market on a centralized exchange.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { DecimalNumber } from "../internal/decode/exactNumbers.ts"
import { Decimal } from "../number/Decimal.ts"
import { Milliseconds } from "../time/Timestamp.ts"
import { Market } from "./Market.ts"
import { Timeframe, timeframeSeconds } from "./Timeframe.ts"

const listing = {
  /** The id of the exchange. */
  exchange: Schema.String,
  /** The market as `BASE/QUOTE`. */
  market: Market,
  /** The length of a candle. */
  timeframe: Timeframe
}

const NamedValues = Schema.Struct({
  /** The start of the candle, in UTC. */
  openTime: Schema.DateTimeUtc,
  /** The price of its first trade, in the quote. */
  open: Decimal,
  /** Its highest price, in the quote. */
  high: Decimal,
  /** Its lowest price, in the quote. */
  low: Decimal,
  /** The price of its last trade, in the quote. */
  close: Decimal,
  /** The quantity that was traded, in the base. */
  volume: Decimal
})

const Named = Schema.Struct({ ...listing, ...NamedValues.fields })

const wireWith = (decimal: Schema.Codec<Decimal, unknown>) => ({
  t: Milliseconds,
  o: decimal,
  h: decimal,
  l: decimal,
  c: decimal,
  v: decimal
})

type Values = typeof NamedValues.Type
interface Wire {
  readonly t: Values["openTime"]
  readonly o: Decimal
  readonly h: Decimal
  readonly l: Decimal
  readonly c: Decimal
  readonly v: Decimal
}

interface Listing {
  readonly exchange: string
  readonly market: Market
  readonly timeframe: Timeframe
}
interface NamedList extends Listing {
  readonly candles: ReadonlyArray<Values>
}
interface WireList extends Listing {
  readonly aggregates: ReadonlyArray<Wire>
}

const toNamed = ({ c, h, l, o, t, v }: Wire): Values => ({ openTime: t, open: o, high: h, low: l, close: c, volume: v })

const toWire = ({ close, high, low, open, openTime, volume }: Values): Wire => ({
  t: openTime,
  o: open,
  h: high,
  l: low,
  c: close,
  v: volume
})

/** The wire has names of one letter. */
const candleWith = (decimal: Schema.Codec<Decimal, unknown>) =>
  Schema.Struct({ ...listing, ...wireWith(decimal) })
    .annotate({ identifier: "Candle" })
    .pipe(
      Schema.decodeTo(
        Schema.toType(Named),
        SchemaTransformation.transform({
          decode: ({ c, h, l, o, t, v, ...rest }) => ({ ...rest, ...toNamed({ c, h, l, o, t, v }) }),
          encode: ({ close, high, low, open, openTime, volume, ...rest }) => ({
            ...rest,
            ...toWire({ close, high, low, open, openTime, volume })
          })
        })
      )
    )

const candlesWith = (decimal: Schema.Codec<Decimal, unknown>) =>
  Schema.Struct({
    ...listing,
    aggregates: Schema.Array(Schema.Struct(wireWith(decimal)).annotate({ identifier: "CandleOfList" }))
  })
    .annotate({ identifier: "Candles" })
    .pipe(
      Schema.decodeTo(
        Schema.toType(
          Schema.Struct({
            ...listing,
            /** Oldest first. */
            candles: Schema.Array(NamedValues)
          })
        ),
        SchemaTransformation.transform<NamedList, WireList>({
          decode: ({ aggregates, ...rest }) => ({ ...rest, candles: aggregates.map(toNamed) }),
          encode: ({ candles, ...rest }) => ({ ...rest, aggregates: candles.map(toWire) })
        })
      )
    )

/**
 * One candle. `openTime` is its start; prices are in the quote, the volume in the base. All five are decimals with every
 * digit.
 *
 * @since 0.1.0
 * @category models
 */
export const Candle = candleWith(DecimalNumber).annotate({ description: "Candle" })

/**
 * @since 0.1.0
 * @category models
 */
export type Candle = typeof Candle.Type

/** The time of a candle of either client. A type, because the declarations of a consumer cannot name an interface. */
type CandleTime = {
  readonly openTime: Candle["openTime"] | Date
  readonly timeframe: Candle["timeframe"]
}

/**
 * The end of a candle, where the next one starts: it contains the trades before it.
 *
 * @example
 * ```ts
 * import { type Candle, candleEnd } from "@chaintape/core"
 * import * as DateTime from "effect/DateTime"
 *
 * const describe = (candle: Candle): string => `${candle.close} at ${DateTime.formatIso(candleEnd(candle))}`
 * ```
 *
 * @since 0.1.0
 * @category times
 */
export const candleEnd = ({ openTime, timeframe }: CandleTime): DateTime.Utc =>
  DateTime.add(DateTime.toUtc(DateTime.makeUnsafe(openTime)), { seconds: timeframeSeconds[timeframe] })

/** Seconds after the end of a candle. */
const grace = 10

/**
 * Whether a candle is closed by the clock of the caller: it ended ten seconds ago, as the service counts. `candleClosed`
 * of the answer takes precedence. A trade that the exchange shows later still changes a closed candle.
 *
 * @example
 * ```ts
 * import { type Candle, isCandleClosed } from "@chaintape/core"
 * import * as DateTime from "effect/DateTime"
 * import * as Effect from "effect/Effect"
 *
 * const isClosed = (candle: Candle) => Effect.map(DateTime.now, (now) => isCandleClosed(candle, now))
 * ```
 *
 * @since 0.1.0
 * @category times
 */
export const isCandleClosed = (candle: CandleTime, now: DateTime.DateTime | Date): boolean =>
  DateTime.isGreaterThanOrEqualTo(DateTime.makeUnsafe(now), DateTime.add(candleEnd(candle), { seconds: grace }))

/**
 * A candle in a text whose decimals are strings.
 *
 * @since 0.1.0
 * @category schemas
 */
export const CandleInText = /* @__PURE__ */ candleWith(Decimal)

/**
 * Candles of one market, oldest first; an interval without a trade has none. An addition beside the specified interface.
 *
 * @example
 * ```ts
 * import { type Candles, Decimal } from "@chaintape/core"
 *
 * const volume = ({ candles }: Candles): Decimal.Decimal => Decimal.sum(candles.map(({ volume }) => volume))
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export const Candles = /* @__PURE__ */ candlesWith(DecimalNumber)

/**
 * @since 0.1.0
 * @category models
 */
export type Candles = typeof Candles.Type

/**
 * Candles in a text whose decimals are strings.
 *
 * @since 0.1.0
 * @category schemas
 */
export const CandlesInText = /* @__PURE__ */ candlesWith(Decimal)

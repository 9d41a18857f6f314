/** Cursors as text: versioned JSON in base64url, which needs no escaping in URLs and file names. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { InvalidCursor } from "../../stream/StreamError.ts"

const Int = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** The largest time value of a date. */
const latestTime = 8_640_000_000_000_000

const asText = <S extends Schema.Codec<unknown, unknown>>(schema: S) =>
  Schema.StringFromBase64Url.pipe(Schema.decodeTo(Schema.fromJsonString(schema)))

/** The position of a reader of trades: times in Unix milliseconds. */
const TradeCursor = Schema.Struct({
  version: Schema.Literal(1),
  of: Schema.Literal("cex.trades"),
  exchange: Schema.String,
  market: Schema.String,
  at: Int,
  certain: Int,
  /** Ids of trades that were already read, with their milliseconds after `certain`. */
  known: Schema.Array(Schema.Tuple([Schema.String, Int]))
}).check(
  Schema.makeFilter(
    ({ at, certain, known }) =>
      certain <= at && at <= latestTime && known.every(([, after]) => certain + after <= latestTime)
  )
)

/** The position of a reader of a list. */
const ListCursor = Schema.Struct({
  version: Schema.Literal(1),
  of: Schema.String,
  /** The kind of the list's elements. */
  request: Schema.String,
  block: Schema.String.check(Schema.isPattern(/^(0|[1-9]\d*)$/)),
  hash: Schema.String,
  skip: Int
})

/** The position of a reader of a chain, whose newest blocks may be replaced. */
const ChainCursor = Schema.Struct({
  version: Schema.Literal(1),
  of: Schema.String,
  /** What is read from the chain. */
  request: Schema.String,
  /** Blocks up to which everything was read, the newest last: number, hash, and 1 if the block was queried. */
  marks: Schema.NonEmptyArray(Schema.Tuple([Int, Schema.String, Schema.Literals([0, 1])])),
  /** The last log read of the newest of them, if some are left. */
  log: Schema.optionalKey(Int)
})

/** The members of every cursor. */
const decodeAny = Schema.decodeOption(asText(Schema.Struct({ version: Schema.Literal(1), of: Schema.String })))

export type TradeCursor = typeof TradeCursor.Type
export type ListCursor = typeof ListCursor.Type
export type ChainCursor = typeof ChainCursor.Type

const reading =
  <A, E>(decode: (text: string) => Effect.Effect<A, E>) =>
  (operation: string, text: string): Effect.Effect<A, InvalidCursor> =>
    Effect.mapError(decode(text), () => {
      const of = Option.getOrUndefined(Option.map(decodeAny(text), (cursor) => cursor.of))
      return new InvalidCursor({
        operation,
        detail:
          of === undefined || of === operation
            ? "it is damaged, or of another version of this package"
            : `it belongs to "${of}"`
      })
    })

export const decodeTradeCursor = reading(Schema.decodeEffect(asText(TradeCursor)))
export const encodeTradeCursor = Schema.encodeSync(asText(TradeCursor))
export const decodeListCursor = reading(Schema.decodeEffect(asText(ListCursor)))
export const encodeListCursor = Schema.encodeSync(asText(ListCursor))
export const decodeChainCursor = reading(Schema.decodeEffect(asText(ChainCursor)))
export const encodeChainCursor = Schema.encodeSync(asText(ChainCursor))

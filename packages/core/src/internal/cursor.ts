/** Cursors as text: versioned JSON in base64url, whose characters a URL, a file name and a column take as they are. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { InvalidCursor } from "../stream/StreamError.ts"

const Int = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** The last millisecond that a date can have. */
const latestTime = 8_640_000_000_000_000

const asText = <S extends Schema.Codec<unknown, unknown>>(schema: S) =>
  Schema.StringFromBase64Url.pipe(Schema.decodeTo(Schema.fromJsonString(schema)))

/** Where the reading of trades stands: times in Unix milliseconds. */
const TradeCursor = Schema.Struct({
  version: Schema.Literal(1),
  of: Schema.Literal("cex.trades"),
  exchange: Schema.String,
  market: Schema.String,
  at: Int,
  certain: Int,
  /** Ids of trades that are read already, with their milliseconds after `certain`. */
  known: Schema.Array(Schema.Tuple([Schema.String, Int]))
}).check(
  Schema.makeFilter(
    ({ at, certain, known }) =>
      certain <= at && at <= latestTime && known.every(([, after]) => certain + after <= latestTime)
  )
)

/** Where the reading of a list stands. */
const ListCursor = Schema.Struct({
  version: Schema.Literal(1),
  of: Schema.String,
  /** What the list is a list of. */
  request: Schema.String,
  block: Schema.String.check(Schema.isPattern(/^(0|[1-9]\d*)$/)),
  hash: Schema.String,
  skip: Int
})

/** Where the reading of a chain stands, whose newest blocks may be replaced. */
const ChainCursor = Schema.Struct({
  version: Schema.Literal(1),
  of: Schema.String,
  /** What is read of the chain. */
  request: Schema.String,
  /** Blocks up to which everything is read, the newest last: number, hash, and 1 where the block was asked for. */
  marks: Schema.NonEmptyArray(Schema.Tuple([Int, Schema.String, Schema.Literals([0, 1])])),
  /** The last log that is read of the newest of them, where that is not all of it. */
  log: Schema.optionalKey(Int)
})

/** What every cursor says of itself. */
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

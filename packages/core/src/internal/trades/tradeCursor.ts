/** The position of a reader of trades as a cursor, and the trades of its request that were read. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { Trade } from "../../cex/Trade.ts"
import { InvalidCursor } from "../../problem/StreamError.ts"
import type { ByteReader, ByteWriter } from "../pagination/bytes.ts"
import { decodeCursor, encodeCursor } from "../pagination/cursor.ts"
import { type KnownTrades, readKnown, writeKnown } from "./knownTrades.ts"
import type { CheckedTradesRequest } from "./tradePage.ts"
import { maxPage, type ReportedGap, startAt, type TradePosition } from "./tradePosition.ts"

const operation = "cex.trades"

/** The largest time value of a date. */
const latestTime = 8_640_000_000_000_000

/** Trades that may have appeared late since, in addition to as many as were read. */
const maxLateTrades = 999

type Listing = Pick<CheckedTradesRequest, "exchange" | "market">

const getListing = ({ exchange, market }: Listing): Listing => ({ exchange, market })

/** The cursor of the position: of its gaps, the latest. */
export const getTradeCursor = (request: Listing, { certain, gaps, known, newest }: TradePosition): string =>
  encodeCursor(operation, getListing(request), (writer) => {
    const { integer } = writer
    integer(certain)
    integer(newest - certain)
    writeGap(
      writer,
      gaps.findLast(({ to }) => to >= certain),
      certain
    )
    writeKnown(writer, [...known.keys()])
  })

const writeGap = ({ integer }: ByteWriter, gap: ReportedGap | undefined, certain: number): void => {
  integer(gap === undefined ? 0 : 1)
  if (gap === undefined) return
  integer(gap.to - certain)
  integer(gap.to - gap.from)
  integer(gap.missing === undefined ? 0 : gap.missing + 1)
}

const readGap = ({ integer }: ByteReader, certain: number): ReadonlyArray<ReportedGap> => {
  if (integer() === 0) return []
  const to = certain + integer()
  const from = to - integer()
  const missing = integer()
  return [{ from, to, missing: missing === 0 ? undefined : missing - 1 }]
}

interface CursorPosition {
  readonly certain: number
  readonly newest: number
  readonly gaps: ReadonlyArray<ReportedGap>
  readonly known: KnownTrades
}

const readPosition = (reader: ByteReader): CursorPosition | undefined => {
  const certain = reader.integer()
  const newest = certain + reader.integer()
  const gaps = readGap(reader, certain)
  const known = readKnown(reader)
  return known === undefined || newest > latestTime ? undefined : { certain, newest, gaps, known }
}

/**
 * The position of a cursor, from which everything is read that may have changed, and the trades that were read before: the
 * response to the first request determines them.
 */
export const readTradeCursor = Effect.fnUntraced(function* (request: Listing, cursor: string) {
  const position = yield* decodeCursor(operation, getListing(request), cursor, readPosition)
  const { certain, gaps, known, newest } = position
  const more = known.count === 0 ? 0 : 2 * known.count + maxLateTrades
  return {
    start: (pageSize: number): TradePosition => ({
      ...startAt(certain, Math.max(pageSize, Math.min(pageSize + more, maxPage))),
      newest,
      gaps
    }),
    recall: Effect.fnUntraced(function* (position: TradePosition, trades: ReadonlyArray<Trade>) {
      const times = new Map(trades.map(({ id, timestamp }) => [id, DateTime.toEpochMillis(timestamp)]))
      const until = [...times].filter(([, time]) => time <= newest)
      const isWhole = known.count === 0 || until.length < position.limit
      const found = isWhole ? known.among(until.map(([id]) => id)) : undefined
      if (found === undefined) {
        const from = DateTime.formatIso(DateTime.makeUnsafe(certain))
        const detail = `too many trades have appeared late to tell them from those that were read: start with the time ${from}, and discard the trades from then on`
        return yield* new InvalidCursor({ operation, detail })
      }
      return { ...position, known: new Map(until.filter(([id]) => found.has(id))) }
    })
  }
})

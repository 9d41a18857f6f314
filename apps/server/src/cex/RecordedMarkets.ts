import type { Timeframe } from "@chaintape/core/cex/Timeframe"
import { Context, Effect, Layer, Option } from "effect"
import { RecordingStatuses } from "../sources/RecordingStatuses.ts"
import type { SourceTrade } from "./ExchangeSource.ts"
import type { Coverage } from "./tape/Coverage.ts"
import { makeGroupedReads } from "./tape/GroupedReads.ts"
import { Tape, TapeReads } from "./tape/Tape.ts"
import type { Interval, Series, TapeCandle, TapeError, TapeTrade } from "./tape/Tape.ts"
import { TapeEnds } from "./tape/TapeEnds.ts"
import { TapeSegments } from "./tape/TapeSegments.ts"
import type { WrittenTrades } from "./tape/TapeSegments.ts"

/** The tape of one market, as it was when it was asked for. */
export interface RecordedMarket {
  readonly continuity: Series["continuity"]
  readonly firstId: Series["firstId"]
  readonly coverage: Coverage
  /** Whether its newest trade was the exchange's newest. */
  readonly isLive: boolean
  /** The coverage at this moment. */
  readonly coverageNow: Effect.Effect<Coverage>
  /** The newest `limit` trades of a run of sequences, oldest first. */
  readonly latest: (
    interval: { readonly from: number; readonly to: number },
    limit: number
  ) => Effect.Effect<ReadonlyArray<SourceTrade>>
  /** The same as an answer sends them, of a run that holds as many; undefined where they are not kept so. */
  readonly latestWritten: (run: Interval, limit: number) => Effect.Effect<WrittenTrades | undefined>
  /** The first `limit` trades at or after a time (Unix ms), oldest first. */
  readonly since: (time: number, limit: number) => Effect.Effect<ReadonlyArray<TapeTrade>>
  readonly lastCandle: (timeframe: Timeframe) => Effect.Effect<Option.Option<TapeCandle>>
}

/** A caller can do nothing about a store that fails. */
const stored = <A>(read: Effect.Effect<A, TapeError>): Effect.Effect<A> => Effect.orDie(read)

/** What of the exchanges' markets is recorded. */
export class RecordedMarkets extends Context.Service<
  RecordedMarkets,
  {
    /** None where nothing of a market, `BASE/QUOTE`, is recorded. */
    readonly find: (exchange: string, market: string) => Effect.Effect<Option.Option<RecordedMarket>>
    /** The newest trade of a market, where the tape is sure to have it. */
    readonly newest: (exchange: string, market: string) => Effect.Effect<Option.Option<SourceTrade>>
    /** Tells whether what the tape alone answers is still the same; undefined where that is not known here. */
    readonly unchanged: (exchange: string, market: string) => Effect.Effect<(() => boolean) | undefined>
  }
>()("@chaintape/server/cex/RecordedMarkets") {
  /** Nothing is recorded. */
  static readonly layerNone = Layer.succeed(RecordedMarkets, {
    find: () => Effect.succeedNone,
    newest: () => Effect.succeedNone,
    unchanged: () => Effect.undefined
  })

  static readonly layer = Layer.effect(
    RecordedMarkets,
    Effect.gen(function* () {
      const tape = yield* Tape
      const reads = yield* TapeReads
      const segments = yield* TapeSegments
      const ends = yield* TapeEnds
      const recordings = yield* RecordingStatuses
      const found = yield* makeGroupedReads<Option.Option<Series>, TapeError>()
      return RecordedMarkets.of({
        unchanged: recordings.unchanged,
        newest: Effect.fn("RecordedMarkets.newest")(function* (exchange, market) {
          // Before the trade: what is live now is its newest then.
          const isLive = yield* recordings.isLive(exchange, market)
          return isLive ? yield* stored(ends.newest(exchange, market)) : Option.none()
        }),
        find: Effect.fn("RecordedMarkets.find")(function* (exchange, market) {
          // Before the coverage: what is live now is covered then.
          const isLive = yield* recordings.isLive(exchange, market)
          const find = stored(found(`${exchange} ${market}`, tape.find(exchange, market)))
          const series = Option.getOrUndefined(yield* find)
          if (series === undefined || series.coverage.length === 0) return Option.none()
          const { continuity, coverage, firstId, id } = series
          return Option.some({
            continuity,
            firstId,
            coverage,
            isLive,
            coverageNow: Effect.map(find, Option.match({ onNone: () => [], onSome: ({ coverage }) => coverage })),
            latest: (interval, limit) => stored(reads.latest(id, interval, limit)),
            latestWritten: (run, limit) => stored(segments.newest(id, run, limit)),
            since: (time, limit) => stored(reads.since(id, time, limit)),
            lastCandle: (timeframe) => stored(reads.lastCandle(id, timeframe))
          })
        })
      })
    })
  )
}

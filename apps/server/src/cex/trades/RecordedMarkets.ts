import { Context, Deferred, Effect, Layer, Option } from "effect"
import type { Scope } from "effect"
import type { StoreError } from "../../internal/StoreError.ts"
import { RecordingStatuses } from "../../status/RecordingStatuses.ts"
import type { CandlesWanted, SourceTrade } from "../ExchangeSource.ts"
import type { CandlePage } from "../tape/CandlePage.ts"
import type { Coverage } from "../tape/ledger/Coverage.ts"
import { TapeSegments } from "../tape/read/TapeSegments.ts"
import type { SerializedTrades } from "../tape/read/TapeSegments.ts"
import { Tape, TapeReads } from "../tape/Tape.ts"
import type { Interval, SequenceRange, Series, TapeTrade } from "../tape/Tape.ts"

/** The tape of one market, as of the time of the call. */
export interface RecordedMarket extends Pick<Series, "continuity" | "firstId" | "coverage"> {
  /** Whether its newest trade was the exchange's newest. */
  readonly isLive: boolean
  /** The current coverage. */
  readonly coverageNow: Effect.Effect<Coverage>
  /** The newest `limit` trades of a run of sequences, oldest first. */
  readonly latest: (interval: SequenceRange, limit: number) => Effect.Effect<ReadonlyArray<SourceTrade>>
  /**
   * The newest `limit` trades, serialized, of a run of at least that many; undefined if they cannot be joined from whole
   * segments.
   */
  readonly latestSerialized: (run: Interval, limit: number) => Effect.Effect<SerializedTrades | undefined>
  /** The first `limit` trades at or after a time (Unix ms), oldest first. */
  readonly since: (time: number, limit: number) => Effect.Effect<ReadonlyArray<TapeTrade>>
  readonly candlePage: (wanted: CandlesWanted) => Effect.Effect<CandlePage>
}

/** Reads what the key names. Equal keys name the same data. */
type FreshReads<A, E> = (key: string, read: Effect.Effect<A, E>) => Effect.Effect<A, E>

interface WaitingRead<A, E> {
  readonly result: Deferred.Deferred<A, E>
  readonly read: Effect.Effect<A, E>
}

/**
 * Shares reads: a caller gets the result of a read that began after its call. Callers that arrive while a read of their
 * key runs wait for the next one, and share it: the store runs one read of a key at a time.
 */
export const makeFreshReads = <A, E>(): Effect.Effect<FreshReads<A, E>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    /** A key is present while it is being read. */
    const groups = new Map<string, WaitingRead<A, E> | undefined>()

    const next = (key: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        const waiting = groups.get(key)
        if (waiting === undefined) {
          groups.delete(key)
          return Effect.void
        }
        groups.set(key, undefined)
        const turn = Effect.ensuring(Deferred.into(waiting.read, waiting.result), next(key))
        // Not in the fiber of the reader, which is done or interrupted.
        return Effect.asVoid(Effect.forkIn(turn, scope))
      })

    return (key, read) =>
      // An entered key is always left, even if the fiber is interrupted at once.
      Effect.uninterruptibleMask((restore) =>
        Effect.contextWith((context) => {
          if (!groups.has(key)) {
            groups.set(key, undefined)
            return Effect.ensuring(restore(read), next(key))
          }
          const waiting = groups.get(key) ?? {
            result: Deferred.makeUnsafe<A, E>(),
            read: Effect.provideContext(read, context)
          }
          groups.set(key, waiting)
          return restore(Deferred.await(waiting.result))
        })
      )
  })

/** The recorded markets. A failure of the store is a defect: a caller can do nothing about it. */
export class RecordedMarkets extends Context.Service<
  RecordedMarkets,
  {
    /** None if a market, `BASE/QUOTE`, is not recorded. */
    readonly find: (exchange: string, market: string) => Effect.Effect<Option.Option<RecordedMarket>>
    /** The time of the first trade (Unix ms) of each recorded market of an exchange, by `BASE/QUOTE`. */
    readonly beginnings: (exchange: string) => Effect.Effect<ReadonlyMap<string, number>>
    /** The newest trade of a market, if the tape is certain to have it. */
    readonly newest: (exchange: string, market: string) => Effect.Effect<Option.Option<SourceTrade>>
  }
>()("@chaintape/server/cex/trades/RecordedMarkets") {
  static readonly layer = Layer.effect(
    RecordedMarkets,
    Effect.gen(function* () {
      const tape = yield* Tape
      const reads = yield* TapeReads
      const segments = yield* TapeSegments
      const recordings = yield* RecordingStatuses
      const found = yield* makeFreshReads<Option.Option<Series>, StoreError>()
      const newest = yield* makeFreshReads<Option.Option<SourceTrade>, StoreError>()
      return RecordedMarkets.of({
        beginnings: Effect.fn("RecordedMarkets.beginnings")(function* (exchange) {
          const all = yield* reads.beginnings(exchange)
          return new Map(all.map(({ market, time }) => [market, time]))
        }, Effect.orDie),
        newest: Effect.fn("RecordedMarkets.newest")(function* (exchange, market) {
          // Read before the trade: if the tape is live now, the trade read next is its newest.
          if (!(yield* recordings.isLive(exchange, market))) return Option.none()
          return yield* newest(`${exchange} ${market}`, reads.newestTrade(exchange, market))
        }, Effect.orDie),
        find: Effect.fn("RecordedMarkets.find")(function* (exchange, market) {
          // Read before the coverage: if the tape is live now, its trades are covered.
          const isLive = yield* recordings.isLive(exchange, market)
          const find = Effect.orDie(found(`${exchange} ${market}`, tape.find(exchange, market)))
          const series = Option.getOrUndefined(yield* find)
          if (series === undefined || series.coverage.length === 0) return Option.none()
          const { continuity, coverage, firstId, id } = series
          return Option.some({
            continuity,
            firstId,
            coverage,
            isLive,
            coverageNow: Effect.map(find, Option.match({ onNone: () => [], onSome: ({ coverage }) => coverage })),
            latest: (interval, limit) => Effect.orDie(reads.latest(id, interval, limit)),
            latestSerialized: (run, limit) => Effect.orDie(segments.newest(id, run, limit)),
            since: (time, limit) => Effect.orDie(reads.since(id, time, limit)),
            candlePage: (wanted) => Effect.orDie(reads.candlePage(id, wanted))
          })
        })
      })
    })
  )
}

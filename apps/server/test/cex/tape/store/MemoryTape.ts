import { Effect, Layer, Option } from "effect"
import { SqlError } from "effect/sql"
import { contains } from "../../../../src/cex/tape/ledger/Coverage.ts"
import type { Coverage } from "../../../../src/cex/tape/ledger/Coverage.ts"
import { Tape, TapeConflictError, TapeReads } from "../../../../src/cex/tape/Tape.ts"
import type { Interval, Series, TapeChange, TapeEvent, TapeTrade } from "../../../../src/cex/tape/Tape.ts"
import type { Continuity } from "../../../../src/cex/TradeFlow.ts"
import * as ExactDecimal from "../../../../src/internal/ExactDecimal.ts"

/** The number of sequences in a coverage. */
export const countSequences = (coverage: Coverage): number =>
  coverage.reduce((sum, { from, to }) => sum + to - from + 1, 0)

export const storeDown = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({ cause: new Error("down"), message: "The store does not answer." })
})

/** The fate of a write: it fails before or after it took effect, or it takes some milliseconds. */
export interface WriteFate {
  readonly failsBefore: boolean
  readonly failsAfter: boolean
  readonly milliseconds: number
}

const well: WriteFate = { failsBefore: false, failsAfter: false, milliseconds: 0 }

/** A tape of one market in memory, which checks every transaction. */
export interface MemoryTape {
  readonly layer: Layer.Layer<Tape | TapeReads>
  readonly trades: ReadonlyMap<number, TapeTrade>
  readonly coverage: () => Coverage
  readonly events: ReadonlyArray<TapeEvent>
  /** The first law that a transaction violated. */
  readonly broken: () => string | undefined
  /** Writes in progress. */
  readonly writing: () => number
  fate: (change: TapeChange) => WriteFate
  readFails: () => boolean
}

const getRuns = (trades: ReadonlyMap<number, TapeTrade>): ReadonlyArray<Interval> => {
  const runs: Array<Interval> = []
  for (const { sequence, timestamp } of [...trades.values()].toSorted((one, other) => one.sequence - other.sequence)) {
    const last = runs.at(-1)
    if (last !== undefined && last.to + 1 === sequence)
      runs[runs.length - 1] = { ...last, to: sequence, toTime: timestamp }
    else runs.push({ from: sequence, to: sequence, fromTime: timestamp, toTime: timestamp })
  }
  return runs
}

export const makeMemoryTape = (): MemoryTape => {
  const trades = new Map<number, TapeTrade>()
  const events: Array<TapeEvent> = []
  let series: { exchange: string; market: string; continuity: Continuity; firstId: Series["firstId"] } | undefined
  let coverage: Coverage = []
  let version = 0
  let broken: string | undefined
  let writing = 0

  const append = Effect.fnUntraced(function* (change: TapeChange) {
    const { failsAfter, failsBefore, milliseconds } = tape.fate(change)
    if (milliseconds > 0) yield* Effect.sleep(milliseconds)
    if (failsBefore) return yield* storeDown
    if (change.version !== version) return yield* new TapeConflictError({ series: 1, version: change.version })
    apply(change)
    const now = version
    if (milliseconds > 0) yield* Effect.sleep(milliseconds)
    if (failsAfter) return yield* storeDown
    return now
  })

  /** The whole tape every tenth time, because it is long. Otherwise that only the written rows changed. */
  const judge = (change: TapeChange) => {
    const missing = change.trades.find(({ sequence }) => !contains(coverage, sequence))
    if (missing !== undefined) broken ??= `${missing.sequence} was written and is not covered`
    if (countSequences(coverage) !== trades.size)
      broken ??= `covers ${countSequences(coverage)} trades and holds ${trades.size}`
    if (trades.size > 200 && version % 10 > 0) return
    const [claimed, held] = [coverage, getRuns(trades)].map((runs) =>
      JSON.stringify(runs.map(({ from, fromTime, to, toTime }) => [from, to, fromTime, toTime]))
    )
    if (claimed !== held) broken ??= `covers ${claimed}, holds ${held}`
  }

  const apply = (change: TapeChange) => {
    for (const trade of change.trades) {
      if (trades.has(trade.sequence)) broken ??= `${trade.sequence} was written twice`
      else trades.set(trade.sequence, { cost: ExactDecimal.multiply(trade.price, trade.size), ...trade })
    }
    coverage = change.coverage
    events.push(...change.events)
    judge(change)
    version++
  }

  const tape: MemoryTape = {
    trades,
    events,
    coverage: () => coverage,
    broken: () => broken,
    writing: () => writing,
    fate: () => well,
    readFails: () => false,
    layer: Layer.suspend(() =>
      Layer.mergeAll(
        Layer.succeed(Tape, {
          open: (exchange, market, continuity, firstId) =>
            Effect.suspend(() => {
              if (tape.readFails()) return Effect.fail(storeDown)
              series ??= { exchange, market, continuity, firstId }
              return Effect.succeed({ id: 1, version, coverage, ...series })
            }),
          find: () =>
            Effect.suspend(() =>
              tape.readFails()
                ? Effect.fail(storeDown)
                : Effect.succeed(
                    Option.map(Option.fromUndefinedOr(series), (one) => ({ id: 1, version, coverage, ...one }))
                  )
            ),
          append: (_, change) =>
            Effect.acquireUseRelease(
              Effect.sync(() => writing++),
              () => append(change),
              () => Effect.sync(() => writing--)
            ),
          dropBefore: () => Effect.succeed(0)
        }),
        Layer.succeed(TapeReads, {
          beginnings: () => Effect.succeed([]),
          newestTrade: () => Effect.die("a recording reads intervals"),
          latest: (_, { from, to }, limit) =>
            Effect.suspend(() =>
              tape.readFails()
                ? Effect.fail(storeDown)
                : Effect.succeed(
                    [...trades.values()]
                      .filter(({ sequence }) => sequence >= from && sequence <= to)
                      .toSorted((one, other) => one.timestamp - other.timestamp || one.sequence - other.sequence)
                      .slice(-limit)
                      .map(({ receivedAt: _at, sequence: _sequence, ...trade }) => trade)
                  )
            ),
          since: () => Effect.succeed([]),
          find: () => Effect.die("a recording knows its coverage"),
          isUnfillable: () => Effect.die("a recording knows its gaps"),
          candlePage: () => Effect.die("only trades are read")
        })
      )
    )
  }
  return tape
}

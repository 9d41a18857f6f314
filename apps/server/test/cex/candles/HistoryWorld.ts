import { type Timeframe, timeframeSeconds } from "@chaintape/core"
import { Array as Arrays, Clock, Effect, Layer, Option, Random } from "effect"
import { candlesCoverage } from "../../../src/cex/api/CoverageHeader.ts"
import { Candles } from "../../../src/cex/candles/Candles.ts"
import type { CandlesRequest } from "../../../src/cex/candles/Candles.ts"
import { candleRowJson } from "../../../src/cex/CexJson.ts"
import { Exchanges } from "../../../src/cex/Exchanges.ts"
import type { CandlesWanted, SourceCandle } from "../../../src/cex/ExchangeSource.ts"
import { ExchangeError, ExchangeSource } from "../../../src/cex/ExchangeSource.ts"
import { Tape } from "../../../src/cex/tape/Tape.ts"
import type { TapeTrade } from "../../../src/cex/tape/Tape.ts"
import { RecordedMarkets } from "../../../src/cex/trades/RecordedMarkets.ts"
import * as ExactDecimal from "../../../src/internal/ExactDecimal.ts"
import { SourceHealth } from "../../../src/sources/SourceHealth.ts"
import { RecordingStatuses } from "../../../src/status/RecordingStatuses.ts"
import { makeSteppedClock } from "../../SteppedClock.ts"
import { store } from "../tape/store/TapeStores.ts"

export const timeframes = ["1m", "5m", "15m", "1h", "6h", "1d"] as const satisfies ReadonlyArray<Timeframe>

export const dayMs = 86_400_000
export const monthStart = Date.UTC(2026, 0, 1)
export const monthEnd = monthStart + 31 * dayMs

const trade = (sequence: number, timestamp: number, price: string, size: string): TapeTrade => ({
  id: String(sequence),
  sequence,
  timestamp,
  price,
  size,
  cost: ExactDecimal.multiply(price, size),
  side: sequence % 2 === 0 ? "buy" : "sell",
  receivedAt: timestamp + 5
})

/** A month of trades: bursts, several in a millisecond, and hours without any. */
export const makeMonth = Effect.gen(function* () {
  const trades: Array<TapeTrade> = []
  let time = monthStart + 17_000
  while (time < monthEnd - 1000) {
    const price = `${yield* Random.nextIntBetween(1, 99_999)}.${yield* Random.nextIntBetween(1, 99_999_999)}1`
    const size = `0.${yield* Random.nextIntBetween(1, 999_999_999)}1`
    trades.push(trade(trades.length + 1, time, price, size))
    const kind = yield* Random.nextIntBetween(0, 400)
    const longest = kind === 0 ? 10 * 3_600_000 : kind < 100 ? 1 : kind < 300 ? 400_000 : 3_000_000
    time += yield* Random.nextIntBetween(0, longest)
  }
  return { truth: trades, candles: makeCandles(trades) }
})

export interface HistoryWorld {
  readonly market: string
  /** All trades of the market, oldest first; ids are consecutive from 1. */
  readonly truth: ReadonlyArray<TapeTrade>
  readonly candles: (frame: number) => ReadonlyArray<SourceCandle>
  /** Ranges of sequences that the tape lacks. */
  readonly missing: ReadonlyArray<{ readonly from: number; readonly to: number }>
  readonly isLive: boolean
  /** Unix milliseconds. */
  readonly now: number
  /** Whether the exchange answers. */
  readonly isUp: boolean
}

const isStored =
  ({ missing }: Pick<HistoryWorld, "missing">) =>
  ({ sequence }: TapeTrade): boolean =>
    !missing.some(({ from, to }) => sequence >= from && sequence <= to)

/** Candles by the simplest algorithm. */
const computeCandles = (trades: ReadonlyArray<TapeTrade>, frame: number): ReadonlyArray<SourceCandle> =>
  [...Map.groupBy(trades, ({ timestamp }) => Math.floor(timestamp / frame) * frame)].map(([start, ordered]) => {
    const prices = ordered.map(({ price }) => price).sort(ExactDecimal.compare)
    return {
      start,
      open: ordered[0]?.price ?? "",
      high: prices.at(-1) ?? "",
      low: prices[0] ?? "",
      close: ordered.at(-1)?.price ?? "",
      volume: ordered.map(({ size }) => size).reduce(ExactDecimal.add, "0")
    }
  })

/** The same, computed once for each list of trades. */
const makeCandles = (trades: ReadonlyArray<TapeTrade>) => {
  const known = new Map<number, ReadonlyArray<SourceCandle>>()
  return (frame: number): ReadonlyArray<SourceCandle> => {
    const found = known.get(frame) ?? computeCandles(trades, frame)
    known.set(frame, found)
    return found
  }
}

/** The exchange's own candles differ, so that each value names its origin. */
const byExchange = (candle: SourceCandle): SourceCandle => ({
  ...candle,
  volume: ExactDecimal.add(candle.volume, "1000000")
})

/**
 * The starts that the stored trades do not prove: a missing trade lies between the times of the stored ones around it. As
 * a list of ranges of indices of candles.
 */
const toDoubts = (world: HistoryWorld, frame: number): ReadonlyArray<readonly [from: number, to: number]> => {
  const at = (time: number) => Math.floor(time / frame)
  const held = world.truth.filter(isStored(world))
  const [first] = held
  const last = held.at(-1)
  if (first === undefined || last === undefined) return [[0, Infinity]]
  const inner = held.flatMap((next, index) => {
    const before = held[index - 1]
    return before === undefined || next.sequence === before.sequence + 1
      ? []
      : [[at(before.timestamp), at(next.timestamp)] as const]
  })
  return [
    ...(first.sequence === 1 ? [] : [[0, at(first.timestamp)] as const]),
    ...inner,
    ...(world.isLive ? [] : [[at(last.timestamp), Infinity] as const])
  ]
}

/** The rows and the headers that the world requires. */
export const toExpected = (world: HistoryWorld, timeframe: Timeframe, request: CandlesRequest) => {
  const { now } = world
  const frame = timeframeSeconds[timeframe] * 1000
  const low = Option.match(request.since, { onNone: () => 0, onSome: (time) => Math.ceil(time / frame) })
  const high = Math.floor(
    Math.min(
      Option.getOrElse(request.until, () => now),
      now
    ) / frame
  )
  const doubts = toDoubts(world, frame)
  const isDoubted = (index: number) => doubts.some(([from, to]) => index >= from && index <= to)
  const all = world
    .candles(frame)
    .map((candle) => (isDoubted(candle.start / frame) ? byExchange(candle) : candle))
    .filter(({ start }) => start / frame >= low && start / frame <= high)
  const page = Option.isSome(request.since) ? all.slice(0, request.limit) : all.slice(-request.limit)
  const isFull = page.length === request.limit
  const from = isFull && Option.isNone(request.since) ? (page[0]?.start ?? 0) / frame : low
  const to = isFull && Option.isSome(request.since) ? (page.at(-1)?.start ?? 0) / frame : high
  const unproven = doubts
    .map(([first, last]) => [Math.max(first, from), Math.min(last, to)] as const)
    .filter(([first, last]) => first <= last)
  const merged: Array<[number, number]> = []
  for (const [first, last] of unproven) {
    const known = merged.at(-1)
    if (known !== undefined && first <= known[1] + 1) known[1] = Math.max(known[1], last)
    else merged.push([first, last])
  }
  const isNothing = merged.length === 1 && merged[0]?.[0] === from && merged[0][1] === to
  const state = merged.length === 0 ? "complete=?1" : isNothing ? "verifiable=?0" : "complete=?0"
  const ranges = isNothing ? [] : merged.flatMap(([first, last]) => [first * frame, last * frame])
  const ends = from > to ? "" : `, from=${from * frame}, to=${(to + 1) * frame - 1}`
  return {
    rows: page.map(candleRowJson).join(","),
    coverage: state + ends + (ranges.length === 0 ? "" : `, unproven=(${ranges.join(" ")})`),
    closed: page.length === 0 || (page.at(-1)?.start ?? 0) + frame + 10_000 <= now,
    isImmutable: merged.length === 0 && (to + 1) * frame + 600_000 <= now
  }
}

const exchange = {
  id: "history",
  name: "History",
  countries: [],
  hasTrades: true,
  hasAggregates: true,
  aggregateTimeframes: Object.fromEntries(timeframes.map((label) => [label, timeframeSeconds[label]])),
  url: "",
  fees: [],
  docs: "",
  logo: ""
} as const

const select = (candles: ReadonlyArray<SourceCandle>, { from, limit, take, to }: CandlesWanted) => {
  const all = candles.filter(({ start }) => start >= from && start <= to)
  return take === "first" ? all.slice(0, limit) : all.slice(-limit)
}

const isDown = new ExchangeError({ exchange: exchange.id, reason: "Unavailable", message: "It is down." })

/** The candles of a world whose trades are in the store. */
const over = ({ candles, isLive, isUp }: HistoryWorld) => {
  const source = Layer.succeed(ExchangeSource, {
    markets: () => Effect.succeed([]),
    trades: () => Effect.fail(isDown),
    lastCandle: () => Effect.succeedNone,
    candles: (_, _market, wanted) =>
      isUp
        ? Effect.sync(() => select(candles(timeframeSeconds[wanted.timeframe] * 1000).map(byExchange), wanted))
        : Effect.fail(isDown)
  })
  return Layer.fresh(Candles.layer).pipe(
    Layer.provide(Exchanges.layer([exchange])),
    Layer.provide(Layer.fresh(RecordedMarkets.layer)),
    Layer.provide([
      source,
      Layer.succeed(RecordingStatuses, {
        all: Effect.succeed([]),
        isLive: () => Effect.succeed(isLive),
        watchUnchanged: () => Effect.undefined
      }),
      SourceHealth.layer([])
    ])
  )
}

/** Stores the trades of a world in an order that is not theirs. */
export const storeWorld = Effect.fnUntraced(function* (world: HistoryWorld) {
  const held = world.truth.filter(isStored(world))
  for (const part of Arrays.chunksOf(held, 700).toReversed()) yield* store(exchange.id, world.market, part)
  yield* (yield* Tape).open(exchange.id, world.market, "sequence", 1)
})

export const readCandles = (world: HistoryWorld, timeframe: Timeframe, request: CandlesRequest) =>
  Effect.gen(function* () {
    const stepped = yield* makeSteppedClock
    yield* stepped.step(world.now - (yield* Clock.currentTimeMillis))
    const candles = yield* Candles
    const found = yield* candles
      .read(exchange.id, world.market, timeframe, request)
      .pipe(Effect.provideService(Clock.Clock, stepped.clock))
    const { closed, isImmutable, rows } = found
    return { rows, coverage: candlesCoverage(found, timeframe), closed, isImmutable }
  }).pipe(Effect.provide(over(world)))

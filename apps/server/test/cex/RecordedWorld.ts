import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { Candles } from "../../src/cex/candles/Candles.ts"
import { candleRowJson } from "../../src/cex/CexJson.ts"
import { Exchanges } from "../../src/cex/Exchanges.ts"
import type { SourceCandle, SourceTrade, SourceTrades, TradesWanted } from "../../src/cex/ExchangeSource.ts"
import { ExchangeError, ExchangeSource } from "../../src/cex/ExchangeSource.ts"
import type { CandleMark } from "../../src/cex/tape/CandlePage.ts"
import { withTrades } from "../../src/cex/tape/ledger/Coverage.ts"
import type { Series, TapeTrade } from "../../src/cex/tape/Tape.ts"
import type { RecordedMarket } from "../../src/cex/trades/RecordedMarkets.ts"
import { RecordedMarkets } from "../../src/cex/trades/RecordedMarkets.ts"
import { Trades } from "../../src/cex/trades/Trades.ts"
import { SourceHealth } from "../../src/sources/SourceHealth.ts"

export const trade = (sequence: number, timestamp: number): TapeTrade => ({
  id: String(sequence),
  sequence,
  timestamp,
  price: "10",
  size: "2",
  cost: "20",
  side: sequence % 2 === 0 ? "buy" : "sell",
  receivedAt: timestamp + 1
})

/** A candle, and the trades of which it is made. */
export interface TapeCandle extends SourceCandle, CandleMark {}

export interface World {
  /** Everything that was traded, oldest first. */
  readonly truth: ReadonlyArray<TapeTrade>
  /** Sequences of the tape. */
  readonly held: ReadonlySet<number>
  readonly isLive: boolean
  readonly continuity?: Series["continuity"]
  /** Default 1. */
  readonly firstId?: number
  /** The oldest id that the exchange still returns; `undefined` while it fails. */
  readonly exchangeFrom: number | undefined
  /** Whether the exchange never answers. */
  readonly isSilent?: boolean
  /** The newest id of its pages, if they are from a cache and known to be older than another page. */
  readonly exchangeTo?: number
  /** Sequences that its pages silently omit, like a cached page. */
  readonly exchangeLacks?: ReadonlySet<number>
  readonly tapeCandle?: TapeCandle
  readonly exchangeCandle?: SourceCandle
  /** Changes the coverage while trades are read. */
  readonly coverageLater?: RecordedMarket["coverage"]
  /** Whether the trades are gone when they are read. */
  readonly isGivenUp?: boolean
}

/** Only its own fields, so that results of both sources can be compared. */
const shown = ({ cost, id, price, side, size, timestamp }: SourceTrade): SourceTrade => ({
  id,
  timestamp,
  price,
  size,
  cost,
  side
})

const tapeOf = (world: World): RecordedMarket => {
  const held = world.truth.filter(({ sequence }) => world.held.has(sequence))
  const coverage = withTrades([], held)
  return {
    continuity: world.continuity ?? "sequence",
    firstId: world.continuity === "overlap" ? null : (world.firstId ?? 1),
    coverage,
    isLive: world.isLive,
    coverageNow: Effect.succeed(world.coverageLater ?? coverage),
    latest: ({ from, to }, limit) =>
      Effect.succeed(held.filter(({ sequence }) => sequence >= from && sequence <= to).slice(-limit)),
    latestSerialized: () => Effect.undefined,
    since: (time, limit) =>
      Effect.succeed(world.isGivenUp === true ? [] : held.filter(({ timestamp }) => timestamp >= time).slice(0, limit)),
    candlePage: ({ from, limit, take, to }) => {
      const { tapeCandle } = world
      if (tapeCandle === undefined || limit !== 1 || take !== "latest") return Effect.die("the world has one candle")
      assert.isTrue(from === 0 && tapeCandle.start <= to)
      const { closeSequence, openSequence, start, trades } = tapeCandle
      const mark = { start, trades, openSequence, closeSequence }
      const none = { breaks: undefined, before: undefined, after: undefined }
      return Effect.succeed({ count: 1, rows: candleRowJson(tapeCandle), ends: [mark, mark], ...none })
    }
  }
}

/** An exchange with consecutive ids that reports its coverage. */
const toExchange =
  ({ exchangeLacks = new Set(), exchangeTo = Number.POSITIVE_INFINITY, truth }: World, from: number) =>
  ({ before, limit, since }: TradesWanted): SourceTrades => {
    const end = Option.match(before, { onNone: () => Number.POSITIVE_INFINITY, onSome: ({ id }) => Number(id) })
    const mine = truth.filter(
      ({ sequence }) => sequence >= from && sequence < end && sequence <= exchangeTo && !exchangeLacks.has(sequence)
    )
    const first = truth[0]?.sequence
    const isInverse = Option.exists(before, ({ timestamp }) => Option.exists(since, (time) => time > timestamp))
    // As an exchange reads by time.
    if (isInverse) return { trades: [], completeness: "complete" }
    if (Option.isNone(since)) {
      const trades = mine.slice(-limit)
      const isWhole =
        exchangeLacks.size === 0 &&
        exchangeTo >= truth.length &&
        (trades.length === limit || mine[0] === undefined || mine[0].sequence === first)
      return { trades: trades.map(shown), completeness: isWhole ? "complete" : "incomplete" }
    }
    const trades = mine.filter(({ timestamp }) => timestamp >= since.value).slice(0, limit)
    const isMissing = truth.some(
      ({ sequence, timestamp }) =>
        (sequence < from || exchangeLacks.has(sequence)) && sequence < end && timestamp >= since.value
    )
    return { trades: trades.map(shown), completeness: isMissing ? "incomplete" : "complete" }
  }

/** The requests to the exchange. */
class Asked extends Context.Service<Asked, { readonly requests: ReadonlyArray<TradesWanted> }>()(
  "@chaintape/server/test/cex/Asked"
) {}

const failure = new ExchangeError({ exchange: "sandbox", reason: "Unavailable", message: "It is down." })
const unlisted = new ExchangeError({ exchange: "sandbox", reason: "MarketNotFound", message: "It is not listed." })

/** `Trades` and `Candles` of the market BTC/USD over this world. */
export const over = (world: World) => {
  const requests: Array<TradesWanted> = []
  const source = Layer.succeed(ExchangeSource, {
    markets: () => Effect.succeed([]),
    trades: (_exchange, _market, request) =>
      Effect.suspend(() => {
        requests.push(request)
        const { exchangeFrom, isSilent } = world
        if (isSilent === true) return Effect.never
        return exchangeFrom === undefined
          ? Effect.fail(failure)
          : Effect.succeed(toExchange(world, exchangeFrom)(request))
      }),
    lastCandle: () => Effect.succeed(Option.fromUndefinedOr(world.exchangeCandle)),
    candles: (_exchange, { base }) => {
      if (base === "BTC") return Effect.die("the world has one candle")
      return base === "ETH" ? Effect.succeed([]) : Effect.fail(unlisted)
    }
  })
  const sandbox = {
    id: "sandbox",
    name: "Sandbox",
    countries: [],
    hasTrades: true,
    hasAggregates: true,
    aggregateTimeframes: { "1m": 60, "1h": 3600 },
    url: "",
    fees: [],
    docs: "",
    logo: ""
  } as const
  const recorded = Layer.succeed(RecordedMarkets, {
    beginnings: () => Effect.succeed(new Map()),
    find: (_exchange, market) => Effect.succeed(market === "BTC/USD" ? Option.some(tapeOf(world)) : Option.none()),
    newest: (_exchange, market) => {
      const { coverage, isLive, latest } = tapeOf(world)
      const run = coverage.at(-1)
      if (market !== "BTC/USD" || !isLive || run === undefined) return Effect.succeedNone
      return Effect.map(latest(run, 1), ([trade]) => Option.fromUndefinedOr(trade))
    }
  })
  return Layer.mergeAll(Trades.layer, Candles.layer, Layer.succeed(Asked, { requests })).pipe(
    Layer.provide(Exchanges.layer([sandbox])),
    Layer.provide([source, recorded, SourceHealth.layer([])])
  )
}

export const read = (world: World, request: { readonly limit: number; readonly since?: number }) =>
  Effect.gen(function* () {
    const trades = yield* Trades
    const found = yield* trades.read("sandbox", "BTC/USD", {
      limit: request.limit,
      since: Option.fromUndefinedOr(request.since)
    })
    const { requests } = yield* Asked
    return { ...found, trades: found.trades.map(shown), requests }
  }).pipe(Effect.provide(over(world)))

export const findTruth = ({ truth }: World, request: { readonly limit: number; readonly since?: number }) => {
  const { limit, since } = request
  const all = since === undefined ? truth : truth.filter(({ timestamp }) => timestamp >= since)
  return (since === undefined ? all.slice(-limit) : all.slice(0, limit)).map(shown)
}

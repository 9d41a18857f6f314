import { Clock, Effect, Latch, Result } from "effect"
import type { Scope } from "effect"
import { monotonicMillis, toMonotonicMillis } from "../../../internal/monotonic.ts"
import type { SourceTrade } from "../../ExchangeSource.ts"
import { ExchangeError } from "../../ExchangeSource.ts"
import type { CallLimits } from "../calls/CallLimits.ts"
import { callCcxt, exchangeError } from "../calls/FailureMapping.ts"
import type { RequestGate } from "../calls/RequestGate.ts"
import type { Quirk } from "../catalog/Quirks.ts"
import { classNames } from "../class/CcxtError.ts"
import type { CcxtError } from "../class/CcxtError.ts"
import type { CcxtExchange } from "../class/CcxtExchange.ts"
import type { ParsedRow } from "../class/CcxtStream.ts"
import { decodeFrames } from "../rows/TradeRows.ts"
import { makeWaitingRows } from "./WaitingRows.ts"
import type { WaitingRows } from "./WaitingRows.ts"

export interface StreamedTrades {
  /** In the order of arrival; none if the exchange sent something else than a trade. */
  readonly trades: ReadonlyArray<SourceTrade>
  /** The number of trades directly before these that were dropped. */
  readonly dropped: number
  /** Unix milliseconds. */
  readonly receivedAt: number
  /** The time of the newest frame by `monotonicMillis`; undefined while trades wait. */
  readonly upToDateAt: number | undefined
}

/** The trades of one market over one connection. */
export interface TradeStream {
  /**
   * The next trades, or none after another frame. Fails when the connection is lost, is silent, or sends a malformed
   * trade.
   */
  readonly next: Effect.Effect<StreamedTrades, ExchangeError>
}

export interface TradeStreamOptions {
  readonly id: string
  readonly quirk: Quirk
  readonly limits: CallLimits
  readonly exchange: CcxtExchange
  readonly gate: RequestGate
  readonly symbol: string
}

/** Rows decoded per turn of the event loop. */
const maxRows = 2000

const makeTradeFrameTest = ({ stream }: Quirk): ((frame: unknown) => boolean) | undefined => {
  if (stream === undefined) return undefined
  const { kind } = stream
  const kinds = new Set<unknown>(stream.trades)
  return (frame) =>
    typeof frame === "object" && frame !== null && kinds.has(Object.getOwnPropertyDescriptor(frame, kind)?.value)
}

/** The rows that have arrived over a connection, and whether it is lost. */
interface TradeConnection {
  readonly waiting: WaitingRows
  /** Opened by each frame. */
  readonly bell: Latch.Latch
  /** The time of the newest frame by `monotonicMillis`. */
  readonly lastFrame: () => number
  readonly failure: () => CcxtError | undefined
}

/** Connects and subscribes. The connection ends with the scope. */
const connect = Effect.fnUntraced(function* (
  options: TradeStreamOptions
): Effect.fn.Return<TradeConnection, ExchangeError, Scope.Scope> {
  const { exchange, gate, id, limits, quirk, symbol } = options
  const clock = yield* Clock.Clock
  const context = yield* Effect.context<never>()
  const bell = Latch.makeUnsafe()
  const ring = () => void bell.openUnsafe()
  const waiting = makeWaitingRows(limits.waitingTrades)
  let lastFrame = yield* monotonicMillis
  let failure: CcxtError | undefined
  yield* Effect.acquireRelease(
    callCcxt(id, () =>
      exchange.stream({
        symbol,
        params: quirk.stream?.params,
        isTrade: makeTradeFrameTest(quirk),
        connectMs: limits.connectMs,
        pingMs: limits.pingMs,
        pace: (weight) => Effect.runPromiseWith(context)(gate.paceInBackground(weight)),
        onRow: (row) => {
          waiting.offer(row)
          ring()
        },
        onFrame: () => {
          lastFrame = toMonotonicMillis(clock)
          ring()
        },
        onLost: (reason) => {
          failure = reason
          ring()
        }
      })
    ),
    (stream) => Effect.sync(stream.close)
  )
  return { waiting, bell, lastFrame: () => lastFrame, failure: () => failure }
})

/** Decodes rows of a stream. */
const decode = Effect.fnUntraced(function* (
  { exchange, id, quirk, symbol }: TradeStreamOptions,
  rows: ReadonlyArray<ParsedRow>
) {
  const receivedAt = yield* Clock.currentTimeMillis
  const parsed = yield* parse(exchange, symbol, rows, quirk.stream?.row)
  const trades = Result.flatMap(parsed, (found) =>
    decodeFrames(found, { symbol, now: receivedAt, rawTrade: quirk.rawTrade })
  )
  if (Result.isSuccess(trades)) return { trades: trades.success, receivedAt }
  return yield* new ExchangeError({
    exchange: id,
    reason: "BadResponse",
    message: `The exchange "${id}" sent a frame that cannot be used: ${trades.failure}.`
  })
})

/** The stream of a market. The connection ends with the scope. */
export const openTradeStream = Effect.fnUntraced(function* (
  options: TradeStreamOptions
): Effect.fn.Return<TradeStream, ExchangeError, Scope.Scope> {
  const { id, limits } = options
  const { bell, failure, lastFrame, waiting } = yield* connect(options)
  let reportedFrame = lastFrame()
  /** Dropped trades that no batch has counted. */
  let uncounted = 0

  const getUpToDateAt = () => {
    if (!waiting.isEmpty()) return undefined
    reportedFrame = lastFrame()
    return reportedFrame
  }

  const takeRows = Effect.gen(function* () {
    const { dropped, rows } = waiting.take(maxRows)
    uncounted += dropped
    const found = yield* decode(options, rows)
    const upToDateAt = getUpToDateAt()
    // Rows of other markets are no trades.
    if (found.trades.length === 0 && upToDateAt === undefined) return undefined
    const counted = found.trades.length === 0 ? 0 : uncounted
    uncounted -= counted
    return { ...found, upToDateAt, dropped: counted }
  })

  const silent = new ExchangeError({
    exchange: id,
    reason: "Timeout",
    message: `The exchange "${id}" sent nothing over its stream for ${limits.staleMs / 1000} s.`
  })

  /** Waits for a frame. */
  const wait = Effect.gen(function* () {
    const quiet = (yield* monotonicMillis) - lastFrame()
    if (quiet >= limits.staleMs) return yield* silent
    yield* Effect.timeoutOrElse(bell.await, { duration: limits.staleMs - quiet, orElse: () => Effect.void })
    bell.closeUnsafe()
    // The first frame of a socket read wakes the reader; the other frames are processed before any other code runs.
    yield* Effect.yieldNow
  })

  const next: TradeStream["next"] = Effect.gen(function* () {
    for (;;) {
      if (!waiting.isEmpty()) {
        const batch = yield* takeRows
        if (batch !== undefined) return batch
        continue
      }
      const lost = failure()
      if (lost !== undefined) return yield* exchangeError(id, lost, yield* Clock.currentTimeMillis)
      if (lastFrame() > reportedFrame) {
        return { trades: [], dropped: 0, receivedAt: yield* Clock.currentTimeMillis, upToDateAt: getUpToDateAt() }
      }
      yield* wait
    }
  })
  return { next }
})

/** Frames that the class did not parse are parsed as rows of a page. If that fails, the frame is malformed. */
const parse = (
  exchange: CcxtExchange,
  symbol: string,
  rows: ReadonlyArray<ParsedRow>,
  members: ReadonlyArray<string> | undefined
): Effect.Effect<Result.Result<ReadonlyArray<ParsedRow>, string>> =>
  Effect.sync(() => {
    if (rows.every(({ parsed }) => parsed !== undefined)) return Result.succeed(rows)
    try {
      const parseRows = (raw: ReadonlyArray<ParsedRow>) =>
        exchange.parse(
          symbol,
          raw.map((row) => pickMembers(row.raw, members))
        )
      if (rows.every(({ parsed }) => parsed === undefined)) return Result.succeed(parseRows(rows))
      return Result.succeed(rows.flatMap((row) => (row.parsed === undefined ? parseRows([row]) : [row])))
    } catch (error) {
      // ccxt's parsers throw arbitrary errors on a wrong shape.
      return Result.fail(`its class cannot read it (${classNames(error)[0] ?? "no error"})`)
    }
  })

const pickMembers = (frame: unknown, members: ReadonlyArray<string> | undefined): unknown => {
  if (members === undefined || typeof frame !== "object" || frame === null) return frame
  const row: Record<string, unknown> = {}
  for (const member of members) row[member] = Object.getOwnPropertyDescriptor(frame, member)?.value
  return row
}

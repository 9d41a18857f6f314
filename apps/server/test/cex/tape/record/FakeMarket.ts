import { Cause, Clock, Effect, Layer, Queue, Stream } from "effect"
import { ExchangeError } from "../../../../src/cex/ExchangeSource.ts"
import type { ExchangeErrorReason, SourceTrade } from "../../../../src/cex/ExchangeSource.ts"
import type { RecorderOptions } from "../../../../src/cex/tape/record/Recorder.ts"
import { TradeFlow } from "../../../../src/cex/TradeFlow.ts"
import type { Continuity, FlowBatch, Transport } from "../../../../src/cex/TradeFlow.ts"
import { monotonicMillis } from "../../../../src/internal/monotonic.ts"

export const exchangeError = (reason: ExchangeErrorReason, retryAfterMs?: number) =>
  new ExchangeError({
    exchange: "fake",
    reason,
    message: `The exchange "fake" answers ${reason}.`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs })
  })

/** Of a recorder of the scripted market; nothing observes it. */
export const unobserved: RecorderOptions = {
  exchange: "fake",
  market: { base: "BTC", quote: "USD" },
  keepMs: undefined,
  announce: Effect.void,
  health: { succeeded: Effect.void, failed: () => Effect.void }
}

/** A scripted exchange with one market, `BTC/USD`. */
export interface FakeMarket {
  readonly layer: Layer.Layer<TradeFlow>
  /** Every trade, oldest first; the n-th has the id n if ids are a sequence. */
  readonly journal: ReadonlyArray<SourceTrade>
  /** Executes trades, which the caller emits or not. */
  readonly trade: (count: number, now: number) => ReadonlyArray<SourceTrade>
  /** `dropped`: trades directly before these that the flow dropped. Afterwards the exchange counts as heard forever. */
  readonly emit: (kind: FlowBatch["kind"], trades: ReadonlyArray<SourceTrade>, dropped?: number) => Effect.Effect<void>
  /** The exchange sends something else than a trade. */
  readonly beat: Effect.Effect<void>
  /** Batches that the recorder has not taken. */
  readonly waiting: () => number
  readonly disconnect: (error: ExchangeError) => Effect.Effect<void>
  readonly isConnected: () => boolean
  readonly connects: () => number
  readonly ranges: ReadonlyArray<readonly [number, number]>
  /** That of the next connection. */
  transport: Transport
  /** The page at the start of a connection. */
  firstPage: () => ReadonlyArray<SourceTrade>
  connectFails: () => ExchangeError | undefined
  openFails: () => ExchangeError | undefined
  /** Alters the right response of a range. */
  rangeAnswer: (right: ReadonlyArray<SourceTrade>) => Effect.Effect<ReadonlyArray<SourceTrade>, ExchangeError>
}

export const makeFakeMarket = (continuity: Continuity): FakeMarket => {
  const journal: Array<SourceTrade> = []
  const ranges: Array<readonly [number, number]> = []
  let connection: Queue.Queue<FlowBatch, ExchangeError> | undefined
  let connects = 0

  const connect = Effect.gen(function* () {
    connects++
    const failure = market.connectFails()
    if (failure !== undefined) return yield* failure
    const queue = yield* Effect.acquireRelease(Queue.unbounded<FlowBatch, ExchangeError>(), (made) =>
      Effect.sync(() => {
        if (connection === made) connection = undefined
      })
    )
    connection = queue
    yield* market.emit("page", market.firstPage())
    return Stream.fromQueue(queue)
  })

  const send = (batch: Omit<FlowBatch, "receivedAt">) =>
    Effect.map(Clock.currentTimeMillis, (receivedAt) => {
      if (connection !== undefined) Queue.offerUnsafe(connection, { ...batch, receivedAt })
    })

  const market: FakeMarket = {
    journal,
    ranges,
    trade: (count, now) => {
      for (let left = count; left > 0; left--) {
        const id = journal.length + 1
        const timestamp = Math.max(now, journal.at(-1)?.timestamp ?? 0)
        journal.push({
          id: continuity === "sequence" ? `${id}` : `t-${id}`,
          timestamp,
          price: `${1000 + (id % 97)}.${(id % 9) + 1}`,
          size: `0.${id % 9}1`,
          cost: "1",
          side: id % 3 === 0 ? "sell" : "buy"
        })
      }
      return journal.slice(journal.length - count)
    },
    emit: (kind, trades, dropped = 0) => send({ kind, trades, dropped, upToDateAt: Infinity }),
    beat: Effect.flatMap(monotonicMillis, (upToDateAt) => send({ kind: "live", trades: [], dropped: 0, upToDateAt })),
    disconnect: (error) =>
      Effect.suspend(() => {
        const lost = connection
        connection = undefined
        return lost === undefined ? Effect.void : Effect.asVoid(Queue.failCause(lost, Cause.fail(error)))
      }),
    waiting: () => (connection === undefined ? 0 : Queue.sizeUnsafe(connection)),
    isConnected: () => connection !== undefined,
    connects: () => connects,
    transport: "websocket",
    firstPage: () => journal.slice(-100),
    connectFails: () => undefined,
    openFails: () => undefined,
    rangeAnswer: Effect.succeed,
    layer: Layer.succeed(TradeFlow, {
      open: () =>
        Effect.suspend(() => {
          const failure = market.openFails()
          if (failure !== undefined) return Effect.fail(failure)
          return Effect.succeed({
            continuity,
            firstId: 1,
            transport: Effect.sync(() => market.transport),
            live: Stream.unwrap(connect),
            range: (from: number, to: number) =>
              Effect.suspend(() => {
                ranges.push([from, to])
                return Effect.map(market.rangeAnswer(journal.slice(Math.max(0, from - 1), to)), (trades) =>
                  trades.map((trade) => ({ ...trade, sequence: Number(trade.id) }))
                )
              })
          })
        })
    })
  }
  return market
}

/** A random generator with a seed: an integer from 0 to below a bound. */
export const makeDice = (seed: number) => {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  return (bound: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) % bound
  }
}
export type Dice = ReturnType<typeof makeDice>

export const shuffled = <A>(values: ReadonlyArray<A>, dice: Dice): ReadonlyArray<A> =>
  values
    .map((value) => [dice(1_000_000), value] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, value]) => value)

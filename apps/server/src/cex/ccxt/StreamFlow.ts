import { Clock, Effect, Stream } from "effect"
import { monotonicMillis } from "../../internal/monotonic.ts"
import type { ExchangeError, ExchangeFailure, SourceTrade } from "../ExchangeSource.ts"
import type { FlowBatch } from "../TradeFlow.ts"
import { newestPageOf } from "./NewestFlow.ts"
import type { StreamedTrades, TradeStream } from "./TradeStream.ts"
import type { Upstream } from "./Upstream.ts"

/** A stream whose ids are a sequence: what is missing before its first trades shows in their ids. */
export const sequenceFlow = (upstream: Upstream, symbol: string): Stream.Stream<FlowBatch, ExchangeError> =>
  Stream.unwrap(
    Effect.map(upstream.stream(symbol), ({ next }) => {
      let isFirst = true
      return Stream.fromEffectRepeat(
        Effect.map(next, ({ hasLost, receivedAt, trades }): FlowBatch => {
          const kind = isFirst || hasLost ? "page" : "live"
          isFirst = false
          return { kind, trades, receivedAt }
        })
      )
    })
  )

/** How often a page is read that must hold one of the stream's trades, and the first wait in between. */
const joinTries = 6
const joinMs = 250

// Some exchanges give the second of a trade in one place, and its millisecond in the other.
const isSame = (left: SourceTrade, right: SourceTrade): boolean =>
  left.timestamp === right.timestamp &&
  left.price === right.price &&
  left.size === right.size &&
  left.side === right.side

/** A page with the trades that followed it over the stream, or `undefined` if the page shows none of those. */
const joined = (page: ReadonlyArray<SourceTrade>, streamed: ReadonlyArray<SourceTrade>) => {
  const known = new Map(page.map((trade) => [trade.id, trade]))
  const agrees = streamed.some((trade) => {
    const same = known.get(trade.id)
    return same !== undefined && isSame(same, trade)
  })
  return agrees ? [...page, ...streamed.filter(({ id }) => !known.has(id))] : undefined
}

/**
 * A stream whose ids prove nothing: a page that holds one of its trades shows that nothing was lost before, and that
 * the pages have the same ids. Where they have not, or the stream is not to be had or not to be read, `onUseless` is told.
 */
export const overlapFlow = (
  upstream: Upstream,
  symbol: string,
  onUseless: () => void
): Stream.Stream<FlowBatch, ExchangeError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      let state: "new" | "waiting" | "joined" = "new"
      const judged = <A, R>(effect: Effect.Effect<A, ExchangeError, R>) =>
        Effect.tapError(effect, ({ reason }) =>
          Effect.sync(() => {
            if (state !== "joined" && isHopeless(reason)) onUseless()
          })
        )
      const stream = yield* judged(upstream.stream(symbol))
      const newest = newestPageOf(upstream, symbol)

      const page = Effect.fnUntraced(function* (first: StreamedTrades) {
        const streamed: Array<SourceTrade> = [...first.trades]
        for (let tries = 1; tries <= joinTries; tries++) {
          const found = yield* newest
          const trades = found.hasOwnIds ? joined(found.trades, streamed) : undefined
          if (trades !== undefined) return { kind: "page", trades, receivedAt: first.receivedAt } satisfies FlowBatch
          streamed.push(...(yield* within(stream, joinMs * tries)))
        }
        return yield* upstream.fail(
          "BadResponse",
          `The exchange "${upstream.id}" streams trades that its pages do not show as they are: its stream is not used any more.`
        )
      })

      return Stream.fromEffectRepeat(
        Effect.gen(function* () {
          if (state === "new") {
            const { trades } = yield* newest
            state = "waiting"
            return { kind: "page", trades, receivedAt: yield* Clock.currentTimeMillis } satisfies FlowBatch
          }
          const found = yield* judged(stream.next)
          if (state === "joined" && !found.hasLost) {
            return { kind: "live", trades: found.trades, receivedAt: found.receivedAt } satisfies FlowBatch
          }
          const batch = yield* judged(page(found))
          state = "joined"
          return batch
        })
      )
    })
  )

// A stream that asks for an account, or does not give trades of this market as pages do, will not do so later.
const isHopeless = (reason: ExchangeFailure): boolean =>
  reason === "NotSupported" || reason === "Refused" || reason === "BadResponse" || reason === "MarketNotFound"

/** What arrives over a stream within `ms`. */
const within = Effect.fnUntraced(function* ({ next }: TradeStream, ms: number) {
  const end = (yield* monotonicMillis) + ms
  const trades: Array<SourceTrade> = []
  for (let now = end - ms; now < end; now = yield* monotonicMillis) {
    const more = yield* Effect.timeoutOrElse(
      Effect.map(next, (found) => found.trades),
      { duration: end - now, orElse: () => Effect.succeed([]) }
    )
    trades.push(...more)
  }
  return trades
})

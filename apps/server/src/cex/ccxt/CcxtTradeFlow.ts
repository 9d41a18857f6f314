import { Effect, Layer, Stream } from "effect"
import type { ExchangeError, SourceTrade } from "../ExchangeSource.ts"
import { TradeFlow } from "../TradeFlow.ts"
import type { MarketFlow } from "../TradeFlow.ts"
import { CcxtConnections } from "./CcxtConnections.ts"
import type { CcxtExchangeEntry } from "./CcxtConnections.ts"
import { fetchRange } from "./IdPages.ts"
import type { Limits } from "./Limits.ts"
import { pollingFlow } from "./NewestFlow.ts"
import type { IdCursor } from "./Quirks.ts"
import { overlapFlow, sequenceFlow } from "./StreamFlow.ts"
import type { Upstream } from "./Upstream.ts"

/** The trades with ids from `from` to `to`, both inclusive, ascending. */
const rangeOf = (upstream: Upstream, cursor: IdCursor, symbol: string): MarketFlow["range"] =>
  Effect.fn("CcxtTradeFlow.range")(function* (from, to) {
    const found = new Map<number, SourceTrade>()
    const tape = { upstream: upstream.behind, cursor, symbol, deadline: Infinity }
    yield* fetchRange(tape, Math.max(from, cursor.firstId), to + 1, found)
    return [...found]
      .filter(([id]) => id >= from && id <= to)
      .sort(([left], [right]) => left - right)
      .map(([, trade]) => trade)
  })

const noRange =
  (upstream: Upstream): MarketFlow["range"] =>
  () =>
    Effect.fail(upstream.fail("NotSupported", `The exchange "${upstream.id}" has no trades by id.`))

const marketFlow = Effect.fnUntraced(function* (upstream: Upstream, symbol: string) {
  const { driver, id, quirk } = upstream
  const { cursor } = quirk
  const polling = pollingFlow(upstream, symbol)
  const isStreamed = yield* upstream.hasStream
  if (!driver.hasTrades) {
    return yield* upstream.fail("NotSupported", `The exchange "${id}" does not show trades without an account.`)
  }
  if (cursor !== undefined) {
    const byStream = isStreamed && quirk.stream !== undefined
    return {
      continuity: "sequence",
      firstId: cursor.firstId,
      transport: byStream ? "websocket" : "polling",
      live: byStream ? sequenceFlow(upstream, symbol) : polling,
      range: rangeOf(upstream, cursor, symbol)
    } satisfies MarketFlow
  }
  let isTrusted = isStreamed
  const distrust = () => {
    isTrusted = false
  }
  return {
    continuity: "overlap",
    firstId: 0,
    get transport() {
      return isTrusted ? "websocket" : "polling"
    },
    live: Stream.suspend(() => (isTrusted ? overlapFlow(upstream, symbol, distrust) : polling)),
    range: noRange(upstream)
  } satisfies MarketFlow
})

const layerNoDeps: Layer.Layer<TradeFlow, never, CcxtConnections> = Layer.effect(
  TradeFlow,
  Effect.gen(function* () {
    const { open } = yield* CcxtConnections
    return TradeFlow.of({
      open: Effect.fn("CcxtTradeFlow.open")(function* (exchange, market) {
        const upstream = yield* open(exchange)
        const symbol = yield* upstream.behind.symbol(market)
        return yield* marketFlow(upstream, symbol)
      }) satisfies (...args: Parameters<TradeFlow["Service"]["open"]>) => Effect.Effect<MarketFlow, ExchangeError>
    })
  })
)

/** The flow of trades through ccxt's classes of streams, or by reading newest pages where there is none. */
const layer = (exchanges: ReadonlyArray<CcxtExchangeEntry>, limits: Partial<Limits> = {}): Layer.Layer<TradeFlow> =>
  Layer.provide(layerNoDeps, CcxtConnections.layer(exchanges, limits))

export const CcxtTradeFlow = { layer, layerNoDeps }

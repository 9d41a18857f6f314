import { Effect, Exit, Layer, Scope, Stream } from "effect"
import type { SourceTrade } from "../ExchangeSource.ts"
import { TradeFlow } from "../TradeFlow.ts"
import type { MarketFlow } from "../TradeFlow.ts"
import type { CallLimits } from "./calls/CallLimits.ts"
import type { IdCursor } from "./catalog/Quirks.ts"
import { fetchRange } from "./pages/IdPages.ts"
import { pollingFlow } from "./stream/NewestFlow.ts"
import { overlapFlow, sequenceFlow } from "./stream/StreamFlow.ts"
import { CcxtConnections } from "./upstream/CcxtConnections.ts"
import type { CcxtExchangeEntry } from "./upstream/CcxtConnections.ts"
import type { Upstream } from "./upstream/Upstream.ts"

/** The trades with ids from `from` to `to`, both inclusive, ascending. */
const getRange = (upstream: Upstream, cursor: IdCursor, symbol: string): MarketFlow["range"] =>
  Effect.fn("CcxtTradeFlow.range")(function* (from, to) {
    const found = new Map<number, SourceTrade>()
    const reads = { upstream: upstream.background, cursor, symbol, deadline: Infinity }
    yield* fetchRange(reads, Math.max(from, cursor.firstId), to + 1, found)
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
      range: getRange(upstream, cursor, symbol)
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

/** The same. If it fails, what it has acquired is released at once, not with the scope of a caller that tries again. */
const releaseOnFailure = Effect.fnUntraced(function* <A, E, R>(acquire: Effect.Effect<A, E, R | Scope.Scope>) {
  const scope = yield* Scope.fork(yield* Effect.scope)
  return yield* Scope.provide(acquire, scope).pipe(
    Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)))
  )
})

export const layerNoDeps: Layer.Layer<TradeFlow, never, CcxtConnections> = Layer.effect(
  TradeFlow,
  Effect.gen(function* () {
    const { open } = yield* CcxtConnections
    return TradeFlow.of({
      open: Effect.fn("CcxtTradeFlow.open")(function* (exchange, market) {
        const upstream = yield* open(exchange)
        const symbol = yield* upstream.background.symbol(market)
        return yield* marketFlow(upstream, symbol)
      }, releaseOnFailure) satisfies TradeFlow["Service"]["open"]
    })
  })
)

/** The live trades through ccxt's stream classes, or by polling the newest page if there is no stream. */
export const layer = (
  exchanges: ReadonlyArray<CcxtExchangeEntry>,
  limits: Partial<CallLimits> = {}
): Layer.Layer<TradeFlow> => Layer.provide(layerNoDeps, CcxtConnections.layer(exchanges, limits))

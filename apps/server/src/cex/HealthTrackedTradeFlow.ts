import { Effect, Layer, Stream } from "effect"
import { SourceHealth } from "../sources/SourceHealth.ts"
import { recordFailure } from "./SourceProblem.ts"
import { TradeFlow } from "./TradeFlow.ts"

/** The same flows; their successes and failures are recorded in the health of the exchange. */
export const layer: Layer.Layer<TradeFlow, never, TradeFlow | SourceHealth> = Layer.effect(
  TradeFlow,
  Effect.gen(function* () {
    const flows = yield* TradeFlow
    const health = yield* SourceHealth
    const failed = recordFailure(health)
    return TradeFlow.of({
      // Looking a market up makes no request if the market list is cached: it proves nothing.
      open: (exchange, market) =>
        flows.open(exchange, market).pipe(
          Effect.tapError(failed),
          Effect.map((flow) => ({
            continuity: flow.continuity,
            firstId: flow.firstId,
            get transport() {
              return flow.transport
            },
            live: flow.live.pipe(
              Stream.tap(() => health.exchange.succeeded(exchange)),
              Stream.tapError(failed)
            ),
            range: (from, to) =>
              flow.range(from, to).pipe(
                Effect.tap(() => health.exchange.succeeded(exchange)),
                Effect.tapError(failed)
              )
          }))
        )
    })
  })
)

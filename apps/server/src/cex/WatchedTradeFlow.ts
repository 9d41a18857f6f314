import { Effect, Layer, Stream } from "effect"
import { SourceHealth } from "../sources/SourceHealth.ts"
import { notingFailures } from "./SourceProblem.ts"
import { TradeFlow } from "./TradeFlow.ts"

/** The same flows. What comes of them, and what fails, counts for the health of the exchange. */
export const layer: Layer.Layer<TradeFlow, never, TradeFlow | SourceHealth> = Layer.effect(
  TradeFlow,
  Effect.gen(function* () {
    const flows = yield* TradeFlow
    const health = yield* SourceHealth
    const failed = notingFailures(health)
    return TradeFlow.of({
      // To know a market takes no call where the list of markets is kept: it proves nothing.
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
              Stream.tap(() => health.succeeded(exchange)),
              Stream.tapError(failed)
            ),
            range: (from, to) =>
              flow.range(from, to).pipe(
                Effect.tap(() => health.succeeded(exchange)),
                Effect.tapError(failed)
              )
          }))
        )
    })
  })
)

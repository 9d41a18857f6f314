import { Clock, Effect, Stream } from "effect"
import { backoffMs, recoveryBackoff } from "../../../internal/backoff.ts"
import { groupDigits } from "../../../internal/groupDigits.ts"
import { catchFailure } from "../../../ownership/StepFailure.ts"
import type { Failure } from "../../../ownership/StepFailure.ts"
import type { ExchangeHealth } from "../../ExchangeHealth.ts"
import type { ExchangeError } from "../../ExchangeSource.ts"
import type { FlowBatch, MarketFlow, Transport } from "../../TradeFlow.ts"
import type { TapeEvent } from "../Tape.ts"
import type { Intake } from "./Intake.ts"
import type { Recording } from "./Recording.ts"

const ended: Failure<ExchangeError> = { error: undefined, message: "The connection ended.", retryAfterMs: undefined }

/** Keeps a connection to the flow of a market and passes on what arrives. Never ends. */
export const runConnection = Effect.fnUntraced(function* (options: {
  readonly flow: MarketFlow
  readonly recording: Recording
  readonly health: ExchangeHealth
  readonly intake: Intake
  readonly onDisconnect: Effect.Effect<void>
}): Effect.fn.Return<never> {
  const { flow, health, intake, onDisconnect, recording } = options
  let failures = 0

  const offerEvent = (event: TapeEvent) => intake.offer({ kind: "event", event })

  const receive = Effect.fnUntraced(function* (transport: Transport, batch: FlowBatch) {
    const { dropped, kind, receivedAt, trades, upToDateAt } = batch
    yield* health.succeeded
    if (upToDateAt !== undefined) recording.report({ upToDateAt })
    if (kind === "live" && trades.length === 0) return
    if (!recording.state.isConnected) {
      failures = 0
      recording.connect()
      yield* offerEvent({ at: receivedAt, kind: "connected", detail: `Trades arrive by ${transport}.` })
    }
    if (dropped > 0) {
      recording.countDropped(dropped)
      const detail = `${groupDigits(dropped)} trades were dropped because the store did not take them in time.`
      yield* offerEvent({ at: receivedAt, kind: "dropped", detail })
    }
    yield* intake.offer({ kind: "trades", from: kind, trades, receivedAt, connection: recording.state.connection })
  })

  const lose = Effect.fnUntraced(function* ({ error, message }: Failure<ExchangeError>) {
    if (!recording.disconnect(message)) return
    yield* Effect.logInfo(`The recording of ${recording.exchange} ${recording.market} lost its connection: ${message}`)
    // A silent connection is closed by us; any other loss has its cause at the exchange or in the network.
    const kind = error?.reason === "Timeout" ? "stale" : "disconnected"
    yield* offerEvent({ at: yield* Clock.currentTimeMillis, kind, detail: message })
    yield* onDisconnect
  })

  const connect = Effect.gen(function* () {
    const transport = yield* flow.transport
    recording.report({ transport })
    const live = Stream.runForEach(flow.live, (batch) => receive(transport, batch))
    const received = Effect.tapError(live, health.failed)
    const failure = yield* catchFailure(Effect.as(received, ended), Effect.succeed)
    yield* lose(failure)
    failures++
    yield* Effect.sleep(yield* backoffMs(failures, recoveryBackoff, failure.retryAfterMs))
  })
  return yield* Effect.forever(connect)
})

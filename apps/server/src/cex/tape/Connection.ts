import { Cause, Clock, Effect, Exit, Stream } from "effect"
import { ExchangeError } from "../ExchangeSource.ts"
import type { FlowBatch, MarketFlow } from "../TradeFlow.ts"
import { delayMs } from "./Backoff.ts"
import { failureOf } from "./Failure.ts"
import type { Intake } from "./Intake.ts"
import type { Recording } from "./Recording.ts"
import type { TapeEvent } from "./Tape.ts"

const backoff = { firstMs: 500, longestMs: 30_000 }

/** A connection that fell silent is cut by us; any other is lost by the exchange's doing or on the way. */
const lostEvent = (at: number, error: unknown, message: string): TapeEvent => ({
  at,
  kind: error instanceof ExchangeError && error.reason === "Timeout" ? "stale" : "disconnected",
  from: undefined,
  to: undefined,
  detail: message
})

/** Keeps a connection to the flow of a market, and hands over what comes. Never ends. */
export const keepConnected = (options: {
  readonly flow: MarketFlow
  readonly recording: Recording
  readonly intake: Intake
  readonly onDisconnect: Effect.Effect<void>
}): Effect.Effect<never> => {
  const { flow, intake, onDisconnect, recording } = options
  let connection = 0
  let failures = 0

  const receive = ({ kind, receivedAt, trades }: FlowBatch) => {
    if (!recording.isConnected) {
      failures = 0
      connection++
      recording.connection = connection
      recording.isConnected = true
      recording.wasConnected = true
      recording.failures.connection = undefined
      const detail = `Trades arrive by ${flow.transport}.`
      intake.event({ at: receivedAt, kind: "connected", from: undefined, to: undefined, detail })
    }
    intake.trades({ from: kind, trades, receivedAt, connection })
  }

  const lose = Effect.fnUntraced(function* (error: unknown, message: string) {
    if (!recording.isConnected) return
    recording.isConnected = false
    recording.isCurrent = false
    recording.disconnects++
    yield* Effect.logInfo(`The recording of ${recording.exchange} ${recording.market} lost its connection: ${message}`)
    intake.event(lostEvent(yield* Clock.currentTimeMillis, error, message))
    yield* onDisconnect
  })

  const connect = Effect.gen(function* () {
    const exit = yield* Effect.exit(Stream.runForEach(flow.live, (batch) => Effect.sync(() => receive(batch))))
    if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.interrupt
    const { error, message, retryAfterMs } = Exit.isFailure(exit)
      ? failureOf(exit.cause)
      : { error: undefined, message: "The connection ended.", retryAfterMs: 0 }
    recording.failures.connection = message
    yield* lose(error, message)
    failures++
    yield* Effect.sleep(yield* delayMs(failures, backoff, retryAfterMs))
  })
  return Effect.forever(connect)
}

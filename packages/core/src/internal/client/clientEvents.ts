/** Reports what a client does: to the hooks of its options, and at its log level to the loggers of the program. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as References from "effect/References"
import type { ClientOptions } from "../../client/ClientOptions.ts"

type Event<Name extends keyof ClientOptions> = Parameters<Extract<ClientOptions[Name], (event: never) => void>>[0]

export interface ClientEvents {
  readonly request: (event: Event<"onRequest">) => Effect.Effect<void>
  readonly response: (event: Event<"onResponse">) => Effect.Effect<void>
  readonly retry: (event: Event<"onRetry">) => Effect.Effect<void>
  readonly reconnect: (event: Event<"onReconnect">) => Effect.Effect<void>
}

const spanEvent = Effect.fnUntraced(function* (name: string, attributes: { readonly [name: string]: unknown }) {
  const span = yield* Effect.option(Effect.currentSpan)
  if (Option.isNone(span)) return
  const now = yield* Effect.clockWith(({ currentTimeNanos }) => currentTimeNanos)
  span.value.event(name, now, attributes)
})

export const makeClientEvents = (options: ClientOptions): ClientEvents => {
  const { logLevel = "off", onReconnect, onRequest, onResponse, onRetry } = options
  const log = (level: "Debug" | "Warn", message: string) =>
    Effect.provideService(Effect.logWithLevel(level)(message), References.MinimumLogLevel, level)
  const warn = (message: () => string) => (logLevel === "off" ? Effect.void : log("Warn", message()))
  const debug = (message: () => string) => (logLevel === "debug" ? log("Debug", message()) : Effect.void)
  return {
    request: (event) => {
      onRequest?.(event)
      return debug(() => `${event.operation}: GET ${event.url}, attempt ${event.attempt}`)
    },
    response: (event) => {
      onResponse?.(event)
      return debug(
        () => `${event.operation}: ${event.status} in ${Math.round(event.milliseconds)} ms from ${event.url}`
      )
    },
    retry: (event) => {
      onRetry?.(event)
      const { attempt, delayMilliseconds, error } = event
      return warn(() => `Attempt ${attempt + 1} in ${Math.round(delayMilliseconds)} ms: ${error.message}`)
    },
    reconnect: (event) => {
      onReconnect?.(event)
      const { delayMilliseconds, operation, reason, url } = event
      const delay = Math.round(delayMilliseconds)
      return Effect.andThen(
        spanEvent("chaintape.reconnect", { operation, url, reason, delayMilliseconds: delay }),
        warn(() => `${operation}: no live stream from ${url} (${reason}); polling, next connection in ${delay} ms`)
      )
    }
  }
}

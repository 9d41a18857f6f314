/** Reports what a client does: to the hooks of its options, and at its log level to the console of the program. */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type { ClientOptions } from "../../options/ClientOptions.ts"

type Event<Name extends keyof ClientOptions> = Parameters<Extract<ClientOptions[Name], (event: never) => void>>[0]

export interface ClientEvents {
  readonly request: (event: Event<"onRequest">) => Effect.Effect<void>
  readonly response: (event: Event<"onResponse">) => Effect.Effect<void>
  readonly retry: (event: Event<"onRetry">) => Effect.Effect<void>
}

export const warn = ({ logLevel = "off" }: ClientOptions, message: () => string): Effect.Effect<void> =>
  logLevel === "off" ? Effect.void : Console.warn(`chaintape: ${message()}`)

const debug = ({ logLevel }: ClientOptions, message: () => string): Effect.Effect<void> =>
  logLevel === "debug" ? Console.debug(`chaintape: ${message()}`) : Effect.void

export const makeClientEvents = (options: ClientOptions): ClientEvents => ({
  request: (event) => {
    options.onRequest?.(event)
    return debug(options, () => `${event.operation}: GET ${event.url}, attempt ${event.attempt}`)
  },
  response: (event) => {
    options.onResponse?.(event)
    return debug(
      options,
      () => `${event.operation}: ${event.status} in ${Math.round(event.milliseconds)} ms from ${event.url}`
    )
  },
  retry: (event) => {
    options.onRetry?.(event)
    const { attempt, delayMilliseconds, error } = event
    return warn(options, () => `attempt ${attempt + 1} in ${Math.round(delayMilliseconds)} ms: ${error.message}`)
  }
})

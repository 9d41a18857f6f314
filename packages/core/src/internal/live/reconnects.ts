/** Reports that a live stream has lost its connection: to the hook of the client, its span and its console. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ClientOptions } from "../../options/ClientOptions.ts"
import { warn } from "../transport/clientEvents.ts"

type Reconnect = Parameters<NonNullable<ClientOptions["onReconnect"]>>[0]

export const reportReconnect: (options: ClientOptions, event: Reconnect) => Effect.Effect<void> = Effect.fnUntraced(
  function* (options, event) {
    const { operation, reason, url } = event
    const delayMilliseconds = Math.round(event.delayMilliseconds)
    options.onReconnect?.(event)
    const span = yield* Effect.option(Effect.currentSpan)
    if (Option.isSome(span)) {
      const now = yield* Effect.clockWith(({ currentTimeNanos }) => currentTimeNanos)
      span.value.event("chaintape.reconnect", now, { operation, url, reason, delayMilliseconds })
    }
    yield* warn(
      options,
      () => `${operation}: no live stream from ${url} (${reason}); polling, next connection in ${delayMilliseconds} ms`
    )
  }
)

import { Effect, Layer, Schedule } from "effect"
import { ApiKeys } from "../../auth/keys/ApiKeys.ts"
import type { Ending } from "../../live/LiveFrame.ts"
import { Subscriptions } from "../../live/Subscriptions.ts"
import { Stopping } from "./Stopping.ts"

/**
 * The delay before a stream is reopened while the service stops. It is shorter than that of other requests: a client
 * resumes its stream on any other instance.
 */
export const reopenAfterMs = 1000

const closing: Ending = {
  reason: "closing",
  detail: "The service is stopping: resume after the last event, on another instance or when it has restarted.",
  retryAfterMs: reopenAfterMs
}

const revoked: Ending = {
  reason: "revoked",
  detail: "The key is not valid any more: resume after the last event with another one.",
  retryAfterMs: null
}

/** The interval at which the keys of open streams are checked. */
const checkInterval = "2 seconds"

/** Ends streams whose key is no longer valid, and all streams when the service stops. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const stopping = yield* Stopping
    const subscriptions = yield* Subscriptions
    const checkKeys = Effect.gen(function* () {
      for (const keyId of yield* subscriptions.openKeys) {
        if (!(yield* keys.isValid(keyId))) yield* subscriptions.end(revoked, keyId)
      }
    }).pipe(Effect.catchCause((cause) => Effect.logWarning("The keys of live streams cannot be read", cause)))
    yield* Effect.forkScoped(Effect.repeat(checkKeys, Schedule.spaced(checkInterval)))
    yield* Effect.forkScoped(Effect.andThen(stopping.begun, subscriptions.end(closing)))
  })
)

import { Effect, Layer } from "effect"
import { Headers, UrlParams } from "effect/http"

/** Keys of callers do not appear in logs and traces. */
export const layer = Layer.mergeAll(
  Layer.effect(
    UrlParams.CurrentRedactedNames,
    Effect.map(UrlParams.CurrentRedactedNames, (names) => [...names, "apiKey", "api_key", "api-key"])
  ),
  Layer.effect(
    Headers.CurrentRedactedNames,
    Effect.map(Headers.CurrentRedactedNames, (names) => [...names, "api-key"])
  )
)

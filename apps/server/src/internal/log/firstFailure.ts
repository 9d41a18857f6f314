import { Effect } from "effect"

/** Ignores the failures of an effect that is repeated, and logs the first one after a success as a warning. */
export const makeFirstFailureWarning = (message: string) => {
  let isFailing = false
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
    Effect.matchCauseEffect(effect, {
      onSuccess: () => Effect.sync(() => void (isFailing = false)),
      onFailure: (cause) => {
        const log = isFailing ? Effect.logDebug : Effect.logWarning
        isFailing = true
        return log(message, cause)
      }
    })
}

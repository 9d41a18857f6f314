import { Cause, Effect } from "effect"

/** Logs the first failure after a success as a warning, and the next success as its end. */
export const makeOutageWarning = (message: string) => {
  let isFailing = false
  const end = Effect.suspend(() => {
    if (!isFailing) return Effect.void
    isFailing = false
    return Effect.logInfo(`Resolved: ${message}`)
  })
  const warn = (cause: Cause.Cause<unknown>) =>
    Effect.suspend(() => {
      // A caller that leaves is no failure.
      if (Cause.hasInterruptsOnly(cause)) return Effect.void
      const log = isFailing ? Effect.logDebug : Effect.logWarning
      isFailing = true
      return log(message, cause)
    })
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    effect.pipe(
      Effect.tap(() => end),
      Effect.tapCause(warn)
    )
}

/** Ignores the failures of an effect that is repeated, and logs the first one after a success, and its end. */
export const makeFirstFailureWarning = (message: string) => {
  const warned = makeOutageWarning(message)
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> => Effect.ignoreCause(warned(effect))
}

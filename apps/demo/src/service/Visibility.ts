import * as Effect from "effect/Effect"

/** Goes on when somebody looks at the page: a page in the background asks nothing. */
export const whenVisible: Effect.Effect<void> = Effect.callback((resume) => {
  const look = () => {
    if (document.visibilityState !== "visible") return
    document.removeEventListener("visibilitychange", look)
    resume(Effect.void)
  }
  document.addEventListener("visibilitychange", look)
  look()
  return Effect.sync(() => document.removeEventListener("visibilitychange", look))
})

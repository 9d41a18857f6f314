import * as Effect from "effect/Effect"

/** Waits while the page is hidden, so that a page in the background sends no requests. */
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

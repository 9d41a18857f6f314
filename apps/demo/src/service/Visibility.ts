import * as Effect from "effect/Effect"

const waitUntil = (state: DocumentVisibilityState): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const look = () => {
      if (document.visibilityState !== state) return
      document.removeEventListener("visibilitychange", look)
      resume(Effect.void)
    }
    document.addEventListener("visibilitychange", look)
    look()
    return Effect.sync(() => document.removeEventListener("visibilitychange", look))
  })

/** Waits while the page is hidden, so that a page in the background sends no requests. */
export const waitUntilVisible = waitUntil("visible")

/** Waits until the page is hidden. */
export const waitUntilHidden = waitUntil("hidden")

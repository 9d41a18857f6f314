import * as Predicate from "effect/Predicate"
import { useEffect } from "react"

/** How long a page may take to become as high as it was (milliseconds). */
const patience = 5000

const inputs = ["keydown", "pointerdown", "touchstart", "wheel"]

/** Scrolls to a position while the page grows. The signal is aborted once it is reached, given up, or no longer wanted. */
const scrollTo = (position: number, left: AbortSignal): AbortSignal => {
  const reached = new AbortController()
  const signal = AbortSignal.any([left, reached.signal, AbortSignal.timeout(patience)])
  const growth = new ResizeObserver(() => {
    window.scrollTo(0, position)
    if (window.scrollY > position - 1) reached.abort()
  })
  growth.observe(document.body)
  signal.addEventListener("abort", () => growth.disconnect())
  for (const input of inputs) window.addEventListener(input, () => reached.abort(), { signal, passive: true })
  return signal
}

/** A link that was followed, and an element that is gone, lose the focus to the new page. */
const moveFocus = (): void => {
  const isUsed = document.activeElement?.matches("body, a") === false
  if (!isUsed) document.getElementById("main")?.focus({ preventScroll: true })
}

const toPath = (hash: string) => hash.split("?")[0]

/**
 * A new page begins at its top and takes the focus. Back and forward return to where a page was left: the state of an entry
 * of the history is that position. The browser cannot do it, because a page is read after its address has changed.
 */
export const usePagePosition = (): void => {
  useEffect(() => {
    window.history.scrollRestoration = "manual"
    const unmounted = new AbortController()
    let { hash } = window.location
    let left = new AbortController()
    let scrolling = left.signal
    const save = () => {
      if (scrolling.aborted && window.location.hash === hash) window.history.replaceState(window.scrollY, "")
    }
    const arrive = () => {
      const isOther = toPath(window.location.hash) !== toPath(hash)
      hash = window.location.hash
      left.abort()
      const { state }: { readonly state: unknown } = window.history
      if (Predicate.isNumber(state)) {
        left = new AbortController()
        scrolling = scrollTo(state, left.signal)
      } else {
        if (isOther) window.scrollTo(0, 0)
        save()
      }
      if (isOther) moveFocus()
    }
    arrive()
    window.addEventListener("hashchange", arrive, unmounted)
    window.addEventListener("scrollend", save, unmounted)
    return () => {
      left.abort()
      unmounted.abort()
    }
  }, [])
}

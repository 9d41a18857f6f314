import { useLayoutEffect, useRef } from "react"

/** For the region of a live table. If a row leaves while one of its elements has the focus, the region receives it. */
export const useHeldFocus = () => {
  const ref = useRef<HTMLDivElement>(null)
  const isInside = useRef(false)
  useLayoutEffect(() => {
    if (isInside.current && document.activeElement === document.body) ref.current?.focus({ preventScroll: true })
  })
  return {
    ref,
    onFocus: () => {
      isInside.current = true
    },
    // Not called for an element that is removed.
    onBlur: () => {
      isInside.current = false
    }
  }
}

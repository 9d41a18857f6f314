import type { FocusEvent } from "react"
import { useState } from "react"

/**
 * The items of a live list, which stand still while an element of the list has the focus: a reader who has reached one
 * by the keyboard reads and opens that one. `props` belong to the element around the list.
 */
export const useFocusPause = <A>(items: ReadonlyArray<A>) => {
  const [held, setHeld] = useState<ReadonlyArray<A>>()
  return {
    items: held ?? items,
    props: {
      "data-paused": held === undefined ? undefined : "",
      onFocus: ({ target }: FocusEvent) => {
        if (target.matches(":focus-visible")) setHeld((before) => before ?? items)
      },
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) setHeld(undefined)
      }
    }
  }
}

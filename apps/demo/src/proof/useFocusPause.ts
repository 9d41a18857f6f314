import type { FocusEvent, PointerEvent } from "react"
import { useState } from "react"

/**
 * The items of a live list, which stand still while an element of the list has the focus or the mouse is over the list: a
 * reader opens the one that they aim at. `props` belong to the element around the list.
 */
export const useFocusPause = <A>(items: ReadonlyArray<A>) => {
  const [held, setHeld] = useState<ReadonlyArray<A>>()
  const hold = () => setHeld((before) => before ?? items)
  return {
    items: held ?? items,
    props: {
      "data-paused": held === undefined ? undefined : "",
      onFocus: ({ target }: FocusEvent) => {
        if (target.matches(":focus-visible")) hold()
      },
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) setHeld(undefined)
      },
      onPointerEnter: ({ pointerType }: PointerEvent) => {
        if (pointerType === "mouse") hold()
      },
      onPointerLeave: ({ currentTarget }: PointerEvent) => {
        if (currentTarget.querySelector(":focus-visible") === null) setHeld(undefined)
      }
    }
  }
}

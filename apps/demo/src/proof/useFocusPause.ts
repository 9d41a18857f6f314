import type { FocusEvent, PointerEvent } from "react"
import { useEffect, useRef, useState } from "react"

/** The use of a list that pauses it. */
type Use = "focus" | "mouse" | "selection"

const isSelected = (element: Element): boolean => {
  const selection = document.getSelection()
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true)
}

/**
 * The items of a live list, which stand still while an element of the list has the focus, the mouse is over the list or text
 * of it is selected: a reader opens and copies what they aim at. A dialog that has the focus returns it. `props` belong to
 * the element around the list.
 */
export const useFocusPause = <A>(items: ReadonlyArray<A>) => {
  const list = useRef<HTMLDivElement>(null)
  const [uses, setUses] = useState<ReadonlyArray<Use>>([])
  const held = useRef(items)
  if (uses.length === 0) held.current = items
  const begin = (use: Use) => setUses((before) => (before.includes(use) ? before : [...before, use]))
  const end = (use: Use) => setUses((before) => (before.includes(use) ? before.filter((one) => one !== use) : before))
  useEffect(() => {
    const look = () => (list.current !== null && isSelected(list.current) ? begin : end)("selection")
    document.addEventListener("selectionchange", look)
    return () => document.removeEventListener("selectionchange", look)
  }, [])
  return {
    items: held.current,
    props: {
      ref: list,
      "data-paused": uses.length === 0 ? undefined : "",
      onFocus: ({ target }: FocusEvent) => {
        if (target.matches(":focus-visible")) begin("focus")
      },
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget) && relatedTarget?.closest("dialog") == null) end("focus")
      },
      onPointerEnter: ({ pointerType }: PointerEvent) => {
        if (pointerType === "mouse") begin("mouse")
      },
      onPointerLeave: () => end("mouse")
    }
  }
}

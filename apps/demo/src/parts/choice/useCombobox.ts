import type { ChangeEvent, FocusEvent, KeyboardEvent, MouseEvent } from "react"
import { useEffect, useId, useRef, useState } from "react"

/**
 * A text field with a list of suggestions, as the ARIA practices describe it. `find` returns the suggestions for a text,
 * `pick` gets the chosen one, or undefined if there is none for the text, and returns whether it takes it.
 */
export const useCombobox = <A>(
  find: (text: string) => ReadonlyArray<A>,
  pick: (chosen: A | undefined, text: string) => boolean
) => {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  /** Undefined while the list is closed. */
  const [text, setText] = useState<string>()
  const [at, setAt] = useState(0)
  const found = text === undefined ? [] : find(text)
  const isOpen = found.length > 0
  const active = isOpen ? `${id}-${at}` : undefined
  useEffect(() => {
    if (active !== undefined) document.getElementById(active)?.scrollIntoView({ block: "nearest" })
  }, [active])
  const write = (next: string | undefined) => {
    setText(next)
    setAt(0)
  }
  const choose = (chosen: A | undefined) => {
    if (pick(chosen, text ?? "")) write(undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault()
      if (text === undefined) return write("")
      const step = event.key === "ArrowDown" ? 1 : -1
      return setAt(Math.min(Math.max(at + step, 0), Math.max(found.length - 1, 0)))
    }
    if (event.key === "Escape") return write(undefined)
    return event.key === "Enter" ? choose(found[at]) : undefined
  }
  return {
    id,
    field,
    text,
    found,
    isOpen,
    input: {
      id,
      ref: field,
      role: "combobox",
      autoComplete: "off",
      spellCheck: false,
      "aria-expanded": isOpen,
      "aria-controls": `${id}-list`,
      "aria-autocomplete": "list",
      "aria-activedescendant": active,
      onFocus: (event: FocusEvent<HTMLInputElement>) => {
        event.target.select()
        write("")
      },
      onBlur: () => write(undefined),
      onChange: (event: ChangeEvent<HTMLInputElement>) => write(event.target.value),
      onKeyDown
    },
    // A list that scrolls would take the focus of the Tab key, and lose it when the field closes it.
    list: { id: `${id}-list`, role: "listbox", hidden: !isOpen, tabIndex: -1 },
    toOption: (option: A, index: number) => ({
      id: `${id}-${index}`,
      role: "option",
      "aria-selected": index === at,
      // The field keeps the focus until the click, which a finger that scrolls the list does not make.
      onMouseDown: (event: MouseEvent) => event.preventDefault(),
      onClick: () => {
        choose(option)
        field.current?.blur()
      }
    })
  } as const
}

import type { KeyboardEvent } from "react"
import { useId, useRef, useState } from "react"

export interface Option {
  readonly value: string
  readonly text: string
}

const most = 60

const matching = (options: ReadonlyArray<Option>, text: string) => {
  const wanted = text.trim().toLowerCase()
  return options.filter((option) => `${option.text} ${option.value}`.toLowerCase().includes(wanted)).slice(0, most)
}

/** A text field with suggestions; if `accept` allows it, any text is accepted. */
export const Picker = ({
  accept,
  label,
  onPick,
  options,
  value
}: {
  readonly label: string
  readonly value: string
  readonly options: ReadonlyArray<Option>
  readonly onPick: (value: string) => void
  readonly accept?: (text: string) => string | undefined
}) => {
  const id = useId()
  const [text, setText] = useState<string>()
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const shown = options.find((option) => option.value === value)?.text ?? value
  const found = text === undefined ? [] : matching(options, text)
  const isOpen = found.length > 0
  const typed = accept?.(text ?? "")
  const pick = (picked: string) => {
    setText(undefined)
    if (picked !== value) onPick(picked)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault()
      if (text === undefined) return setText("")
      const step = event.key === "ArrowDown" ? 1 : -1
      return setAt(Math.min(Math.max(at + step, 0), Math.max(found.length - 1, 0)))
    }
    if (event.key === "Escape") return setText(undefined)
    if (event.key !== "Enter") return undefined
    const chosen = found[at]?.value ?? typed
    return chosen === undefined ? undefined : pick(chosen)
  }
  return (
    <div className="picker">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        ref={field}
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        value={text ?? shown}
        onFocus={(event) => {
          event.target.select()
          setText("")
          setAt(0)
        }}
        onBlur={() => setText(undefined)}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        placeholder={shown}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={label} hidden={!isOpen}>
        {found.map((option, index) => (
          <li
            key={option.value}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onPointerDown={(event) => {
              event.preventDefault()
              pick(option.value)
              field.current?.blur()
            }}
          >
            {option.text}
            {option.text.toLowerCase() === option.value.toLowerCase() ? null : <small>{option.value}</small>}
          </li>
        ))}
      </ul>
      {text === undefined || isOpen ? null : (
        <p className="none" role="status">
          Nothing matches.{typed === undefined ? "" : ` Enter opens ${typed}.`}
        </p>
      )}
    </div>
  )
}

import * as Effect from "effect/Effect"
import { useEffect, useState } from "react"
import { useCombobox } from "../parts/choice/useCombobox.ts"
import { usePolling } from "../service/usePolling.ts"
import { readTargets } from "./readTargets.ts"
import type { Target } from "./Target.ts"
import { findTargets, toHint } from "./Target.ts"
import "../parts/choice/picker.css"
import "./search.css"

const label = "Search markets, tokens, pools and blocks"

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const isShortcut = (event: KeyboardEvent) =>
  event.key === "k" ? event.ctrlKey || event.metaKey : event.key === "/" && !isTyping(event.target)

const Found = ({ target: { address, kind, names, note } }: { readonly target: Target }) => (
  <>
    <span>
      {names.map((name, index) => (
        <bdi key={index} className="name">
          {name}
        </bdi>
      ))}
    </span>
    <small>
      {kind}, {note}
      {address === undefined ? "" : `, ${address.slice(0, 6)}…${address.slice(-4)}`}
    </small>
  </>
)

/** Finds a page by a name, an address or the number of a block. Ctrl-K or / focuses it. */
export const Search = () => {
  const [isUsed, setUsed] = useState(false)
  /** The minute of the page's life in which the field was last focused: blocks and pools are added meanwhile. */
  const [minute, setMinute] = useState(0)
  const { problem, value } = usePolling(
    `targets ${isUsed}`,
    isUsed ? readTargets : Effect.never,
    undefined,
    String(minute)
  )
  const { field, found, input, isOpen, list, text, toOption } = useCombobox(
    (wanted) => (value === undefined ? [] : findTargets(value, wanted)),
    (chosen) => {
      if (chosen === undefined) return false
      window.location.hash = chosen.href
      document.getElementById("main")?.focus()
      return true
    }
  )
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (!isShortcut(event) || document.querySelector("dialog[open]") !== null) return
      event.preventDefault()
      field.current?.focus()
    }
    window.addEventListener("keydown", focus)
    return () => window.removeEventListener("keydown", focus)
  }, [field])
  return (
    <div className="picker search" role="search">
      <input
        {...input}
        aria-label={label}
        aria-keyshortcuts="Control+K /"
        placeholder="Search ( / )"
        value={text ?? ""}
        onFocus={(event) => {
          input.onFocus(event)
          setUsed(true)
          setMinute(Math.floor(event.timeStamp / 60_000))
        }}
      />
      <ul {...list} aria-label="Found pages">
        {found.map((target, index) => (
          <li key={target.href} {...toOption(target, index)}>
            <Found target={target} />
          </li>
        ))}
      </ul>
      {text === undefined || isOpen ? null : (
        <p className="none" role="status">
          {problem?.message ?? (value === undefined ? "Reading the names." : toHint(text))}
        </p>
      )}
    </div>
  )
}

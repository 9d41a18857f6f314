import type { KeyboardEvent } from "react"
import type { Bar, Bars } from "./Bars.ts"

/** Moves from bar to bar by the arrow keys, Home and End. Enter opens the bar, Escape lets it go. */
export const useCandleKeys = (
  bars: Bars,
  selected: Bar | undefined,
  { onOpen, onSelect }: { readonly onSelect: (bar: Bar | undefined) => void; readonly onOpen: (bar: Bar) => void }
) => {
  const last = bars.length - 1
  const at = selected === undefined ? last + 1 : bars.findIndex(({ start }) => start === selected.start)
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: Math.max(0, at - 1),
    ArrowRight: Math.min(last, at + 1),
    Home: 0,
    End: last
  }
  return (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return
    const target = targets[event.key]
    if (target !== undefined) {
      event.preventDefault()
      onSelect(bars[target])
    }
    if (event.key === "Escape") onSelect(undefined)
    const opened = selected ?? bars[last]
    if (event.key !== "Enter" || opened === undefined) return
    // Otherwise the same key would press the button that gets the focus.
    event.preventDefault()
    onOpen(opened)
  }
}

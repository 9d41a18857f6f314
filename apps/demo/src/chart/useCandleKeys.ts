import type { KeyboardEvent } from "react"
import type { ChartCandle, ChartCandles } from "./ChartCandle.ts"

/** Moves from candle to candle by the arrow keys, Home and End. Enter opens the candle, Escape lets it go. */
export const useCandleKeys = (
  candles: ChartCandles,
  selected: ChartCandle | undefined,
  {
    onOpen,
    onSelect
  }: { readonly onSelect: (candle: ChartCandle | undefined) => void; readonly onOpen: (candle: ChartCandle) => void }
) => {
  const last = candles.length - 1
  const at = selected === undefined ? last + 1 : candles.findIndex(({ start }) => start === selected.start)
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
      onSelect(candles[target])
    }
    if (event.key === "Escape") onSelect(undefined)
    const opened = selected ?? candles[last]
    if (event.key !== "Enter" || opened === undefined) return
    // Otherwise the same key would press the button that gets the focus.
    event.preventDefault()
    onOpen(opened)
  }
}

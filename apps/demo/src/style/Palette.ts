import { useSyncExternalStore } from "react"

/** The colors of the page, for canvas drawing. */
export interface Palette {
  readonly up: string
  readonly down: string
  readonly quiet: string
  readonly line: string
}

export const readPalette = (): Palette => {
  const style = window.getComputedStyle(document.documentElement)
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return { up: color("up"), down: color("down"), quiet: color("quiet"), line: color("line") }
}

const dark = window.matchMedia("(prefers-color-scheme: dark)")

const subscribe = (listener: () => void) => {
  dark.addEventListener("change", listener)
  return () => dark.removeEventListener("change", listener)
}

/** Whether the page is dark. */
export const useScheme = (): boolean => useSyncExternalStore(subscribe, () => dark.matches)

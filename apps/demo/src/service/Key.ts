import { useSyncExternalStore } from "react"
import { makeCell } from "./Cell.ts"

/** For this tab alone: whoever closes it has handed the key back. */
const place = "chaintape-key"

const fromAddress = (): string | undefined => {
  const [, key] = /^#key=(.+)$/.exec(window.location.hash) ?? []
  if (key === undefined) return undefined
  // Neither the history nor a copied address shows it any more.
  window.history.replaceState(null, "", `${window.location.pathname}${window.location.search}#/`)
  return decodeURIComponent(key)
}

const cell = makeCell<string | undefined>(window.sessionStorage.getItem(place) ?? undefined)

export const setKey = (key: string | undefined): void => {
  if (key === undefined) window.sessionStorage.removeItem(place)
  else window.sessionStorage.setItem(place, key)
  cell.set(key)
}

/** Takes the key of a link that the start of the service has printed. */
export const takeKeyFromAddress = (): void => {
  const key = fromAddress()
  if (key !== undefined) setKey(key)
}

export const useKey = (): string | undefined => useSyncExternalStore(cell.subscribe, cell.get)

/** The key with nothing of it to be read off a screen. */
export const maskedKey = (key: string): string => `${key.slice(0, 10)}${"•".repeat(8)}`

import { useSyncExternalStore } from "react"
import { readStored, writeStored } from "../../service/Storage.ts"
import { makeStore } from "../../service/Store.ts"

/** The time zones that the page can show. */
export const zones = ["local", "UTC"] as const

export type Zone = (typeof zones)[number]

const storageKey = "chaintape-zone"

/** The zone of the browser. */
export const localZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The seconds that a zone is ahead of UTC at a time (Unix milliseconds). */
export const getOffset = (zone: Zone, millis: number): number =>
  zone === "UTC" ? 0 : new Date(millis).getTimezoneOffset() * -60

const toZone = (stored: string | null | undefined): Zone => (stored === "UTC" ? "UTC" : "local")

const store = makeStore<Zone>(toZone(readStored("localStorage", storageKey)))

/** Shows all times in this zone, also when the page is opened again. */
export const setZone = (zone: Zone): void => {
  writeStored("localStorage", storageKey, zone)
  store.set(zone)
}

/** Follows the choice of other tabs. */
export const shareZone = (): void =>
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === storageKey) store.set(toZone(newValue))
  })

export const useZone = (): Zone => useSyncExternalStore(store.subscribe, store.get)

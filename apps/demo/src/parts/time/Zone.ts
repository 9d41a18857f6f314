import { useSyncExternalStore } from "react"
import { makeStore } from "../../service/Store.ts"

/** The time zones that the page can show. */
export const zones = ["local", "UTC"] as const

export type Zone = (typeof zones)[number]

const storageKey = "chaintape-zone"

/** The zone of the browser. */
export const localZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** A browser may refuse its storage. */
const readStored = (): Zone => {
  try {
    return window.localStorage.getItem(storageKey) === "UTC" ? "UTC" : "local"
  } catch {
    return "local"
  }
}

const store = makeStore<Zone>(readStored())

/** Shows all times in this zone, also when the page is opened again. */
export const setZone = (zone: Zone): void => {
  try {
    window.localStorage.setItem(storageKey, zone)
  } catch {
    // Until the page is closed, the zone holds without a storage.
  }
  store.set(zone)
}

export const useZone = (): Zone => useSyncExternalStore(store.subscribe, store.get)

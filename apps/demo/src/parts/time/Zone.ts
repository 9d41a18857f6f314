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

const store = makeStore<Zone>(readStored("localStorage", storageKey) === "UTC" ? "UTC" : "local")

/** Shows all times in this zone, also when the page is opened again. */
export const setZone = (zone: Zone): void => {
  writeStored("localStorage", storageKey, zone)
  store.set(zone)
}

export const useZone = (): Zone => useSyncExternalStore(store.subscribe, store.get)

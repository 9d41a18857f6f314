import * as DateTime from "effect/DateTime"
import type { Store } from "../../service/Store.ts"
import { makeStore } from "../../service/Store.ts"
import type { Zone } from "./Zone.ts"
import { getOffset } from "./Zone.ts"

const dayLength = 86_400

/** The day of Unix milliseconds in a zone, counted from 1970. */
export const toDay = (zone: Zone, millis: number): number =>
  Math.floor((millis / 1000 + getOffset(zone, millis)) / dayLength)

const opened = DateTime.toEpochMillis(DateTime.nowUnsafe())

/** The current day in each zone. It changes only at midnight: times that depend on it are not rendered every second. */
export const today: Readonly<Record<Zone, Store<number>>> = {
  local: makeStore(toDay("local", opened)),
  UTC: makeStore(toDay("UTC", opened))
}

/** Sets the current day from Unix milliseconds. */
export const setToday = (now: number): void => {
  today.local.set(toDay("local", now))
  today.UTC.set(toDay("UTC", now))
}

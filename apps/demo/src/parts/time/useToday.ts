import { useSyncExternalStore } from "react"
import { today } from "./Today.ts"
import { useZone } from "./Zone.ts"

/** The current day in the zone of the page. */
export const useToday = (): number => {
  const { get, subscribe } = today[useZone()]
  return useSyncExternalStore(subscribe, get)
}

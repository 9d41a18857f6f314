import { useCallback } from "react"
import { timeText } from "./TimeText.ts"
import { useToday } from "./useToday.ts"
import { useZone } from "./Zone.ts"

/** The text of Unix milliseconds, in the zone of the page: with its date, unless it is of today. */
export const useTimeText = (): ((millis: number) => string) => {
  const zone = useZone()
  const today = useToday()
  return useCallback((millis) => timeText(zone, millis, today), [zone, today])
}

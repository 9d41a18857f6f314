import { useEffect } from "react"
import { setToday } from "./Today.ts"
import { useNow } from "./useNow.ts"

/** Lets the current day follow the clock. It renders nothing. */
export const DayChange = (): null => {
  const now = useNow()
  useEffect(() => {
    if (now !== undefined) setToday(now)
  }, [now])
  return null
}

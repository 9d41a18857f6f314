import { useCallback } from "react"
import { toDay } from "./Today.ts"
import type { Zone } from "./Zone.ts"
import { useZone } from "./Zone.ts"

type Format = (zone: Zone, millis: number) => string

/** Formats times in either zone. */
export const makeFormat = (options: Intl.DateTimeFormatOptions): Format => {
  const formats = {
    local: new Intl.DateTimeFormat(undefined, { hourCycle: "h23", ...options }),
    UTC: new Intl.DateTimeFormat(undefined, { hourCycle: "h23", timeZone: "UTC", ...options })
  } as const satisfies Record<Zone, Intl.DateTimeFormat>
  return (zone, millis) => formats[zone].format(millis)
}

export const clockText = makeFormat({ hour: "2-digit", minute: "2-digit", second: "2-digit" })
export const wholeText = makeFormat({ dateStyle: "medium", timeStyle: "medium" })

/** A time of the day `today`, or of another day with its date. */
export const timeText = (zone: Zone, millis: number, today: number): string =>
  (toDay(zone, millis) === today ? clockText : wholeText)(zone, millis)

const dayText = makeFormat({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" })

/** The day and minute of Unix milliseconds, in the zone of the page. */
export const useDayText = (): ((millis: number) => string) => {
  const zone = useZone()
  return useCallback((millis) => dayText(zone, millis), [zone])
}

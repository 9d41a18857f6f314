import * as DateTime from "effect/DateTime"
import { timeText, wholeText } from "./TimeText.ts"
import { useToday } from "./useToday.ts"
import { localZone, useZone } from "./Zone.ts"

/** The time in both zones, for a hover. */
const toTitle = (millis: number, iso: string): string =>
  localZone === "UTC" ? `${iso} (UTC)` : `${iso} (UTC), ${wholeText("local", millis)} (${localZone})`

/**
 * A time in the zone of the page, or in the words of `children`; in UTC and in the zone of the viewer on hover. A time of
 * another day than today has its date.
 */
export const Time = ({
  children,
  millis,
  withDate = false
}: {
  readonly millis: number
  readonly withDate?: boolean
  readonly children?: string
}) => {
  const zone = useZone()
  const today = useToday()
  const iso = DateTime.formatIso(DateTime.makeUnsafe(millis))
  return (
    <time className="num" dateTime={iso} title={toTitle(millis, iso)}>
      {children ?? (withDate ? wholeText(zone, millis) : timeText(zone, millis, today))}
    </time>
  )
}

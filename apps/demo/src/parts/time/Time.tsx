import * as DateTime from "effect/DateTime"

const clock = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23"
})
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" })

export const clockText = (millis: number): string => clock.format(millis)

const iso = (millis: number) => DateTime.formatIso(DateTime.makeUnsafe(millis))

/** A time in the viewer's time zone, or in the words of `children`; UTC on hover. */
export const Time = ({
  children,
  millis,
  withDate = false
}: {
  readonly millis: number
  readonly withDate?: boolean
  readonly children?: string
}) => (
  <time className="num" dateTime={iso(millis)} title={`${iso(millis)} (UTC)`}>
    {children ?? (withDate ? whole.format(millis) : clockText(millis))}
  </time>
)

import type { DeepPartial, Time, TimeChartOptions } from "lightweight-charts"
import { ColorType, TickMarkType } from "lightweight-charts"
import type { Palette } from "../parts/Palette.ts"

const local = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(undefined, { hourCycle: "h23", ...options })
  return (time: Time) => format.format(Number(time) * 1000)
}

const hour = local({ hour: "2-digit", minute: "2-digit" })
const day = local({ day: "numeric", month: "short" })
const month = local({ month: "short", year: "numeric" })
const year = local({ year: "numeric" })
const whole = local({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" })

const marks = {
  [TickMarkType.Year]: year,
  [TickMarkType.Month]: month,
  [TickMarkType.DayOfMonth]: day,
  [TickMarkType.Time]: hour,
  [TickMarkType.TimeWithSeconds]: hour
} as const

/**
 * The chart in the page's colors and the viewer's time zone. Its logo would need an inline style: the footer names its
 * makers instead.
 */
export const chartOptions = (palette: Palette, isDark: boolean): DeepPartial<TimeChartOptions> => ({
  autoSize: true,
  layout: {
    attributionLogo: false,
    background: { type: ColorType.Solid, color: "transparent" },
    textColor: palette.quiet,
    fontFamily: "inherit",
    fontSize: 12
  },
  grid: { vertLines: { visible: false }, horzLines: { color: palette.line } },
  rightPriceScale: { borderVisible: false },
  // A finger that moves up or down scrolls the page.
  handleScroll: { vertTouchDrag: false },
  timeScale: {
    borderVisible: false,
    timeVisible: true,
    secondsVisible: false,
    rightOffset: 3,
    maxBarSpacing: 24,
    tickMarkFormatter: (time: Time, mark: TickMarkType) => marks[mark](time)
  },
  localization: { timeFormatter: whole },
  crosshair: {
    vertLine: { labelBackgroundColor: isDark ? "#3a4350" : "#4a5463" },
    horzLine: { labelBackgroundColor: isDark ? "#3a4350" : "#4a5463" }
  }
})

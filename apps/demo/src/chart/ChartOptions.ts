import type { DeepPartial, PriceFormat, Time, TimeChartOptions } from "lightweight-charts"
import { ColorType, TickMarkType, TrackingModeExitMode } from "lightweight-charts"
import { makeFormat } from "../parts/time/TimeText.ts"
import type { Zone } from "../parts/time/Zone.ts"
import type { Palette } from "../style/Palette.ts"

const hour = makeFormat({ hour: "2-digit", minute: "2-digit" })
const day = makeFormat({ day: "numeric", month: "short" })
const month = makeFormat({ month: "short", year: "numeric" })
const year = makeFormat({ year: "numeric" })
const minute = makeFormat({ dateStyle: "medium", timeStyle: "short" })

const toMillis = (time: Time) => Number(time) * 1000

const marks = {
  [TickMarkType.Year]: year,
  [TickMarkType.Month]: month,
  [TickMarkType.DayOfMonth]: day,
  [TickMarkType.Time]: hour,
  [TickMarkType.TimeWithSeconds]: hour
} as const

/** How the axis shows prices: with thousands separators, as the rest of the page. */
export const priceFormat = (decimals: number): PriceFormat => {
  const format = new Intl.NumberFormat("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  // From the least step alone the chart cannot compute its base beyond 16 decimals.
  return {
    type: "custom",
    minMove: 10 ** -decimals,
    base: 10 ** decimals,
    formatter: (price: number) => format.format(price)
  }
}

/**
 * The chart in the colors and the zone of the page. Its logo would need an inline style: the footer names its
 * makers instead.
 */
export const chartOptions = (palette: Palette, isDark: boolean, zone: Zone): DeepPartial<TimeChartOptions> => ({
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
  // Also after a finger that has read a candle: otherwise every finger moves the crosshair, until one taps.
  trackingMode: { exitMode: TrackingModeExitMode.OnTouchEnd },
  localization: { timeFormatter: (time: Time) => minute(zone, toMillis(time)) },
  timeScale: {
    tickMarkFormatter: (time: Time, mark: TickMarkType) => marks[mark](zone, toMillis(time)),
    borderVisible: false,
    timeVisible: true,
    secondsVisible: false,
    rightOffset: 3,
    maxBarSpacing: 24
  },
  crosshair: {
    vertLine: { labelBackgroundColor: isDark ? "#3a4350" : "#4a5463" },
    horzLine: { labelBackgroundColor: isDark ? "#3a4350" : "#4a5463" }
  }
})

import type { ChartCandles } from "../chart/ChartCandle.ts"
import { Time } from "../parts/time/Time.tsx"
import { Waiting } from "../parts/Waiting.tsx"

const toNote = (candles: ChartCandles, isIncomplete: boolean): string => {
  const unproven = candles.filter(({ isProven }) => !isProven).length
  if (unproven === 0 && isIncomplete) return "Trades are missing: the candles of that time are not proven, or absent."
  if (unproven === 0)
    return "Recorded trades prove every candle of this chart: none is missing. A hollow candle is still open."
  return (
    `Recorded trades prove ${candles.length - unproven} of ${candles.length} candles. The others are pale: they come from the ` +
    "exchange, or trades are missing in them."
  )
}

/** What proves the candles of a chart. `recordedFrom` is set if the recording began within one of them. */
export const CandleNote = ({
  candles,
  isIncomplete,
  recordedFrom
}: {
  readonly candles: ChartCandles
  readonly isIncomplete: boolean
  readonly recordedFrom: number | undefined
}) => (
  <p className="quiet note">
    {toNote(candles, isIncomplete)}
    {recordedFrom === undefined ? null : (
      <>
        {" "}
        Recorded from <Time millis={recordedFrom} withDate />: the candle of that time is not recorded whole.
      </>
    )}
  </p>
)

/** Why a chart has no candles, unless the page says so. */
export const NoCandles = ({ hasProblem, isWaiting }: { readonly hasProblem: boolean; readonly isWaiting: boolean }) => {
  if (isWaiting) return <Waiting className="note">The candles are being read.</Waiting>
  return hasProblem ? null : <p className="quiet note">There is no candle yet.</p>
}

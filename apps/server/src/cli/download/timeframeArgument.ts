import { Timeframe } from "@chaintape/core"
import { Argument } from "effect/cli"

export const timeframeArgument = Argument.Literals("timeframe", Timeframe.literals).pipe(
  Argument.withDescription("Length of a candle")
)

import type { Trade } from "@chaintape/core"
import { useState } from "react"
import { countDecimals } from "../parts/Figure.tsx"

/** The largest number of decimals of a price so far: all prices of a market are formatted with it. */
export const useDecimals = (trades: ReadonlyArray<Trade>): number => {
  const [most, setMost] = useState(0)
  const now = Math.max(most, ...trades.map(({ price }) => countDecimals(price)))
  if (now > most) setMost(now)
  return now
}

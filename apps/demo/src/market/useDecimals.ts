import type { Trade } from "@chaintape/core"
import { useState } from "react"
import { decimalsOf } from "../parts/Figure.tsx"

/** The most decimals of a price that were seen so far: with so many, all prices of a market are written. */
export const useDecimals = (trades: ReadonlyArray<Trade>): number => {
  const [most, setMost] = useState(0)
  const now = Math.max(most, ...trades.map(({ price }) => decimalsOf(price)))
  if (now > most) setMost(now)
  return now
}

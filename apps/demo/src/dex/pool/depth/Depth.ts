import { Decimal, type PoolTick } from "@chaintape/core"

/** The liquidity in range between two ticks: in the unit of the contract, rounded for drawing. */
export interface Segment {
  readonly from: number
  readonly to: number
  readonly liquidity: number
}

/** The segments between the ticks, in their order; those without liquidity are left out. */
export const toSegments = (ticks: ReadonlyArray<PoolTick>): ReadonlyArray<Segment> => {
  const segments: Array<Segment> = []
  let liquidity = 0n
  for (const [index, { liquidityNet, tick }] of ticks.entries()) {
    liquidity += Decimal.toBigInt(liquidityNet)
    const next = ticks[index + 1]
    if (next === undefined || liquidity === 0n) continue
    segments.push({ from: Decimal.toNumber(tick), to: Decimal.toNumber(next.tick), liquidity: Number(liquidity) })
  }
  return segments
}

/** Half of the ticks that are drawn: at most about half and double the current price. */
const widths = [25, 100, 400, 1600, 6400]
/** The share of the liquidity, by ticks, within the largest width that has to be drawn. */
const enough = 0.6

const within = ({ from, to }: Segment, low: number, high: number) =>
  Math.max(0, Math.min(to, high) - Math.max(from, low))

/** The ticks around the current one between which most of the liquidity is. */
export const toWindow = (segments: ReadonlyArray<Segment>, current: number) => {
  const amount = (width: number) =>
    segments.reduce((sum, one) => sum + one.liquidity * within(one, current - width, current + width), 0)
  const all = amount(widths.at(-1) ?? 0)
  const width = widths.find((one) => amount(one) >= all * enough) ?? 0
  return { low: current - width, high: current + width }
}

/** The part of the segments within a window. */
export const clipTo = (segments: ReadonlyArray<Segment>, { high, low }: ReturnType<typeof toWindow>) =>
  segments.flatMap((one) =>
    within(one, low, high) === 0 ? [] : [{ ...one, from: Math.max(one.from, low), to: Math.min(one.to, high) }]
  )

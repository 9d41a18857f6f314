import { Decimal } from "@chaintape/core"
import * as BigDecimal from "effect/BigDecimal"
import * as Option from "effect/Option"

const daysOfYear = 365

/** Digits of a ratio. Sums and differences have all of theirs. */
const digits = 12

/** The figures of a pool or a token that are compared. Undefined: there are tokens, and no price of them in USD. */
export interface Totals {
  readonly volumeUSD: Decimal.Decimal | undefined
  readonly feesUSD: Decimal.Decimal | undefined
  readonly totalValueLockedUSD: Decimal.Decimal | undefined
}

type Amount = Decimal.Decimal | undefined

/** The exact difference. */
const subtract = (end: Amount, start: Amount): Amount =>
  end === undefined || start === undefined ? undefined : Decimal.sum([end, Decimal.negate(start)])

/** Undefined if the divisor is 0. */
const divide = (one: BigDecimal.BigDecimal, other: Decimal.Decimal): Amount =>
  Option.getOrUndefined(
    Option.map(BigDecimal.divide(one, Decimal.toBigDecimal(other)), (ratio) =>
      Decimal.make(Decimal.format(Decimal.fromBigDecimal(ratio), { significantDigits: digits }))
    )
  )

const toShare = (change: Amount, of: Amount): Amount =>
  change === undefined || of === undefined ? undefined : divide(Decimal.toBigDecimal(change), of)

/** A year of fees as a share of the value that is locked now: fees of the span * 365 / days / TVL. */
const toApr = (fees: Amount, days: number, locked: Amount): Amount =>
  fees === undefined || locked === undefined
    ? undefined
    : divide(
        BigDecimal.multiply(Decimal.toBigDecimal(fees), BigDecimal.fromBigInt(BigInt(daysOfYear))),
        Decimal.fromBigDecimal(BigDecimal.multiply(Decimal.toBigDecimal(locked), BigDecimal.fromBigInt(BigInt(days))))
      )

/** How the figures changed over so many days. Undefined: not known, because there is no price in USD, or nothing is locked. */
export const toChange = (start: Totals, end: Totals, days: number) => {
  const fees = subtract(end.feesUSD, start.feesUSD)
  const locked = subtract(end.totalValueLockedUSD, start.totalValueLockedUSD)
  return {
    volume: subtract(end.volumeUSD, start.volumeUSD),
    fees,
    locked,
    /** As a share of the value at the start: 0.1 is 10 %. */
    lockedShare: toShare(locked, start.totalValueLockedUSD),
    /** As a share: 0.1 is 10 % a year. */
    apr: toApr(fees, days, end.totalValueLockedUSD)
  }
}

export type Change = ReturnType<typeof toChange>

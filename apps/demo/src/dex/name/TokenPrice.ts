import { Decimal, type Token } from "@chaintape/core"

const digits = 12

type Priced = Pick<Token, "totalValueLocked" | "totalValueLockedUSD">

/**
 * The price of a token in USD: the worth of the locked amount, for one token. The index computes the worth with the token's
 * own price. Undefined if nothing is locked, or if the service has no price of it.
 */
export const toPriceUSD = ({ totalValueLocked, totalValueLockedUSD }: Priced): string | undefined =>
  Decimal.isZero(totalValueLocked) || Decimal.isZero(totalValueLockedUSD)
    ? undefined
    : String(Number((Decimal.toNumber(totalValueLockedUSD) / Decimal.toNumber(totalValueLocked)).toPrecision(digits)))

/** The value of up to 16 digits; NaN for any other text. Files have millions of them: a pattern takes three times as long. */
export const parseDigits = (text: string): number => {
  if (text.length === 0 || text.length > 16) return Number.NaN
  let value = 0
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

/** The id of a trade as an integer, if a double represents it exactly. Consecutive ids are positions in the market. */
export const toSequence = (id: string): number | undefined => {
  const sequence = parseDigits(id)
  return Number.isSafeInteger(sequence) ? sequence : undefined
}

interface TradeIdentity {
  readonly id: string
  readonly timestamp: number
}

/** Oldest first; within a millisecond by id, if both ids are integers. */
export const compareTrades = (left: TradeIdentity, right: TradeIdentity): number => {
  if (left.timestamp !== right.timestamp) return left.timestamp - right.timestamp
  const [one, other] = [toSequence(left.id), toSequence(right.id)]
  return one === undefined || other === undefined ? 0 : one - other
}

/** Whether the ids are consecutive integers: then no trade between the first and the last can be missing. */
export const areDense = (trades: ReadonlyArray<TradeIdentity>): boolean => {
  const ids = trades.flatMap((trade) => toSequence(trade.id) ?? []).sort((left, right) => left - right)
  const first = ids[0]
  const last = ids[ids.length - 1]
  return ids.length === trades.length && first !== undefined && last !== undefined && last - first + 1 === ids.length
}

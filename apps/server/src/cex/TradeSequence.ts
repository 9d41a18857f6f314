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

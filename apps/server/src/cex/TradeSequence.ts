/** The id of a trade as an integer, if a double represents it exactly. Consecutive ids are positions in the market. */
export const toSequence = (id: string): number | undefined => {
  const sequence = /^\d{1,16}$/.test(id) ? Number(id) : Number.NaN
  return Number.isSafeInteger(sequence) ? sequence : undefined
}

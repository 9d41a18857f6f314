const format = new Intl.NumberFormat("en")

/** A count with thousands separators. */
export const groupDigits = (value: number | bigint): string => format.format(value)

/** A count with its noun, whose plural ends in s: `1 block`, `1,200 blocks`. */
export const formatCount = (count: number, one: string): string =>
  `${groupDigits(count)} ${one}${count === 1 ? "" : "s"}`

/** A count with separators of thousands, such as 12,345. */
export const groupDigits = (count: number): string => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ",")

/** A count with its noun, such as `1 gap` and `12,345 gaps`. */
export const formatCount = (count: number, noun: string): string =>
  `${groupDigits(count)} ${noun}${count === 1 ? "" : "s"}`

/** A count with separators of thousands, such as 12,345. */
export const groupDigits = (count: number): string => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ",")

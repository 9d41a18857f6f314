/** A count with separators of thousands, such as 12,345. */
export const formatCount = (value: number): string => value.toLocaleString("en-US")

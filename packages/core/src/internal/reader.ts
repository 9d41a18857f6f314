/** What a reader answers to what it does not accept. */
export const refused: unique symbol = Symbol("refused")

/** Reads a value that `JSON.parse` made, and may change it. */
export type Reader = (json: unknown) => unknown

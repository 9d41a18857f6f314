/** Returned by a reader for a value that it rejects. */
export const refused: unique symbol = Symbol("refused")

/** Reads a value from `JSON.parse`, and may modify it. */
export type Reader = (json: unknown) => unknown

/** Marks the errors, also those of another copy of this package. */
export const isChaintapeError = Symbol.for("@chaintape/core/ChaintapeError")

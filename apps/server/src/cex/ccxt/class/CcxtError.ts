import { Data } from "effect"

/** A rejected call of ccxt, reduced to what distinguishes the kinds of failure. */
export class CcxtError extends Data.Error<{
  /** The names of the error's class and its superclasses, nearest first. */
  readonly names: ReadonlyArray<string>
  /** The status of the last response, if there was one. */
  readonly status: number | undefined
  /** The last response's `Retry-After`. */
  readonly retryAfter: string | undefined
  readonly message: string
}> {}

/** The builds of ccxt have classes of the same names that are not identical, so names are compared and not classes. */
export const classNames = (error: unknown): ReadonlyArray<string> => {
  const names: Array<string> = []
  for (
    let constructor: unknown = typeof error === "object" && error !== null ? error.constructor : undefined;
    typeof constructor === "function" && constructor.name !== "";
    constructor = Object.getPrototypeOf(constructor)
  ) {
    names.push(constructor.name)
  }
  return names
}

/** The message of an error of ccxt, which may contain a whole body. */
export const shortMessage = (error: unknown): string =>
  error instanceof Error ? error.message.slice(0, 500) : "not an error"

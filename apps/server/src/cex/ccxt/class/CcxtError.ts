/** A rejected call of ccxt, reduced to what distinguishes the kinds of failure. */
export class CcxtError extends Error {
  /** The names of the error's class and its superclasses, nearest first. */
  readonly names: ReadonlyArray<string>
  /** The status of the last response, if there was one. */
  readonly status: number | undefined
  /** The last response's `Retry-After`. */
  readonly retryAfter: string | undefined

  constructor(fields: {
    readonly names: ReadonlyArray<string>
    readonly status: number | undefined
    readonly retryAfter: string | undefined
    readonly message: string
  }) {
    super(fields.message)
    this.names = fields.names
    this.status = fields.status
    this.retryAfter = fields.retryAfter
  }
}

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

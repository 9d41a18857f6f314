import { Context } from "effect"

/** A request with a key. */
export interface Entering {
  readonly key: string
  readonly address: string
  readonly group: string
  readonly operation: string
  /** The parameter `limit`. */
  readonly limit: string | undefined
}

/** What a request that came in is answered with. */
export interface Entered {
  /** Names and values in turns: what is left of its budgets. */
  readonly headers: ReadonlyArray<string>
  /** How the key is called in metrics. */
  readonly label: string
}

/**
 * Lets in requests about which nothing has to be asked: their key is remembered, and its budgets are in this process.
 * Undefined for all others, and for those that are to be refused: nothing is charged for them here.
 */
export class QuickEntry extends Context.Service<
  QuickEntry,
  { readonly enter: (request: Entering) => Entered | undefined }
>()("@chaintape/server/keys/QuickEntry") {}

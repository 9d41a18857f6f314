/** A spot market under the exchange's own names. */
interface KnownMarket {
  readonly symbol: string
  readonly id: string
  readonly base: string
  readonly quote: string
  readonly baseId: string
  readonly quoteId: string
}

/** Where an exchange is, and its markets, if not those of ccxt's class. */
export interface ExchangeAddresses {
  /** Replaces scheme, host and port of every REST address. */
  readonly rest?: string | undefined
  /** Replaces scheme, host and port of every address of a stream. If only `rest` is set, there are no streams. */
  readonly websocket?: string | undefined
  /** Replaces the exchange's market list, which is then never requested. */
  readonly markets?: ReadonlyArray<KnownMarket> | undefined
}

export interface CcxtExchangeOptions extends ExchangeAddresses {
  /** A ccxt id, checked against the catalog. */
  readonly driver: string
  readonly quoteNumbers: boolean
  readonly requestTimeoutMs: number
}

/** How hard the adapter may press an exchange, and how long a caller waits. Milliseconds. */
export interface Limits {
  /** Calls of one exchange that run at once. */
  readonly concurrency: number
  /** Calls of one exchange that may wait for their turn; the next one is told to come back. */
  readonly waiting: number
  /** Time of one request. */
  readonly requestMs: number
  /** Time of a whole answer with its retries: for one page, and for a run of pages. */
  readonly pageMs: number
  readonly runMs: number
  /** Time of a market list, which outlives the caller who asked for it. */
  readonly marketsMs: number
  /** How often a page is asked for before its failure is final. */
  readonly attempts: number
  /** First wait before a retry; it doubles. */
  readonly backoffMs: number
  readonly longestBackoffMs: number
  /** Failed calls in a row that open the circuit, and the time that it stays open. */
  readonly failuresToOpen: number
  readonly openMs: number
  /** Age up to which a latest page or a latest candle is given to the next caller. */
  readonly freshMs: number
  /** Age from which an unknown market makes the list be read again. */
  readonly marketsFreshMs: number
  /** Time between two requests, in place of what ccxt says of the exchange. */
  readonly paceMs: number | undefined
  /** Time for the handshake of a stream. */
  readonly connectMs: number
  /** A stream without any frame for so long is dead. */
  readonly staleMs: number
  /** Trades of a stream that may wait for those who take them. */
  readonly waitingTrades: number
  /** Time between two newest pages, where there is no stream. */
  readonly pollMs: number
}

export const defaultLimits: Limits = {
  concurrency: 4,
  waiting: 64,
  requestMs: 5000,
  pageMs: 10_000,
  runMs: 30_000,
  marketsMs: 30_000,
  attempts: 4,
  backoffMs: 200,
  longestBackoffMs: 3000,
  failuresToOpen: 5,
  openMs: 15_000,
  freshMs: 500,
  marketsFreshMs: 60_000,
  paceMs: undefined,
  connectMs: 10_000,
  staleMs: 15_000,
  waitingTrades: 50_000,
  pollMs: 1000
}

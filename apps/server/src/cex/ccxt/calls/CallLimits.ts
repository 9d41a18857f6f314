import { newestFreshMs } from "../../ExchangeSource.ts"

/** How fast the adapter may call an exchange, and how long a caller waits. Milliseconds. */
export interface CallLimits {
  /** Concurrent calls of one exchange. */
  readonly concurrency: number
  /** Queued calls of one exchange; the next one is refused with a delay. */
  readonly waiting: number
  /** Timeout of one request. */
  readonly requestMs: number
  /** Timeout of a response with its retries: for one page, and for a run of pages. */
  readonly pageMs: number
  readonly runMs: number
  /** Timeout of a market list, which continues without its caller. */
  readonly marketsMs: number
  /** Attempts to read a page. */
  readonly attempts: number
  /** Delay before the first retry; it doubles. */
  readonly backoffMs: number
  readonly maxBackoffMs: number
  /** Failed calls in a row that open the circuit, and how long it stays open. */
  readonly failureThreshold: number
  readonly resetTimeoutMs: number
  /** How long a newest page or a newest candle is shared with later callers. */
  readonly freshMs: number
  /** Age from which an unknown market makes the list be read again. */
  readonly marketsFreshMs: number
  /** How long a connection without users, with its market list, stays open. */
  readonly idleMs: number
  /** Delay between two requests; overrides ccxt's value for the exchange. */
  readonly paceMs: number | undefined
  /** Timeout of a stream's handshake. */
  readonly connectMs: number
  /** Delay between two pings of a stream: the responses show that the exchange has sent everything before them. */
  readonly pingMs: number
  /** A stream without any frame for this long is dead. */
  readonly staleMs: number
  /** Capacity of the queue of a stream's trades. */
  readonly waitingTrades: number
  /** Delay between two polls of the newest page, if there is no stream. */
  readonly pollMs: number
}

export const defaultCallLimits: CallLimits = {
  concurrency: 4,
  waiting: 64,
  requestMs: 5000,
  pageMs: 10_000,
  runMs: 30_000,
  marketsMs: 30_000,
  attempts: 4,
  backoffMs: 200,
  maxBackoffMs: 3000,
  failureThreshold: 5,
  resetTimeoutMs: 15_000,
  freshMs: newestFreshMs,
  marketsFreshMs: 60_000,
  idleMs: 600_000,
  paceMs: undefined,
  connectMs: 10_000,
  pingMs: 1000,
  staleMs: 15_000,
  waitingTrades: 50_000,
  pollMs: 1000
}

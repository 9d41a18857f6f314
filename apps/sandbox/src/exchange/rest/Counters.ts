/** Counters since the start of the exchange. */
export interface Counters {
  readonly requests: number
  readonly rateLimited: number
  readonly badRequests: number
  readonly notFound: number
  readonly connections: number
  readonly openConnections: number
  readonly slowReaders: number
  readonly framesSent: number
  readonly trades: number
}

export type MutableCounters = { -readonly [Key in keyof Counters]: Counters[Key] }

export const zero = (): MutableCounters => ({
  requests: 0,
  rateLimited: 0,
  badRequests: 0,
  notFound: 0,
  connections: 0,
  openConnections: 0,
  slowReaders: 0,
  framesSent: 0,
  trades: 0
})

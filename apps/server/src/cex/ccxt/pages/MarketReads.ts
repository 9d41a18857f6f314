import type { Upstream } from "../upstream/Upstream.ts"

/** Where pages of a market are read. */
export interface MarketReads {
  readonly upstream: Omit<Upstream, "background">
  readonly symbol: string
  /** By `monotonicMillis`. */
  readonly deadline: number
}

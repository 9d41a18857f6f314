import type { SourceTrade } from "../../ExchangeSource.ts"

/** Two trades with one id are the same trade if their fingerprints are equal. */
export const toFingerprint = ({ price, side, size, timestamp }: SourceTrade): string =>
  `${timestamp} ${side} ${size} at ${price}`

/** The newest trades by id with their contents; the oldest are evicted beyond `capacity`. */
export interface RecentTradeFingerprints {
  readonly get: (id: string) => string | undefined
  readonly remember: (trades: ReadonlyArray<SourceTrade>) => void
  readonly clear: () => void
}

export const makeRecentTradeFingerprints = (capacity: number): RecentTradeFingerprints => {
  const fingerprints = new Map<string, string>()
  return {
    get: (id) => fingerprints.get(id),
    remember: (trades) => {
      for (const trade of trades.slice(-capacity)) fingerprints.set(trade.id, toFingerprint(trade))
      for (const id of fingerprints.keys()) {
        if (fingerprints.size <= capacity) break
        fingerprints.delete(id)
      }
    },
    clear: () => fingerprints.clear()
  }
}

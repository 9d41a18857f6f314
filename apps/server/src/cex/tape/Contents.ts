import type { SourceTrade } from "../ExchangeSource.ts"

/** What makes two trades of one id the same trade. */
export const contentOf = ({ price, side, size, timestamp }: SourceTrade): string =>
  `${timestamp} ${side} ${size} at ${price}`

/** The newest trades by id with their contents; the oldest go when there are more than `capacity`. */
export interface Contents {
  readonly get: (id: string) => string | undefined
  readonly remember: (trades: ReadonlyArray<SourceTrade>) => void
  readonly clear: () => void
}

export const makeContents = (capacity: number): Contents => {
  const contents = new Map<string, string>()
  return {
    get: (id) => contents.get(id),
    remember: (trades) => {
      for (const trade of trades.slice(-capacity)) contents.set(trade.id, contentOf(trade))
      for (const id of contents.keys()) {
        if (contents.size <= capacity) break
        contents.delete(id)
      }
    },
    clear: () => contents.clear()
  }
}

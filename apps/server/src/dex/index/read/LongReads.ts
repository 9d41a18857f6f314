import { Option } from "effect"
import { makeConcurrencyLimiter } from "../../../internal/concurrency/ConcurrencyLimiter.ts"
import type { TradeQuery } from "../../DexQueries.ts"
import { DexSourceError } from "../../DexSource.ts"

/** Of each kind. The store has ten connections, of which recordings, indexes, leases and keys need some at any time. */
const atOnce = 2
const waiting = 32

/** More rows than this are skipped one by one. */
const manyRows = 1000

/** Whether the read passes over many more trades than it returns: no index has its order, or its start. */
export const readsMany = ({ order, skip }: TradeQuery): boolean => Option.isSome(order) || skip > manyRows

/**
 * Limits reads that may take seconds of a connection, because their cost grows with the trades of a pool: callers cannot
 * take all connections of the store with them.
 */
export const makeLongReads = () => {
  const limit = (what: string) =>
    makeConcurrencyLimiter({
      atOnce,
      waiting,
      onFull: () =>
        new DexSourceError({
          source: "index",
          reason: "Busy",
          message: `Too many requests for ${what} wait for the index.`,
          retryAfterMs: 1000
        })
    })
  return { sorted: limit("sorted trades"), summed: limit("candles and ticks") }
}

export type LongReads = ReturnType<typeof makeLongReads>

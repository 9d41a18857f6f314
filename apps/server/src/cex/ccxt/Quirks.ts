/** Where an exchange pages trades by id: `params` asks for the trades with ids from `from` up to `from + count - 1`. */
export interface IdCursor {
  /** The most rows of one page. */
  readonly pageCap: number
  /** The id of a market's first trade. */
  readonly firstId: number
  readonly params: (from: number, count: number) => Readonly<Record<string, string | number>>
}

/** What ccxt's description of an exchange does not say. Absent means the safe default. */
export interface Quirk {
  /**
   * Quote every number of a body before it is parsed, so that no digit passes through a double. Default: only text
   * keeps its digits. Evidence is needed because code of the class that compares a number with `===` may break.
   */
  readonly quoteNumbers?: boolean
  readonly cursor?: IdCursor
  /** A page asked from a time starts with the oldest trade from there on. Default: unproven, so it is not paged. */
  readonly sinceIsAscending?: boolean
  /** Values that a member of a raw trade must have, where the class reads anything else as a valid trade. */
  readonly rawTrade?: Readonly<Record<string, ReadonlyArray<string>>>
}

const binanceCursor: IdCursor = {
  pageCap: 1000,
  firstId: 0,
  params: (from) => ({ fromId: from })
}

/**
 * - coinbaseexchange: `trade_id` is a dense sequence per product; `after=N` gives ids below N, newest first. Candles
 *   are JSON numbers; trades and candles parse the same with quotes (test/cex/ccxt/Fixtures.integration.test.ts). The
 *   class reads every side but "buy" as a taker's buy, so a missing side would pass unseen.
 * - binance, binanceus, binanceusdm: the class asks for aggregate trades, whose ids are a dense sequence per symbol;
 *   `fromId` gives ids from there on, oldest first (exchange's documentation, linked in the class).
 * - kraken: `since` gives the oldest 1,000 trades from there on (exchange's documentation, linked in the class).
 * - bitfinex: the class sends `sort=1` (oldest first) with `start`.
 */
const quirks = new Map<string, Quirk>([
  [
    "coinbaseexchange",
    {
      quoteNumbers: true,
      cursor: { pageCap: 1000, firstId: 1, params: (from, count) => ({ after: from + count, limit: count }) },
      rawTrade: { side: ["buy", "sell"] }
    }
  ],
  ["binance", { cursor: binanceCursor, sinceIsAscending: true }],
  ["binanceus", { cursor: binanceCursor, sinceIsAscending: true }],
  ["binanceusdm", { cursor: binanceCursor, sinceIsAscending: true }],
  ["kraken", { sinceIsAscending: true }],
  ["bitfinex", { sinceIsAscending: true }]
])

const none: Quirk = {}

/** The quirks of a ccxt class. */
export const quirkOf = (driver: string): Quirk => quirks.get(driver) ?? none

/**
 * Set if an exchange pages trades by id: `params` requests the trades with ids from `from` up to `from + count - 1`.
 */
export interface IdCursor {
  /** The maximum page size. */
  readonly pageCap: number
  /** The id of a market's first trade. */
  readonly firstId: number
  readonly params: (from: number, count: number) => Readonly<Record<string, string | number>>
}

/** A stream of trades with the same ids as the pages. */
export interface SequenceStream {
  /** Parameters of the subscription in addition to those of the class. */
  readonly params: Readonly<Record<string, string | ReadonlyArray<string>>>
  /** The member that names the kind of a frame, and the kinds that are trades in the format of pages. */
  readonly kind: string
  readonly trades: ReadonlyArray<string>
  /** The members of a row of a page; others would make the parser take it for another kind of row. */
  readonly row?: ReadonlyArray<string>
}

/** Facts of an exchange that ccxt's description lacks. Absent means the safe default. */
export interface Quirk {
  /**
   * Quotes every number of a body before it is parsed, so that no digit passes through a double. Default: only strings
   * keep their digits. Needs evidence, because code of the class that compares a number with `===` may break.
   */
  readonly quoteNumbers?: boolean
  readonly cursor?: IdCursor
  /** Only with a cursor. Default: nothing is known of the ids of its stream. */
  readonly stream?: SequenceStream
  /**
   * A page since a time starts with the oldest trade from there on. Default: unproven, so trades are not paged by time.
   */
  readonly sinceIsAscending?: boolean
  /** Candles must be requested with a start and an end time. Default: the newest candles need neither. */
  readonly candlesNeedTimes?: boolean
  /** The maximum page size of candles. Default: 100, below that of every exchange. */
  readonly candleRows?: number
  /** Values that a member of a raw trade must have, if the class accepts anything else as a valid trade. */
  readonly rawTrade?: Readonly<Record<string, ReadonlyArray<string>>>
}

// The class asks for aggregate trades, whose ids are a dense sequence per symbol; `fromId` gives ids from there on, oldest
// first, and a page has up to 1,000 trades or candles (exchange's documentation, linked in the class). The stream `aggTrade`
// has the same ids, that of the class's default channel has others.
const binance: Quirk = {
  cursor: { pageCap: 1000, firstId: 0, params: (from) => ({ fromId: from }) },
  sinceIsAscending: true,
  candleRows: 1000,
  stream: { params: { name: "aggTrade" }, kind: "e", trades: ["aggTrade"] }
}

/** Each with its evidence. */
const quirks = new Map<string, Quirk>([
  [
    "coinbaseexchange",
    {
      // Candles are JSON numbers; trades and candles parse the same with quotes (test/cex/ccxt/Fixtures.integration.test.ts).
      quoteNumbers: true,
      // Exchange's documentation, linked in the class.
      candleRows: 300,
      // `trade_id` is a dense sequence per product; `after=N` gives ids below N, newest first.
      cursor: { pageCap: 1000, firstId: 1, params: (from, count) => ({ after: from + count, limit: count }) },
      // The class reads every side but "buy" as a taker's buy, so a missing side would pass unseen.
      rawTrade: { side: ["buy", "sell"] },
      // It has the same ids. `last_match`, which the class ignores, is the newest trade at the time of the subscription.
      stream: {
        params: { channels: ["matches", "heartbeat"] },
        kind: "type",
        trades: ["match", "last_match"],
        // The class takes a row with the ids of both orders for a trade of one's own, whose side it does not turn to the taker's.
        row: ["trade_id", "side", "size", "price", "time", "product_id"]
      }
    }
  ],
  ["binance", binance],
  ["binanceus", binance],
  ["binanceusdm", binance],
  // `since` gives the oldest 1,000 trades from there on (exchange's documentation, linked in the class).
  ["kraken", { sinceIsAscending: true }],
  // The class sends `sort=1` (oldest first) with `start`.
  ["bitfinex", { sinceIsAscending: true }],
  // These three classes reject a call for candles without a time to begin with.
  ["coinbaseinternational", { candlesNeedTimes: true }],
  ["pacifica", { candlesNeedTimes: true }],
  ["zebpay", { candlesNeedTimes: true }]
])

const none: Quirk = {}

/** The quirks of a ccxt class. */
export const getQuirk = (driver: string): Quirk => quirks.get(driver) ?? none

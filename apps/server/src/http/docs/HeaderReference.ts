/** A header of responses, as the reference shows it. Text in backticks is code. */
interface ReferenceHeader {
  readonly name: string
  readonly example: string
  readonly meaning: string
}

/** The headers that responses of `/v2` carry beside the usual ones: those that scripts of other origins may read. */
export const referenceHeaders: ReadonlyArray<ReferenceHeader> = [
  {
    name: "Chaintape-Source",
    example: "record, ccxt",
    meaning:
      "Where the data come from. `record`: the service's own recording. `ccxt`: the exchange, read for this request. " +
      "`index`: the service's own index of the chain. `subgraph`: a subgraph. `rpc`: a node of the chain."
  },
  {
    name: "Chaintape-Coverage",
    example: "complete=?1, from=1795702204000, to=1795702264000",
    meaning:
      "What is proven about the trades from `from` to `to` (Unix ms), or about the candles that start then. " +
      "`complete=?1`: none is missing. `complete=?0`: some are missing, or may be. `verifiable=?0`: nothing proves " +
      "the range: the exchange does not number its trades, or no recorded trades cover it. `unproven=(FROM TO …)`: ranges of starts whose candles are " +
      "not proven. A candle of such a range may be absent: it is no proof that nothing was traded."
  },
  {
    name: "Chaintape-Candle",
    example: "closed=?0",
    meaning: "Whether the last candle ended ten seconds ago. `closed=?0`: trades are still added to it."
  },
  {
    name: "Chaintape-As-Of",
    example: 'number=231, hash="0x…", finalized=?1, proven=?1',
    meaning:
      "The block as of which the data hold. `finalized=?0`: a reorg can still replace it. `proven=?1`: every log up to " +
      "it was checked against the receipts root of its header, and the headers are linked."
  },
  {
    name: "RateLimit-Policy",
    example: '"default";q=300;w=3',
    meaning:
      "The limits of the key and of the address: `q` units, which refill in `w` seconds. A request costs 1, plus 1 for " +
      "each full 1,000 of its `limit`."
  },
  {
    name: "RateLimit",
    example: '"default";r=299;t=1',
    meaning:
      "The limit with the least left: `r` units, full again after `t` seconds. For a request that one of the limits " +
      "refused, that limit, which has enough after `t` seconds."
  },
  {
    name: "RateLimit-Limit",
    example: "300",
    meaning:
      "The units of the limit that `RateLimit` describes, when it is full. For clients that do not read `RateLimit`."
  },
  {
    name: "RateLimit-Remaining",
    example: "299",
    meaning: "`r` of `RateLimit`."
  },
  {
    name: "RateLimit-Reset",
    example: "1",
    meaning: "`t` of `RateLimit`."
  },
  {
    name: "Retry-After",
    example: "1",
    meaning: "The seconds after which the request may succeed: `retryAfterMs` of the problem, rounded up."
  },
  {
    name: "X-Request-Id",
    example: "b660c95e-e934-4ff8-a653-1907490e59ee",
    meaning:
      "Names the request in the log of the service. An id that the caller sends is used if it has 1 to 64 letters, digits and characters of `_.:-`."
  },
  {
    name: "ETag",
    example: 'W/"…"',
    meaning: "Sent back as `If-None-Match`, it saves the body of an unchanged response: 304."
  }
]

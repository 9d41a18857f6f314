/** Descriptions of operations in the OpenAPI document. A separate module, so that no client bundles it. */
import type { Operation } from "@chaintape/core/operations"

/** A short title, and a description of the value. */
export interface OperationText {
  readonly summary: string
  readonly description: string
  /** Whether the operation is an addition beside the specified interface. */
  readonly isAddition?: boolean
}

/** By group and name. */
const texts: { readonly [name: string]: OperationText } = {
  "system.ping": {
    summary: "Check the connection",
    description: "Answers a greeting and the caller's address. Needs no key."
  },
  "cex.exchanges": {
    summary: "List the exchanges",
    description: "Every centralized exchange that can be asked, by name and id."
  },
  "cex.exchange": {
    summary: "Read an exchange",
    description: "The properties of one exchange, and which operations and timeframes it offers."
  },
  "cex.markets": {
    summary: "List the markets of an exchange",
    description:
      "Every market that the exchange lists and that a path can name, by market, and whether trades of it are recorded here.",
    isAddition: true
  },
  "cex.trades": {
    summary: "Read the trades of a market",
    description:
      "Trades, oldest first: the latest ones, or with `since` the first ones from there on. The header " +
      "`Chaintape-Coverage` says whether none is missing between the first and the last."
  },
  "cex.lastTrade": {
    summary: "Read the last trade of a market",
    description: "The newest trade of the market."
  },
  "cex.lastCandle": {
    summary: "Read the last candle of a market",
    description: "The newest candle that holds a trade, open or closed: the header `Chaintape-Candle` says which."
  },
  "cex.candles": {
    summary: "Read the candles of a market",
    description:
      "Candles, oldest first: the latest ones up to `until` or now, or with `since` the first ones from there on. An interval " +
      "without a trade has no candle. The header `Chaintape-Coverage` says whether all are proven by recorded trades, and " +
      "its member `unproven` lists the first and the last start of each range that is not; `Chaintape-Candle` says " +
      "whether the last one is closed.",
    isAddition: true
  },
  "blocks.blockchains": {
    summary: "List the blockchains",
    description: "The blockchains whose blocks can be read."
  },
  "blocks.blocks": {
    summary: "Read blocks",
    description: "Blocks by number, newest first, or sorted by `orderBy`; `from`, `to` and `block` bound them."
  },
  "dex.blockchains": {
    summary: "List the blockchains of a decentralized exchange",
    description: "The blockchains on which the exchange is deployed and can be read."
  },
  "dex.deployments": {
    summary: "Read the totals of a decentralized exchange",
    description: "One element for each factory on the blockchain, now or as of a block."
  },
  "dex.tokens": {
    summary: "List the tokens (alpha)",
    description:
      "Tokens by locked value, largest first, or sorted by `orderBy`; now or as of a block. This operation is " +
      "in its alpha stage."
  },
  "dex.tokenTrades": {
    summary: "Read the trades of a token",
    description:
      "Mints, burns and swaps of every pool that holds the token, newest first, or sorted by `orderBy`. " +
      "`limit`, `skip` and `orderBy` hold for each array by itself."
  },
  "dex.pools": {
    summary: "List the pools",
    description: "Pools by locked value, largest first, or sorted by `orderBy`; now or as of a block."
  },
  "dex.pool": {
    summary: "Read a pool",
    description: "One pool, now or as of a block."
  },
  "dex.poolTrades": {
    summary: "Read the trades of a pool",
    description:
      "Mints, burns and swaps of the pool, newest first, or sorted by `orderBy`. `limit`, `skip` and `orderBy` " +
      "hold for each array by itself."
  },
  "dex.candles": {
    summary: "Read candles of a pool",
    description:
      "Candles from the swaps of the pool, oldest first: the latest ones, or with `from` the first ones from there on; now or " +
      "as of a block. Prices are those of one token 0 in token 1. A candle without a swap is absent.",
    isAddition: true
  },
  "dex.ticks": {
    summary: "Read the initialized ticks of a pool",
    description: "The ticks at which positions start or end, by tick ascending, now or as of a block.",
    isAddition: true
  }
}

/** The description of an operation; the summary of one that is not of this package is its name. */
export const textOf = ({ group, name }: Operation.Any): OperationText =>
  texts[`${group}.${name}`] ?? { summary: `${group}.${name}`, description: "" }

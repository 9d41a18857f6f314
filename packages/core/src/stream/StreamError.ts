/**
 * What can go wrong with a stream besides what can go wrong with the calls that it makes.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"

/**
 * The cursor is damaged, of another version, or of another stream than the one that is asked for.
 *
 * @example
 * ```ts
 * import { InvalidCursor } from "@chaintape/core/stream/StreamError"
 *
 * const error = new InvalidCursor({ operation: "cex.trades", detail: "it is not a cursor of this version" })
 * ```
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidCursor extends Data.TaggedError("InvalidCursor")<{
  readonly operation: string
  readonly detail: string
}> {
  readonly isRetryable = false
  override get message(): string {
    return `The cursor can't continue "${this.operation}": ${this.detail}. Pass the cursor of a page of the same request, or none to begin anew.`
  }
}

/**
 * A reorg replaced the block to which the pages of a list are bound, so that those read before and those to come would
 * not agree. Reading from the start, without the cursor, binds to a block of the new branch.
 *
 * @example
 * ```ts
 * import { BlockReplaced } from "@chaintape/core/stream/StreamError"
 *
 * const error = new BlockReplaced({ operation: "dex.pools", block: 12n, hash: "0xaa", replacedBy: "0xbb" })
 * ```
 *
 * @since 0.1.0
 * @category errors
 */
export class BlockReplaced extends Data.TaggedError("BlockReplaced")<{
  readonly operation: string
  readonly block: bigint
  /** The hash of the block that the first pages belong to. */
  readonly hash: string
  readonly replacedBy: string
}> {
  readonly isRetryable = true
  override get message(): string {
    return (
      `The pages of "${this.operation}" are bound to block ${this.block}, "${this.hash}", which a reorg replaced by ` +
      `"${this.replacedBy}": begin anew without the cursor, and drop what was read.`
    )
  }
}

/**
 * One millisecond holds at least as many trades as one answer can, so that the next page can't be asked for by time.
 *
 * @example
 * ```ts
 * import { TradesTooDense } from "@chaintape/core/stream/StreamError"
 * import * as DateTime from "effect/DateTime"
 *
 * const error = new TradesTooDense({
 *   exchange: "kraken",
 *   market: "BTC/USD",
 *   timestamp: DateTime.makeUnsafe("2026-01-02T03:04:05.678Z"),
 *   limit: 50_000
 * })
 * ```
 *
 * @since 0.1.0
 * @category errors
 */
export class TradesTooDense extends Data.TaggedError("TradesTooDense")<{
  readonly exchange: string
  readonly market: string
  readonly timestamp: DateTime.Utc
  /** How many trades were asked for. */
  readonly limit: number
}> {
  readonly isRetryable = false
  override get message(): string {
    return (
      `${this.market} on "${this.exchange}" has ${this.limit} trades or more at ${DateTime.formatIso(this.timestamp)}, ` +
      "as many as one answer holds: begin a new stream with a later `since`; some trades of this millisecond are missing."
    )
  }
}

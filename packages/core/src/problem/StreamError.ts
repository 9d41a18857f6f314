/**
 * Errors of a stream besides those of its calls.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import { isChaintapeError } from "../internal/contract/errorMark.ts"

/**
 * The cursor is damaged, or of another version or another stream.
 *
 * @example
 * ```ts
 * import { InvalidCursor } from "@chaintape/core"
 *
 * const error = new InvalidCursor({ operation: "cex.trades", detail: "it is not a cursor of this version" })
 * ```
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidCursor extends Data.TaggedError("InvalidCursor")<{
  /** The operation whose pages the stream reads, such as `cex.trades`. */
  readonly operation: string
  /** Describes the mistake in the cursor. */
  readonly detail: string
}> {
  readonly isRetryable = false
  get [isChaintapeError](): true {
    return true
  }
  override get message(): string {
    return `The cursor can't continue "${this.operation}": ${this.detail}. Pass the cursor of a page of the same request, or none to start again.`
  }
}

/**
 * A reorg replaced the block of a list's pages, so that earlier and later pages would not be consistent. A new stream
 * without the cursor is as of a block on the new branch.
 *
 * @example
 * ```ts
 * import { BlockReplaced } from "@chaintape/core"
 *
 * const error = new BlockReplaced({ operation: "dex.pools", block: 12n, hash: "0xaa", replacedBy: "0xbb" })
 * ```
 *
 * @since 0.1.0
 * @category errors
 */
export class BlockReplaced extends Data.TaggedError("BlockReplaced")<{
  /** The operation whose pages the stream reads, such as `dex.pools`. */
  readonly operation: string
  /** The number of the block of the first pages. */
  readonly block: bigint
  /** The hash of the block of the first pages. */
  readonly hash: string
  /** The hash of the block that has this number now; empty if none has it at the moment. */
  readonly replacedBy: string
}> {
  readonly isRetryable = true
  get [isChaintapeError](): true {
    return true
  }
  override get message(): string {
    return (
      `The pages of "${this.operation}" are bound to block ${this.block}, "${this.hash}", which a reorg ` +
      `${this.replacedBy === "" ? "removed" : `replaced by "${this.replacedBy}"`}: start again without the cursor, and discard what was read.`
    )
  }
}

/**
 * One millisecond has at least as many trades as one response can hold, so that the next page can't be requested by
 * time.
 *
 * @example
 * ```ts
 * import { TradesTooDense } from "@chaintape/core"
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
  /** The id of the exchange. */
  readonly exchange: string
  /** The market as `BASE/QUOTE`. */
  readonly market: string
  /** The millisecond. */
  readonly timestamp: DateTime.Utc
  /** The `limit` of the request. */
  readonly limit: number
}> {
  readonly isRetryable = false
  get [isChaintapeError](): true {
    return true
  }
  override get message(): string {
    return (
      `${this.market} on "${this.exchange}" has ${this.limit} trades or more at ${DateTime.formatIso(this.timestamp)}, ` +
      "as many as one answer holds: begin a new stream with a later `since`; some trades of this millisecond are missing."
    )
  }
}

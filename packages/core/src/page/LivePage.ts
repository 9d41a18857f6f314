/**
 * Events of a chain, whose newest blocks may still be replaced by others.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"

/**
 * Options of a live stream.
 *
 * @since 0.1.0
 * @category models
 */
export interface LiveOptions {
  /** The cursor of a page of the same request: the stream resumes after that page. Without one it begins now. */
  readonly cursor?: string | undefined
  /** The polling interval, if the service does not stream; 1 second by default. */
  readonly pollEvery?: Duration.Input | undefined
}

/**
 * The chain has replaced its newest blocks: discard everything of this stream that belongs to block `from` or a later
 * one. The events of the new branch follow.
 *
 * @example
 * ```ts
 * import type { Reorg } from "@chaintape/core/streams"
 *
 * const describe = ({ commonAncestor, from }: Reorg): string => `replaced from ${from}, on ${commonAncestor.hash}`
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface Reorg {
  /** Distinguishes the event from those with data. */
  readonly _tag: "Reorg"
  /** The number of the first block that was replaced. */
  readonly from: bigint
  /** The newest block known to be on both branches. */
  readonly commonAncestor: { readonly number: bigint; readonly hash: string }
}

/**
 * Events that arrived together, in order.
 *
 * @example
 * ```ts
 * import type { LivePage, Reorg } from "@chaintape/core/streams"
 *
 * const keep = <A>(page: LivePage<A>, write: (events: ReadonlyArray<A | Reorg>, cursor: string) => void): void =>
 *   write(page.events, page.cursor)
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface LivePage<out A> {
  /** Oldest first. */
  readonly events: ReadonlyArray<A | Reorg>
  /** Text that resumes the stream after this page, in this process or another. */
  readonly cursor: string
}

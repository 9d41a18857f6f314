/**
 * Pages of lists as of one block.
 *
 * @since 0.1.0
 */
import type { AsOf } from "../operation/Answer.ts"
import type { UnexpectedResponse } from "../problem/ClientError.ts"
import type { InvalidParameter } from "../problem/Problem.ts"
import type { BlockReplaced, InvalidCursor } from "../problem/StreamError.ts"

/**
 * Options of a list stream.
 *
 * @since 0.1.0
 * @category models
 */
export interface PageOptions {
  /** Elements per request, from 1 to 1,000; 1,000 by default. It does not affect the elements of the stream. */
  readonly pageSize?: number | undefined
  /** The cursor of a page of the same request: the stream resumes after that page, as of the same block. */
  readonly cursor?: string | undefined
}

/**
 * A page of a list as of a block: `block` of the request, or else the newest one when the first page was read. Every page
 * of a stream is as of the same block, also after a `cursor`. If a reorg replaces the block, the stream fails with
 * `BlockReplaced`: start it again without the cursor. The stream emits each element once, and reads pages on demand, one
 * at a time.
 *
 * @example
 * ```ts
 * import type { Pool } from "@chaintape/core"
 * import type { ListPage } from "@chaintape/core/streams"
 *
 * const describe = ({ asOf, items }: ListPage<Pool>): string => `${items.length} pools as of block ${asOf.number}`
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface ListPage<out A> {
  /** Elements of the list, in its order. */
  readonly items: ReadonlyArray<A>
  /** The block of every page of the stream. */
  readonly asOf: AsOf
  /** Text that resumes the stream after this page, in this process or another. */
  readonly cursor: string
}

/**
 * The errors of a list stream besides those of reading a page: `BlockReplaced` if a reorg replaced the block of the
 * pages, `UnexpectedResponse` if a response does not name its block.
 *
 * @since 0.1.0
 * @category errors
 */
export type ListError = InvalidParameter | InvalidCursor | BlockReplaced | UnexpectedResponse

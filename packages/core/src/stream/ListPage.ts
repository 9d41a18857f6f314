/**
 * Pages of lists that belong to one block.
 *
 * @since 0.1.0
 */
import type { AsOf } from "../client/Answer.ts"
import type { UnexpectedAnswer } from "../client/ClientError.ts"
import type { BlockReplaced, InvalidCursor } from "./StreamError.ts"

/**
 * How a list is read.
 *
 * @example
 * ```ts
 * import type { PageOptions } from "@chaintape/core/stream/ListPage"
 *
 * const options: PageOptions = { pageSize: 100 }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface PageOptions {
  /** How many elements one request asks for, from 1 to 1,000; 1,000 by default. It changes no element of the stream. */
  readonly pageSize?: number | undefined
  /** The cursor of a page of the same request: the stream goes on behind that page, as of the same block. */
  readonly cursor?: string | undefined
}

/**
 * A part of a list as of a block.
 *
 * @example
 * ```ts
 * import type { Pool } from "@chaintape/core"
 * import type { ListPage } from "@chaintape/core/stream/ListPage"
 *
 * const describe = ({ asOf, items }: ListPage<Pool>): string => `${items.length} pools as of block ${asOf.number}`
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface ListPage<out A> {
  readonly items: ReadonlyArray<A>
  /** The block that every page of the stream belongs to. */
  readonly asOf: AsOf
  /** Text that continues the stream behind this page, in this process or another. */
  readonly cursor: string
}

/**
 * What the stream of a list can fail with besides what reading a page can: `BlockReplaced` where a reorg took the block
 * of the pages away, `UnexpectedAnswer` where an answer does not say which block it belongs to.
 *
 * @example
 * ```ts
 * import type { ListError } from "@chaintape/core/stream/ListPage"
 *
 * const beginAnew = (error: ListError): boolean => error._tag === "BlockReplaced"
 * ```
 *
 * @since 0.1.0
 * @category errors
 */
export type ListError = InvalidCursor | BlockReplaced | UnexpectedAnswer

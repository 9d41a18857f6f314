import { Effect } from "effect"
import type { Page } from "../../DexQueries.ts"

/** The maximum page size of a subgraph, and its maximum `skip`. */
const maxFirst = 1000
const maxSkip = 5000

/**
 * Rows in an order of which the upstream supports only the first part: by a value, in one direction. The order of rows
 * of equal value differs between upstreams, so it is completed here.
 */
export interface OrderedRows<Row, E> {
  /** Rows by value, strictly after `past` in the direction of the order if it is given. */
  readonly page: (request: {
    readonly past: string | undefined
    readonly first: number
    readonly skip: number
  }) => Effect.Effect<ReadonlyArray<Row>, E>
  /** Rows of one value, by the upstream's id, ascending, after `afterId` if it is given. */
  readonly ties: (request: {
    readonly value: string
    readonly afterId: string | undefined
    readonly first: number
  }) => Effect.Effect<ReadonlyArray<Row>, E>
  readonly value: (row: Row) => string
  readonly id: (row: Row) => string
  /** The order of rows of equal value. */
  readonly compareTies: (a: Row, b: Row) => number
  /**
   * Groups rows of equal value into runs: the rows of a run are adjacent both by id and by `compareTies`, and the runs
   * are in the same order by both.
   */
  readonly run: (row: Row) => string
  /** Filters the rows here, if the upstream cannot. */
  readonly isWanted?: (row: Row) => boolean
}

/** Sorts each group of rows of equal value, which are adjacent. */
const sortTies = <Row, E>({ compareTies, value }: OrderedRows<Row, E>, page: ReadonlyArray<Row>): Array<Row> =>
  [...Map.groupBy(page, value).values()].flatMap((ties) => ties.sort(compareTies))

const pickWanted = <Row, E>({ isWanted }: OrderedRows<Row, E>, page: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  isWanted === undefined ? page : page.filter(isWanted)

/** One more than needed: the extra row shows whether the last one has ties after it. */
const sizeFor = <Row, E>({ isWanted }: OrderedRows<Row, E>, need: number): number =>
  isWanted === undefined ? Math.min(need + 1, maxFirst) : maxFirst

/** At least the first `need` rows of one value, or all. */
const readTies = Effect.fnUntraced(function* <Row, E>(rows: OrderedRows<Row, E>, value: string, need: number) {
  const read: Array<Row> = []
  for (;;) {
    const last = read.at(-1)
    const first = sizeFor(rows, need)
    const page = yield* rows.ties({ value, afterId: last === undefined ? undefined : rows.id(last), first })
    read.push(...page)
    const newest = page.at(-1)
    if (newest === undefined || page.length < first) return pickWanted(rows, read.sort(rows.compareTies))
    // The last run may continue on the next page.
    const openRun = rows.run(newest)
    const closed = read.filter((row) => rows.run(row) !== openRun)
    const found = pickWanted(rows, closed)
    if (found.length >= need) return [...found].sort(rows.compareTies)
  }
})

/** At least the first `need` rows, or all. `begun` is a first page that was already read. */
const readFirst = Effect.fnUntraced(function* <Row, E>(
  rows: OrderedRows<Row, E>,
  need: number,
  begun?: { readonly page: ReadonlyArray<Row>; readonly isLast: boolean }
) {
  const read: Array<Row> = []
  let past: string | undefined
  for (let next = begun; ; next = undefined) {
    const first = sizeFor(rows, need - read.length)
    const page: ReadonlyArray<Row> = next?.page ?? (yield* rows.page({ past, first, skip: 0 }))
    const last = page.at(-1)
    if (last === undefined || (next?.isLast ?? page.length < first)) {
      return [...read, ...pickWanted(rows, sortTies(rows, page))]
    }
    // The ties of the last row may continue on the next page: they are read separately.
    const open = rows.value(last)
    const closed = page.filter((row) => rows.value(row) !== open)
    read.push(...pickWanted(rows, sortTies(rows, closed)))
    if (read.length < need) read.push(...(yield* readTies(rows, open, need - read.length)))
    if (read.length >= need) return read
    past = open
  }
})

/** Tries to skip in the upstream: possible unless the window begins between ties. */
const readSkipped = Effect.fnUntraced(function* <Row, E>(rows: OrderedRows<Row, E>, limit: number, skip: number) {
  const first = Math.min(limit + 2, maxFirst)
  const page = yield* rows.page({ past: undefined, first, skip: skip - 1 })
  const [before, ...window] = page
  const [begin] = window
  if (before === undefined || begin === undefined) return []
  if (rows.value(before) === rows.value(begin)) return undefined
  return yield* readFirst(rows, limit, { page: window, isLast: page.length < first })
})

/** At most `limit` rows, starting at `skip`. */
export const readWindow = Effect.fnUntraced(function* <Row, E>(rows: OrderedRows<Row, E>, { limit, skip }: Page) {
  if (rows.isWanted === undefined && skip > 0 && skip <= maxSkip) {
    const window = yield* readSkipped(rows, limit, skip)
    if (window !== undefined) return window.slice(0, limit)
  }
  return (yield* readFirst(rows, skip + limit)).slice(skip, skip + limit)
})

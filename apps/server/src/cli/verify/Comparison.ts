import { Effect } from "effect"
import type { CommandError } from "../terminal/CommandError.ts"
import { Progress } from "../terminal/Progress.ts"
import { pageSize } from "./DeploymentReads.ts"
import type { DeploymentReads, Row, Rows, TimeWindow } from "./DeploymentReads.ts"
import { compareRows } from "./Difference.ts"
import type { Difference } from "./Difference.ts"

/** The two compared sides of one deployment, or of one pool of it. */
export interface Sides {
  readonly service: DeploymentReads
  readonly own: DeploymentReads
  readonly pool: string | undefined
}

/** The values that follow from the prices of other pools, or from what happens in them. */
const ofOthers = /ETH$|USD$|USDUntracked$|^token[01]\.(?!id$|decimals$)/

/** Whether a field of a pool follows from the logs of the pool alone. */
const followsAlone = (field: string): boolean => !ofOthers.test(field)

const readAll = Effect.fnUntraced(function* (read: (skip: number) => Effect.Effect<Rows, CommandError>) {
  const all: Array<Row> = []
  for (;;) {
    const rows = yield* read(all.length)
    all.push(...rows)
    if (rows.length < pageSize) return all
  }
})

export interface ComparedState {
  readonly differences: ReadonlyArray<Difference>
  /** The pools of the verified side. */
  readonly pools: Rows
  readonly tokens: number
}

/** Compares totals, tokens and pools as of a block, or the one pool. */
export const compareState = Effect.fn("Comparison.compareState")(function* (
  { own, pool, service }: Sides,
  block: number
) {
  if (pool !== undefined) {
    const pools = yield* own.pools(block, 0, pool)
    const differences = compareRows("pool", yield* service.pools(block, 0, pool), pools, followsAlone)
    return { differences, pools, tokens: 0 } satisfies ComparedState
  }
  const tokens = yield* readAll((skip) => own.tokens(block, skip))
  const pools = yield* readAll((skip) => own.pools(block, skip))
  return {
    differences: [
      ...compareRows("totals", yield* service.totals(block), yield* own.totals(block)),
      ...compareRows("token", yield* readAll((skip) => service.tokens(block, skip)), tokens),
      ...compareRows("pool", yield* readAll((skip) => service.pools(block, skip)), pools)
    ],
    pools,
    tokens: tokens.length
  } satisfies ComparedState
})

/** Compares the rows of these differences as of another block. */
const compareAgain = Effect.fnUntraced(function* (sides: Sides, block: number, suspects: ReadonlyArray<Difference>) {
  const found: Array<Difference> = []
  for (const [name, { entity, id }] of new Map(suspects.map((one) => [`${one.entity} ${one.id}`, one]))) {
    const read = ({ pools, tokens, totals }: DeploymentReads): Effect.Effect<Rows, CommandError> => {
      if (entity === "totals") return totals(block)
      return entity === "token" ? tokens(block, 0, id) : pools(block, 0, id)
    }
    const isCompared = sides.pool === undefined ? undefined : followsAlone
    const differences = compareRows(entity, yield* read(sides.service), yield* read(sides.own), isCompared)
    found.push(...differences.filter((one) => `${one.entity} ${one.id}` === name))
  }
  return found
})

/** Rows that are followed back to the block in which they began to differ. */
const suspectsAtOnce = 5

export interface FirstDifference {
  readonly block: number
  readonly differences: ReadonlyArray<Difference>
}

/**
 * The first block as of which the state differs, if it differs from then on: found by bisection between `from`, at or before
 * the first block of the state, and a block where it differs.
 */
export const findFirst = Effect.fn("Comparison.findFirst")(function* (
  sides: Sides,
  from: number,
  known: FirstDifference
) {
  let first = known
  for (;;) {
    const suspects = first.differences.slice(0, suspectsAtOnce)
    let same = from - 1
    let different = first
    while (different.block - same > 1) {
      const middle = Math.floor((same + different.block) / 2)
      const differences = yield* compareAgain(sides, middle, suspects)
      if (differences.length > 0) different = { block: middle, differences }
      else same = middle
    }
    if (same < from) return different
    // Another row may differ earlier.
    const { differences } = yield* compareState(sides, same)
    if (differences.length === 0) return different
    first = { block: same, differences }
  }
})

const toName = (row: Row) => String(row["id"])

/** The trades of a window on both sides. Undefined if the verified side has more than a page. */
const readWindow = Effect.fnUntraced(function* (sides: Sides, block: number, pool: string, window: TimeWindow) {
  const own = yield* sides.own.trades(block, pool, window, 0)
  const isPage = own.every((rows) => rows.length < pageSize)
  if (!isPage && window.to > window.from) return undefined
  const rest = (
    reads: DeploymentReads,
    page: ReadonlyArray<Rows>,
    skip = pageSize
  ): Effect.Effect<Rows, CommandError> =>
    page.every((rows) => rows.length < pageSize)
      ? Effect.succeed(page.flat())
      : Effect.flatMap(reads.trades(block, pool, window, skip), (next) =>
          Effect.map(rest(reads, next, skip + pageSize), (rows) => [...page.flat(), ...rows])
        )
  const service = yield* sides.service.trades(block, pool, window, 0)
  return { own: yield* rest(sides.own, own), service: yield* rest(sides.service, service) }
})

export interface ComparedTrades {
  readonly differences: ReadonlyArray<Difference>
  readonly trades: number
}

const followsFromTrade = (field: string): boolean => field !== "amountUSD"

/** Oldest first. */
const sortDifferences = (differences: ReadonlyArray<Difference>, rows: Rows) => {
  const position = new Map(
    rows.map((row) => [toName(row), [Number(row["timestamp"]), Number(row["logIndex"])] as const])
  )
  const getPosition = ({ id }: Difference) => position.get(id) ?? [0, 0]
  return differences.toSorted((a, b) => {
    const [x, y] = [getPosition(a), getPosition(b)]
    return x[0] - y[0] || x[1] - y[1]
  })
}

/** Compares the trades of a pool as of a block, window by window up to the first difference. */
export const compareTrades = Effect.fn("Comparison.compareTrades")(function* (
  sides: Sides,
  block: number,
  pool: Row,
  { from, to: end }: TimeWindow
): Effect.fn.Return<ComparedTrades, CommandError> {
  const isCompared = sides.pool === undefined ? undefined : followsFromTrade
  let start = from
  let span = end - from + 1
  let trades = 0
  while (start <= end) {
    const window = { from: start, to: Math.min(end, start + span - 1) }
    const read = yield* readWindow(sides, block, toName(pool), window)
    if (read === undefined) {
      span = Math.max(1, Math.floor(span / 2))
      continue
    }
    const differences = compareRows("trade", read.service, read.own, isCompared)
    if (differences.length > 0) {
      return { differences: sortDifferences(differences, [...read.service, ...read.own]), trades }
    }
    trades += read.own.length
    start = window.to + 1
    span *= 2
  }
  return { differences: [], trades }
})

interface ComparedStates {
  /** The state that was compared last. */
  readonly state: ComparedState
  readonly found: FirstDifference | undefined
}

/** Compares the states after every `every` blocks and as of the last one, up to the first difference. */
export const compareStates = Effect.fn("Comparison.compareStates")(function* (
  sides: Sides,
  first: number,
  last: number,
  every: number | undefined
): Effect.fn.Return<ComparedStates, CommandError, Progress> {
  const progress = yield* Progress
  yield* progress.begin({ since: first, until: last, position: first, rows: 0, unit: "states" })
  let equalAt = first
  let block = every === undefined ? last : first
  for (let count = 1; ; count++) {
    const state = yield* compareState(sides, block)
    if (state.differences.length > 0) {
      return { state, found: yield* findFirst(sides, equalAt, { block, differences: state.differences }) }
    }
    equalAt = block
    yield* progress.advance(block, count)
    if (block === last) return { state, found: undefined }
    block = Math.min(block + (every ?? 1), last)
  }
})

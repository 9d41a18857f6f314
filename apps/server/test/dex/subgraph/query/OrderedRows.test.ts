import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { readWindow } from "../../../../src/dex/subgraph/query/OrderedRows.ts"
import type { OrderedRows } from "../../../../src/dex/subgraph/query/OrderedRows.ts"

interface Row {
  readonly id: string
  readonly value: number
  readonly isWanted: boolean
}

interface World {
  readonly rows: ReadonlyArray<Row>
  readonly sign: 1 | -1
  /** The upstream's order of rows of equal value. */
  readonly tieSign: 1 | -1
  readonly isFiltered: boolean
  /** Whether ties are ordered by a value that is independent of the upstream's id. */
  readonly isReversed: boolean
}

const compareIds = (a: Row, b: Row) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const upstream = ({ isFiltered, isReversed, rows, sign, tieSign }: World): OrderedRows<Row, never> => {
  const sorted = [...rows].sort((a, b) => sign * (a.value - b.value) || tieSign * compareIds(a, b))
  const answer = (first: number, skip: number, found: ReadonlyArray<Row>) =>
    Effect.sync(() => {
      assert.isTrue(first >= 1 && first <= 1000 && skip >= 0 && skip <= 5000, `first ${first}, skip ${skip}`)
      return found.slice(skip, skip + first)
    })
  return {
    page: ({ first, past, skip }) =>
      answer(first, skip, past === undefined ? sorted : sorted.filter((row) => sign * (row.value - Number(past)) > 0)),
    ties: ({ afterId, first, value }) =>
      answer(first, 0, rows.filter((row) => row.value === Number(value) && row.id > (afterId ?? "")).sort(compareIds)),
    value: (row) => String(row.value),
    id: (row) => row.id,
    compareTies: isReversed ? (a, b) => compareIds(b, a) : compareIds,
    run: isReversed ? () => "" : (row) => row.id,
    ...(isFiltered ? { isWanted: (row) => row.isWanted } : {})
  }
}

const all = ({ isFiltered, isReversed, rows, sign }: World): ReadonlyArray<string> =>
  rows
    .filter((row) => !isFiltered || row.isWanted)
    .sort((a, b) => sign * (a.value - b.value) || (isReversed ? compareIds(b, a) : compareIds(a, b)))
    .map(({ id }) => id)

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const Ways = Schema.Struct({
  values: Schema.Literals([1, 2, 5, 40, 100_000]),
  seed: between(1, 1_000_000),
  sign: Schema.Literals([1, -1]),
  tieSign: Schema.Literals([1, -1]),
  isFiltered: Schema.Boolean,
  isReversed: Schema.Boolean
})

const worldOf = ({ seed, values, ...rest }: typeof Ways.Type, size: number): World => ({
  ...rest,
  rows: Array.from({ length: size }, (_, at) => ({
    id: `row-${((at * 7919 + seed) % 1_000_003).toString().padStart(7, "0")}`,
    value: ((at * 104_729 + seed) % 15_485_863) % values,
    isWanted: (at * 31 + seed) % 3 !== 0
  }))
})

const checkWindow = (world: World, limit: number, skip: number) =>
  Effect.map(readWindow(upstream(world), { limit, skip }), (rows) =>
    assert.deepStrictEqual(
      rows.map(({ id }) => id),
      all(world).slice(skip, skip + limit)
    )
  )

describe("readWindow", () => {
  it.effect.prop(
    "reads any window of rows with any ties, whichever of them the upstream puts first",
    [Ways, between(0, 60), between(1, 70), between(0, 70)],
    ([ways, size, limit, skip]) => checkWindow(worldOf(ways, size), limit, skip),
    { arbitrary: { runs: 2000 } }
  )

  it.effect.prop(
    "reads beyond the most that the upstream answers and skips",
    [
      Ways,
      Schema.Literals([999, 1000, 1001, 2500, 7200]),
      Schema.Literals([1, 100, 998, 999, 1000]),
      Schema.Literals([0, 1, 999, 1000, 1001, 4999, 5000, 5001, 5002, 6500, 7199])
    ],
    ([ways, size, limit, skip]) => checkWindow(worldOf(ways, size), limit, skip),
    { arbitrary: { runs: 200 } }
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { TradeOrderField } from "../../../../src/dex/DexQueries.ts"
import { compareFields, compareRecordIds } from "../ExpectedState.ts"
import type { EntityVersion } from "../SubgraphData.ts"
import { lines, toView, tradeQuery } from "../SubgraphProbe.ts"
import { toPairEntities } from "./PairData.ts"
import { expectedPairs, heads, idOf, textOf, toPairs } from "./PairsProbe.ts"
import type { Row } from "./PairsProbe.ts"

const { pools, swaps, tokens } = expectedPairs("market", heads.market)

const newest = (rows: typeof swaps): ReadonlyArray<Row> =>
  [...rows]
    .sort((a, b) => b.block - a.block || Number(b.fields["logIndex"]) - Number(a.fields["logIndex"]))
    .map(({ fields }) => fields)

const countOf = (id: unknown) => swaps.filter(({ pool }) => pool === id).length
const [busiest = ""] = pools.map(({ id }) => textOf(id)).sort((a, b) => countOf(b) - countOf(a))
const ofPool = swaps.filter(({ pool }) => pool === busiest)

const timeOf = ({ fields }: { readonly fields: Row }) => Number(fields["timestamp"])

const sortedBy = (rows: ReadonlyArray<Row>, field: TradeOrderField, direction: "asc" | "desc") => {
  const sign = direction === "asc" ? 1 : -1
  return [...rows].sort((a, b) => {
    const ids = compareRecordIds(textOf(a["id"]), textOf(b["id"]))
    if (field === "id") return sign * ids
    return (field === "pool" ? 0 : sign * compareFields(textOf(a[field]), textOf(b[field]))) || ids
  })
}

const toSwap = (fields: EntityVersion["fields"]): ReadonlyArray<EntityVersion> =>
  toPairEntities(lines.basic).map((version) =>
    version.entity === "Swap" ? { ...version, fields: { ...version.fields, ...fields } } : version
  )

describe("swaps of a subgraph of Uniswap V2", () => {
  it.effect("has the sum of what a swap paid in and out of one token", () =>
    Effect.gen(function* () {
      const amounts = { amount0In: "10", amount0Out: "1.5", amount1In: "0.25", amount1Out: "4" }
      const entities = toSwap(amounts)
      const pool = entities.find(({ entity }) => entity === "Swap")?.fields["pair"] ?? ""
      const view = yield* toView(toPairs("basic", { entities }))
      const [swap] = yield* view.trades("swap", { pool }, tradeQuery({ limit: 1 }))
      assert.deepStrictEqual([swap?.amount0, swap?.amount1], ["8.5", "-3.75"])
    })
  )

  it.effect("has what each swap paid in as positive, and what it paid out as negative amounts", () =>
    Effect.gen(function* () {
      const view = yield* toView(toPairs("market"))
      let found = 0
      for (const { id } of pools) {
        const rows = yield* view.trades("swap", { pool: textOf(id).toUpperCase().replace("0X", "0x") }, tradeQuery())
        assert.deepStrictEqual<unknown>(rows, newest(swaps.filter(({ pool }) => pool === id)))
        found += rows.length
      }
      assert.strictEqual(found, swaps.length)
    })
  )

  it.effect("finds the swaps of a token on either side, by the tokens of the pair", () =>
    Effect.gen(function* () {
      const view = yield* toView(toPairs("market"))
      let found = 0
      for (const { id } of tokens) {
        for (const side of [0, 1] as const) {
          const rows = yield* view.trades("swap", { token: textOf(id), side }, tradeQuery())
          const wanted = swaps.filter(({ pool }) => {
            const at = pools.find((one) => one["id"] === pool)
            return idOf(side === 0 ? at?.["token0"] : at?.["token1"]) === id
          })
          assert.deepStrictEqual<unknown>(rows, newest(wanted))
          found += rows.length
        }
      }
      assert.strictEqual(found, 2 * swaps.length)
    })
  )

  it.effect("has the swaps of a window of time as of a block", () =>
    Effect.gen(function* () {
      const block = 250
      const view = yield* toView(toPairs("market"), block)
      const [from = 0, to = 0] = [ofPool[5], ofPool.at(-1)].map((swap) => (swap === undefined ? 0 : timeOf(swap)))
      const inside = ofPool.filter((swap) => swap.block <= block && timeOf(swap) >= from && timeOf(swap) <= to)
      assert.isTrue(inside.length > 0 && inside.length < ofPool.length - 5)
      const rows = yield* view.trades(
        "swap",
        { pool: busiest },
        tradeQuery({ from: Option.some(from), to: Option.some(to) })
      )
      assert.deepStrictEqual<unknown>(rows, newest(inside))
    })
  )

  it.effect("sorts by every field, also by amounts that the schema does not have, equal ones by id", () =>
    Effect.gen(function* () {
      const view = yield* toView(toPairs("market", { ties: "reversed" }))
      const rows = ofPool.map(({ fields }) => fields)
      const fields: ReadonlyArray<TradeOrderField> = [
        "id",
        "amount0",
        "amount1",
        "amountUSD",
        "logIndex",
        "origin",
        "timestamp",
        "sender",
        "recipient",
        "sqrtPriceX96",
        "pool",
        "transactionId"
      ]
      for (const field of fields) {
        for (const direction of ["asc", "desc"] as const) {
          const order = Option.some({ field, direction })
          const read = yield* view.trades("swap", { pool: busiest }, tradeQuery({ order, limit: 20, skip: 3 }))
          assert.deepStrictEqual<unknown>(read, sortedBy(rows, field, direction).slice(3, 23), `${field} ${direction}`)
        }
      }
      const other = Option.some({ field: "owner", direction: "asc" } as const)
      assert.deepStrictEqual<unknown>(
        yield* view.trades("swap", { pool: busiest }, tradeQuery({ order: other })),
        newest(ofPool)
      )
    })
  )
})

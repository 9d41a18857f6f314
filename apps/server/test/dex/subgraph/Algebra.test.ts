import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { DexSourceError } from "../../../src/dex/DexSource.ts"
import { compareFields, compareRecordIds, expectedAt } from "./ExpectedState.ts"
import { makeSubgraph } from "./GraphqlServer.ts"
import type { SubgraphOptions } from "./GraphqlServer.ts"
import { toEntities } from "./SubgraphData.ts"
import { headHash, lines, poolQuery, tokenQuery, toView, tradeQuery } from "./SubgraphProbe.ts"
import { algebra, algebraName } from "./SubgraphTypes.ts"
import type { SchemaTypes } from "./SubgraphTypes.ts"

type Row = { readonly [field: string]: unknown }

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** The names of a branch, where they are not those for a chain with Matic. */
const renamed = (rename: (field: string) => string) => {
  const toName = (field: string) => rename(algebraName(field))
  const types: SchemaTypes = Object.fromEntries(
    Object.entries(algebra).map(([entity, fields]) => [
      entity,
      Object.fromEntries(Object.entries(fields).map(([field, kind]) => [rename(field), kind]))
    ])
  )
  const entities = toEntities(lines.basic, "#").map((version) => ({
    ...version,
    fields: Object.fromEntries(Object.entries(version.fields).map(([field, value]) => [toName(field), value]))
  }))
  return (options: Partial<SubgraphOptions> = {}) =>
    makeSubgraph({ entities, types, head: { number: 62, hash: headHash }, ...options })
}

const branches = {
  Matic: renamed((field) => field),
  Bnb: renamed((field) => field.replace(/Matic$/, "Bnb")),
  Eth: renamed((field) => field.replace(/Matic$/, "Eth"))
}

const expected = expectedAt(lines.basic, 62)
const sorted = (rows: ReadonlyArray<Row>, field: string, sign: 1 | -1) =>
  [...rows].sort(
    (a, b) =>
      sign * compareFields(textOf(a[field]), textOf(b[field])) || compareFields(textOf(a["id"]), textOf(b["id"]))
  )

const refusal = <A>(read: Effect.Effect<A, DexSourceError>) => Effect.map(Effect.flip(read), ({ message }) => message)

describe("a subgraph of Algebra", () => {
  for (const [coin, toServer] of Object.entries(branches)) {
    it.effect(`has every value as of every block, with amounts of the native coin named ${coin}`, () =>
      Effect.gen(function* () {
        for (const block of [9, 33, 62]) {
          const at = expectedAt(lines.basic, block)
          const view = yield* toView(toServer(), block)
          assert.deepStrictEqual(Option.getOrUndefined(yield* view.deployment), at.factory)
          const tokens = yield* view.tokens(tokenQuery())
          assert.deepStrictEqual<ReadonlyArray<Row>>(tokens, sorted(at.tokens, "totalValueLockedUSD", -1))
          const pools = yield* view.pools(poolQuery())
          assert.deepStrictEqual<ReadonlyArray<Row>>(pools, sorted(at.pools, "totalValueLockedUSD", -1))
          for (const kind of ["mint", "burn", "swap"] as const) {
            const byId = { order: Option.some({ field: "id", direction: "asc" } as const) }
            for (const { id } of pools) {
              const rows: ReadonlyArray<unknown> = yield* view.trades(kind, { pool: id }, tradeQuery(byId))
              const records = at.records(kind).filter(({ pool }) => pool === id)
              records.sort((a, b) => compareRecordIds(a.id, b.id))
              assert.deepStrictEqual(
                rows,
                records.map(({ fields }) => fields)
              )
            }
          }
        }
      })
    )
  }

  it.effect("sorts by the fields that have other names", () =>
    Effect.gen(function* () {
      const view = yield* toView(branches.Matic())
      for (const [direction, sign] of [
        ["asc", 1],
        ["desc", -1]
      ] as const) {
        for (const field of ["feeTier", "totalValueLockedETH"] as const) {
          const pools = yield* view.pools(poolQuery({ order: Option.some({ field, direction }) }))
          assert.deepStrictEqual<ReadonlyArray<Row>>(pools, sorted(expected.pools, field, sign))
        }
        const derived = yield* view.tokens(tokenQuery({ order: Option.some({ field: "derivedETH", direction }) }))
        assert.deepStrictEqual<ReadonlyArray<Row>>(derived, sorted(expected.tokens, "derivedETH", sign))
        const [pool = ""] = expected.records("swap").map((record) => record.pool ?? "")
        const order = Option.some({ field: "sqrtPriceX96", direction } as const)
        const prices = yield* view.trades("swap", { pool }, tradeQuery({ order }))
        const swaps = expected.records("swap").filter((record) => record.pool === pool)
        assert.deepStrictEqual(
          prices.map(({ sqrtPriceX96 }) => sqrtPriceX96),
          swaps.map(({ fields }) => textOf(fields["sqrtPriceX96"])).sort((a, b) => sign * compareFields(a, b))
        )
      }
    })
  )

  it.effect("is refused by the name of the field where a branch lacks it", () =>
    Effect.gen(function* () {
      // Its pools have a fee for each direction.
      const directional = yield* toView(branches.Matic({ lacks: ["Pool.fee"] }))
      const priceless = yield* toView(branches.Matic({ lacks: ["Token.derivedMatic", "Swap.price"] }))
      const [pool = ""] = expected.pools.map(({ id }) => textOf(id))
      assert.deepStrictEqual(
        [
          yield* refusal(directional.pools(poolQuery())),
          yield* refusal(priceless.tokens(tokenQuery())),
          yield* refusal(priceless.trades("swap", { pool }, tradeQuery()))
        ],
        [
          `The subgraph of "uniswap-v3/testnet" lacks the field "feeTier" of its type "Pool".`,
          `The subgraph of "uniswap-v3/testnet" lacks the field "derivedETH" of its type "Token".`,
          `The subgraph of "uniswap-v3/testnet" lacks the field "sqrtPriceX96" of its type "Swap".`
        ]
      )
      assert.isAbove((yield* directional.tokens(tokenQuery())).length, 0)
    })
  )
})

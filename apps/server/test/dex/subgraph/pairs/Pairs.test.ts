import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { PoolOrderField, TokenOrderField } from "../../../../src/dex/DexQueries.ts"
import { poolFields, tokenFields } from "../../../../src/dex/DexSource.ts"
import { compareFields } from "../ExpectedState.ts"
import { poolQuery, tokenQuery, toView } from "../SubgraphProbe.ts"
import { byId, expectedPairs, heads, idOf, textOf, toPairs } from "./PairsProbe.ts"
import type { Row } from "./PairsProbe.ts"

const directions = ["asc", "desc"] as const

const sortedBy = (rows: ReadonlyArray<Row>, field: string, direction: "asc" | "desc") => {
  const key = (row: Row) => (typeof row[field] === "object" ? idOf(row[field]) : textOf(row[field]))
  const sign = direction === "asc" ? 1 : -1
  return byId(rows).sort((a, b) => sign * compareFields(key(a), key(b)))
}

describe("a subgraph of Uniswap V2", () => {
  it.effect("has every value that its schema has or that follows from it, as of every block", () =>
    Effect.gen(function* () {
      let rows = 0
      for (const [name, block] of [
        ...[1, 8, 9, 11, 20, 33, 45, 62].map((block) => ["basic", block] as const),
        ["market", 150],
        ["market", 384]
      ] as const) {
        const expected = expectedPairs(name, block)
        const view = yield* toView(toPairs(name), block)
        assert.deepStrictEqual(Option.getOrUndefined(yield* view.deployment), expected.factory)
        assert.deepStrictEqual<ReadonlyArray<Row>>(byId(yield* view.tokens(tokenQuery())), byId(expected.tokens))
        assert.deepStrictEqual<ReadonlyArray<Row>>(byId(yield* view.pools(poolQuery())), byId(expected.pools))
        rows += expected.tokens.length + expected.pools.length
      }
      assert.isAbove(rows, 60)
    })
  )

  it.effect("takes fees from the volume by the configured fee", () =>
    Effect.gen(function* () {
      const expected = expectedPairs("market", 384, "2500")
      const view = yield* toView(toPairs("market"), 384, 2500)
      assert.deepStrictEqual(Option.getOrUndefined(yield* view.deployment), expected.factory)
      assert.deepStrictEqual<ReadonlyArray<Row>>(byId(yield* view.pools(poolQuery())), byId(expected.pools))
    })
  )

  it.effect("sorts pools by every field, those with the same value by id", () =>
    Effect.gen(function* () {
      const { pools } = expectedPairs("market", heads.market)
      const view = yield* toView(toPairs("market", { ties: "reversed" }))
      assert.deepStrictEqual<ReadonlyArray<Row>>(
        yield* view.pools(poolQuery({ limit: 3, skip: 1 })),
        sortedBy(pools, "totalValueLockedUSD", "desc").slice(1, 4)
      )
      for (const field of [...poolFields, "token0", "token1"] satisfies ReadonlyArray<PoolOrderField>) {
        for (const direction of directions) {
          const rows = yield* view.pools(poolQuery({ order: Option.some({ field, direction }), limit: 4, skip: 1 }))
          assert.deepStrictEqual<ReadonlyArray<Row>>(
            rows,
            sortedBy(pools, field, direction).slice(1, 5),
            `${field} ${direction}`
          )
        }
      }
    })
  )

  it.effect("sorts tokens by every field but the number of pools, by the value in USD itself", () =>
    Effect.gen(function* () {
      const { tokens } = expectedPairs("market", heads.market)
      const view = yield* toView(toPairs("market"))
      assert.deepStrictEqual<ReadonlyArray<Row>>(
        yield* view.tokens(tokenQuery({ limit: 3, skip: 1 })),
        sortedBy(tokens, "totalValueLockedUSD", "desc").slice(1, 4)
      )
      for (const field of tokenFields satisfies ReadonlyArray<TokenOrderField>) {
        if (field === "poolCount") continue
        for (const direction of directions) {
          const rows = yield* view.tokens(tokenQuery({ order: Option.some({ field, direction }) }))
          assert.deepStrictEqual<ReadonlyArray<Row>>(rows, sortedBy(tokens, field, direction), `${field} ${direction}`)
        }
      }
    })
  )

  it.effect("sorts by id where a fee of 0 makes all fees equal", () =>
    Effect.gen(function* () {
      const view = yield* toView(toPairs("market"), heads.market, 0)
      const order = Option.some({ field: "feesUSD", direction: "desc" } as const)
      const rows = yield* view.pools(poolQuery({ order }))
      assert.deepStrictEqual<ReadonlyArray<Row>>(rows, byId(expectedPairs("market", heads.market, "0").pools))
    })
  )

  it.effect("finds tokens by symbol, name and address", () =>
    Effect.gen(function* () {
      const { tokens } = expectedPairs("market", heads.market)
      const view = yield* toView(toPairs("market"))
      for (const token of tokens) {
        for (const field of ["symbol", "name", "id"] as const) {
          const text = textOf(token[field])
          const found = yield* view.tokens(tokenQuery({ [field]: Option.some(text.toUpperCase().replace("0X", "0x")) }))
          const wanted = tokens.filter((other) => textOf(other[field]).toLowerCase() === text.toLowerCase())
          assert.deepStrictEqual<ReadonlyArray<Row>>(found, sortedBy(wanted, "totalValueLockedUSD", "desc"))
        }
      }
    })
  )

  it.effect("knows which tokens and pairs exist at its block", () =>
    Effect.gen(function* () {
      const { pools, tokens } = expectedPairs("basic", heads.basic)
      const [pool, token] = [textOf(pools[0]?.["id"]), textOf(tokens[0]?.["id"])]
      const view = yield* toView(toPairs("basic"))
      const early = yield* toView(toPairs("basic"), 1)
      assert.deepStrictEqual(
        [
          yield* view.hasPool(pool),
          yield* view.hasToken(token),
          yield* view.hasPool(token),
          yield* early.hasPool(pool)
        ],
        [true, true, false, false]
      )
      assert.deepStrictEqual(yield* early.pools(poolQuery()), [])
      assert.deepStrictEqual(yield* early.tokens(tokenQuery()), [])
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { DexReadError } from "../../../../src/dex/DexSource.ts"
import type { EntityVersion } from "../SubgraphData.ts"
import { lines, poolQuery, tokenQuery, toView, tradeQuery } from "../SubgraphProbe.ts"
import { toPairEntities } from "./PairData.ts"
import { expectedPairs, textOf, toPairs } from "./PairsProbe.ts"

const entities = toPairEntities(lines.basic)
const { pools, tokens } = expectedPairs("basic", 62)
const [pool = ""] = pools.map(({ id }) => textOf(id))

const toAddress = (number: number): string => `0x${number.toString(16).padStart(40, "0")}`

/** The first version that the fixture has of an entity. */
const like = (entity: EntityVersion["entity"]): EntityVersion =>
  entities.find((version) => version.entity === entity) ?? assert.fail(`no ${entity}`)

const copies = (entity: EntityVersion["entity"], count: number): ReadonlyArray<EntityVersion> => {
  const version = like(entity)
  return Array.from({ length: count }, (_, at) => {
    const id = toAddress(at + 1)
    return { ...version, id, fields: { ...version.fields, id } }
  })
}

const refusal = <A>(read: Effect.Effect<A, DexReadError>) =>
  Effect.map(Effect.flip(read), (error) => {
    assert.strictEqual(error._tag === "DexSourceError" ? error.reason : error._tag, "BadResponse")
    return error.message.replace(`The subgraph of "uniswap-v3/testnet" `, "")
  })

describe("data that a subgraph of Uniswap V2 does not have", () => {
  it.effect("is refused by the name of the field", () =>
    Effect.gen(function* () {
      const view = yield* toView(toPairs("basic"))
      const order = Option.some({ field: "poolCount", direction: "asc" } as const)
      assert.deepStrictEqual(
        [
          yield* refusal(view.trades("mint", { pool }, tradeQuery())),
          yield* refusal(view.trades("burn", { pool }, tradeQuery())),
          yield* refusal(view.tokens(tokenQuery({ order })))
        ],
        [
          `lacks the field "origin" of its type "Mint".`,
          `lacks the field "origin" of its type "Burn".`,
          `lacks the field "poolCount" of its type "Token".`
        ]
      )
    })
  )

  it.effect("is refused if the schema of a fork has fewer fields", () =>
    Effect.gen(function* () {
      const lacks = ["Token.pairBase", "Swap.from", "UniswapFactory.txCount"]
      const view = yield* toView(toPairs("basic", { lacks }))
      const unpriced = yield* toView(toPairs("basic", { lacks: ["Bundle"] }))
      const priceless = entities.filter(({ entity }) => entity !== "Bundle")
      const emptyBundle = yield* toView(toPairs("basic", { entities: priceless }))
      assert.deepStrictEqual(
        [
          yield* refusal(view.pools(poolQuery())),
          yield* refusal(view.trades("swap", { pool }, tradeQuery())),
          yield* refusal(view.deployment),
          yield* refusal(unpriced.tokens(tokenQuery())),
          yield* refusal(emptyBundle.tokens(tokenQuery()))
        ],
        [
          `lacks the field "poolCount" of its type "Token".`,
          `lacks the field "from" of its type "Swap".`,
          `lacks the field "txCount" of its type "UniswapFactory".`,
          `does not have the schema of Uniswap V2: it lacks the type "Bundle".`,
          "has tokens, and no price of the native coin."
        ]
      )
    })
  )

  it.effect("includes ticks and candles, as for every protocol without them", () =>
    Effect.gen(function* () {
      const view = yield* toView(toPairs("basic"))
      const ticks = yield* Effect.flip(view.ticks(pool, { limit: 1, skip: 0 }))
      const query = { seconds: 60, from: Option.none(), to: Option.none(), limit: 1 }
      assert.strictEqual(ticks._tag, "UnknownValueError")
      assert.strictEqual(ticks.message, `The pool "${pool}" has no ticks: its protocol has no concentrated liquidity.`)
      assert.strictEqual((yield* Effect.flip(view.candles(pool, query)))._tag, "UnknownValueError")
    })
  )

  it.effect("includes the number of pairs of a token with 1,000 of them on one side", () =>
    Effect.gen(function* () {
      const one = like("Pair")
      const token = textOf(one.fields["token0"])
      const id = Option.some(token)
      const count = Effect.fnUntraced(function* (more: number) {
        const base = entities.filter(({ entity }) => entity !== "Pair")
        const server = toPairs("basic", { entities: [...base, ...copies("Pair", more)] })
        return yield* (yield* toView(server)).tokens(tokenQuery({ id }))
      })
      assert.strictEqual((yield* count(999))[0]?.poolCount, "999")
      assert.strictEqual(
        yield* refusal(count(1000)),
        `lacks the field "poolCount" of its type "Token", and the token "${token}" has too many pairs to count them.`
      )
    })
  )

  it.effect("includes the order of more than 5,000 tokens by their value in USD", () =>
    Effect.gen(function* () {
      const others = entities.filter(({ entity }) => entity !== "Token")
      const read = Effect.fnUntraced(function* (
        count: number,
        options: Partial<Parameters<typeof tokenQuery>[0]> = {}
      ) {
        const server = toPairs("basic", { entities: [...others, ...copies("Token", count)] })
        return yield* (yield* toView(server)).tokens(tokenQuery({ limit: 2, ...options }))
      })
      assert.deepStrictEqual(
        (yield* read(5000)).map(({ id }) => id),
        [toAddress(1), toAddress(2)]
      )
      assert.strictEqual(
        yield* refusal(read(5001)),
        `cannot sort by "totalValueLockedUSD", which its type "Token" lacks, and has more than the 5000 rows that the ` +
          "service sorts itself."
      )
      const order = Option.some({ field: "volume", direction: "asc" } as const)
      assert.strictEqual((yield* read(5001, { order })).length, 2)
      assert.strictEqual((yield* read(5001, { id: Option.some(toAddress(4000)) })).length, 1)
      assert.isAbove(tokens.length, 0)
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { Order, PoolOrderField, TokenOrderField, TradeOrderField } from "../../../src/dex/DexQueries.ts"
import { poolFields, tokenFields } from "../../../src/dex/DexSource.ts"
import type { DexView, TradeKind } from "../../../src/dex/DexSource.ts"
import { compareFields, compareRecordIds, expectedAt } from "./ExpectedState.ts"
import { toEntities } from "./SubgraphData.ts"
import type { EntityVersion } from "./SubgraphData.ts"
import { headHash, lines, poolQuery, toSubgraph, tokenQuery, tradeQuery, toView } from "./SubgraphProbe.ts"

type Fields = { readonly [field: string]: unknown }

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")
const idOf = (value: unknown): string =>
  typeof value === "object" && value !== null && "id" in value ? textOf(value.id) : ""
const byId = (rows: ReadonlyArray<Fields>) => [...rows].sort((a, b) => compareFields(textOf(a["id"]), textOf(b["id"])))
const byRecordId = (rows: ReadonlyArray<{ readonly id?: unknown }>): ReadonlyArray<unknown> =>
  [...rows].sort((a, b) => compareRecordIds(textOf(a.id), textOf(b.id)))

const swapFields = [
  "id",
  "amount0",
  "amount1",
  "amountUSD",
  "logIndex",
  "origin",
  "timestamp",
  "sender",
  "recipient",
  "sqrtPriceX96"
] as const

const tradeKinds = ["burn", "mint", "swap"] as const
const chosen = {
  basic: Array.from({ length: 62 }, (_, at) => at + 1),
  market: [9, 10, 20, 47, 60, 101, 150, 199, 250, 333, 384]
} as const

/** Everything that a view returns equals the fixtures. */
const compareState = Effect.fnUntraced(function* (name: "basic" | "market", view: DexView, block: number) {
  const expected = expectedAt(lines[name], block)
  assert.deepStrictEqual(Option.getOrUndefined(yield* view.deployment), expected.factory)
  assert.deepStrictEqual<ReadonlyArray<Fields>>(byId(yield* view.tokens(tokenQuery())), byId(expected.tokens))
  assert.deepStrictEqual<ReadonlyArray<Fields>>(byId(yield* view.pools(poolQuery())), byId(expected.pools))
  for (const kind of tradeKinds) {
    const records = expected.records(kind)
    for (const { id } of expected.pools.map((pool) => ({ id: textOf(pool["id"]) }))) {
      const ofPool = records.filter(({ pool }) => pool === id).map(({ fields }): Fields => fields)
      assert.deepStrictEqual(byRecordId(yield* view.trades(kind, { pool: id }, tradeQuery())), byRecordId(ofPool))
    }
  }
  return expected.tokens.length + expected.pools.length
})

const orders = <Field extends string>(fields: ReadonlyArray<Field>): ReadonlyArray<Order<Field>> =>
  fields.flatMap((field) => (["asc", "desc"] as const).map((direction) => ({ field, direction })))

const sortedBy = (rows: ReadonlyArray<Fields>, { direction, field }: Order<string>) => {
  const key = (row: Fields) => (typeof row[field] === "object" ? idOf(row[field]) : textOf(row[field]))
  const sign = direction === "asc" ? 1 : -1
  return [...rows].sort((a, b) => {
    // A pool without a tick is below every other.
    const empty = Number(key(b) === "") - Number(key(a) === "")
    const values = empty || compareFields(key(a), key(b))
    return sign * values || compareFields(textOf(a["id"]), textOf(b["id"]))
  })
}

describe("a view of a subgraph", () => {
  it.effect("has every expected value of the basic chain at every block, in both forms of the ids", () =>
    Effect.gen(function* () {
      let rows = 0
      for (const form of ["-", "#"] as const) {
        const server = toSubgraph("basic", {}, form)
        for (const block of chosen.basic) rows += yield* compareState("basic", yield* toView(server, block), block)
      }
      assert.isAbove(rows, 500)
    })
  )

  it.effect("has every expected value of the market chain, however the server spells decimals", () =>
    Effect.gen(function* () {
      const spell = (number: string) =>
        number.includes(".") ? `${number}000` : /^[1-9]\d*0$/.test(number) ? `${number.slice(0, -1)}E1` : number
      const server = toSubgraph("market", { spell })
      for (const block of chosen.market) yield* compareState("market", yield* toView(server, block), block)
    })
  )

  it.effect("is bound to the newest block while the subgraph advances", () =>
    Effect.gen(function* () {
      let head = 30
      const server = (call: Parameters<ReturnType<typeof toSubgraph>>[0]) =>
        toSubgraph("basic", { head: { number: head, hash: headHash } })(call)
      const view = yield* toView(server)
      assert.deepStrictEqual(view.asOf, { number: 30, hash: headHash, finalized: false, proven: undefined })
      head = 62
      yield* compareState("basic", view, 30)
    })
  )

  it.effect("has the hash of a block only if the subgraph does", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* toView(toSubgraph("basic"), 20)).asOf.hash, "")
      assert.strictEqual((yield* toView(toSubgraph("basic"), 62)).asOf.hash, headHash)
      const telling = toSubgraph("basic", { getHash: (block) => `0xAB${block}` })
      assert.strictEqual((yield* toView(telling, 20)).asOf.hash, "0xab20")
    })
  )

  it.effect("has the ticks of a pool that have liquidity, in pages of any size, if the subgraph has ticks", () =>
    Effect.gen(function* () {
      const entities = toEntities(lines.basic, "-")
      const pools = entities.filter(({ entity }) => entity === "Pool").map(({ id }) => id)
      const [pool = "", other = ""] = new Set(pools)
      const tick = (pool: string, tickIdx: number, liquidityGross: string, block = 40): EntityVersion => {
        const id = `${pool}#${tickIdx}`
        const fields = { id, pool, tickIdx: String(tickIdx), liquidityGross, liquidityNet: `-${liquidityGross}` }
        return { entity: "Tick", id, block, fields }
      }
      const ticks = [-887_220, -60, 0, 60, 120].map((index) => tick(pool, index, String(index + 900_000)))
      const server = toSubgraph("basic", {
        entities: [...entities, ...ticks.toReversed(), tick(other, 60, "5"), tick(pool, 0, "0", 50)]
      })
      const expected = ticks.map(({ fields: { liquidityGross, liquidityNet, tickIdx } }) => ({
        tick: tickIdx,
        liquidityGross,
        liquidityNet
      }))
      const before = yield* toView(server, 49)
      assert.deepStrictEqual<unknown>(yield* before.ticks(pool, { limit: 1000, skip: 0 }), expected)
      assert.deepStrictEqual<unknown>(yield* before.ticks(pool, { limit: 2, skip: 1 }), expected.slice(1, 3))
      const after = yield* toView(server)
      const left = expected.filter(({ tick }) => tick !== "0")
      assert.deepStrictEqual<unknown>(yield* after.ticks(pool, { limit: 1000, skip: 0 }), left)
      assert.deepStrictEqual<unknown>(yield* (yield* toView(server, 39)).ticks(pool, { limit: 1000, skip: 0 }), [])
      for (const lacks of ["Tick", "Tick.liquidityNet"]) {
        const without = yield* toView(toSubgraph("basic", { lacks: [lacks] }))
        const error = yield* Effect.flip(without.ticks(pool, { limit: 1, skip: 0 }))
        assert.strictEqual(error._tag, "UnknownValueError")
      }
    })
  )

  it.effect("has nothing before the first pool", () =>
    Effect.gen(function* () {
      const view = yield* toView(toSubgraph("basic"), 1)
      assert.isTrue(Option.isNone(yield* view.deployment))
      assert.deepStrictEqual(yield* view.tokens(tokenQuery()), [])
      assert.deepStrictEqual(yield* view.pools(poolQuery()), [])
    })
  )

  it.effect("knows which tokens and pools exist at its block", () =>
    Effect.gen(function* () {
      const { pools, tokens } = expectedAt(lines.basic, 62)
      const view = yield* toView(toSubgraph("basic"))
      const early = yield* toView(toSubgraph("basic"), 1)
      const [pool, token] = [textOf(pools[0]?.["id"]), textOf(tokens[0]?.["id"])]
      assert.deepStrictEqual(
        [
          yield* view.hasPool(pool),
          yield* view.hasToken(token),
          yield* view.hasPool(token),
          yield* view.hasToken(pool)
        ],
        [true, true, false, false]
      )
      assert.deepStrictEqual([yield* early.hasPool(pool), yield* early.hasToken(token)], [false, false])
    })
  )
})

describe("orders", () => {
  for (const ties of ["reversed", "ascending"] as const) {
    it.effect(`sorts tokens by every field, ties by id, with a server whose ties are ${ties}`, () =>
      Effect.gen(function* () {
        const view = yield* toView(toSubgraph("market", { ties }))
        const { tokens } = expectedAt(lines.market, 384)
        for (const order of orders<TokenOrderField>(tokenFields)) {
          const rows = yield* view.tokens(tokenQuery({ order: Option.some(order) }))
          assert.deepStrictEqual<ReadonlyArray<Fields>>(
            rows,
            sortedBy(tokens, order),
            `${order.field} ${order.direction}`
          )
        }
        const window = yield* view.tokens(tokenQuery({ limit: 3, skip: 2 }))
        const byValue = sortedBy(tokens, { field: "totalValueLockedUSD", direction: "desc" })
        assert.deepStrictEqual<ReadonlyArray<Fields>>(window, byValue.slice(2, 5))
      })
    )

    it.effect(
      `sorts pools by every field, those without a tick below the others, with a server whose ties are ${ties}`,
      () =>
        Effect.gen(function* () {
          for (const [name, block] of [
            ["market", 384],
            ["basic", 11]
          ] as const) {
            const view = yield* toView(toSubgraph(name, { ties }), block)
            const { pools } = expectedAt(lines[name], block)
            for (const order of orders<PoolOrderField>([...poolFields, "token0", "token1"])) {
              const sorted = sortedBy(pools, order)
              const rows = yield* view.pools(poolQuery({ order: Option.some(order) }))
              assert.deepStrictEqual<ReadonlyArray<Fields>>(rows, sorted, `${name} ${order.field} ${order.direction}`)
              for (const [limit, skip] of [
                [1, 0],
                [1, 1],
                [2, 3]
              ] as const) {
                const window = yield* view.pools(poolQuery({ order: Option.some(order), limit, skip }))
                assert.deepStrictEqual<ReadonlyArray<Fields>>(window, sorted.slice(skip, skip + limit))
              }
            }
          }
        })
    )
  }
})

const pageLaw = Effect.fnUntraced(function* (
  read: (limit: number, skip: number) => Effect.Effect<ReadonlyArray<unknown>, unknown>,
  all: ReadonlyArray<unknown>
) {
  for (const size of [1, 2, 3, 7, 50, 1000]) {
    const pages: Array<unknown> = []
    for (let skip = 0; skip <= Math.min(all.length, size * 12); skip += size) pages.push(...(yield* read(size, skip)))
    assert.deepStrictEqual(pages, all.slice(0, pages.length), `pages of ${size}`)
    assert.strictEqual(pages.length, Math.min(all.length, size * 13), `pages of ${size}`)
  }
})

describe("trades", () => {
  const newest = (rows: ReadonlyArray<{ readonly block: number; readonly fields: Fields }>) =>
    [...rows]
      .sort((a, b) => b.block - a.block || Number(b.fields["logIndex"]) - Number(a.fields["logIndex"]))
      .map(({ fields }) => fields)

  const toToken = (fields: Fields, side: 0 | 1): string => {
    const pool = fields["pool"]
    const key = side === 0 ? "token0" : "token1"
    return typeof pool === "object" && pool !== null && key in pool
      ? idOf(Object.entries(pool).find(([name]) => name === key)?.[1])
      : ""
  }

  const records = (kind: TradeKind) => expectedAt(lines.market, 384).records(kind)
  const tokens = expectedAt(lines.market, 384).tokens.map(({ id }) => textOf(id))

  for (const lacks of [
    [],
    ["Mint.token0", "Mint.token1", "Burn.token0", "Burn.token1", "Swap.token0", "Swap.token1"]
  ]) {
    it.effect(
      `finds a token's trades on either side, newest first${lacks.length === 0 ? "" : ", by the pool's tokens"}`,
      () =>
        Effect.gen(function* () {
          const view = yield* toView(toSubgraph("market", { lacks }))
          let found = 0
          for (const kind of tradeKinds) {
            for (const token of tokens) {
              for (const side of [0, 1] as const) {
                const rows: ReadonlyArray<unknown> = yield* view.trades(kind, { token, side }, tradeQuery())
                assert.deepStrictEqual(
                  rows,
                  newest(records(kind).filter(({ fields }) => toToken(fields, side) === token))
                )
                found += rows.length
              }
            }
          }
          assert.strictEqual(found, 2 * (85 + 88 + 321))
        })
    )
  }

  const busiest = [...records("swap")].map(({ pool = "" }) => pool).sort()[160] ?? ""
  const toSwaps = (pool: string) => records("swap").filter((line) => line.pool === pool)

  it.effect("keeps the window of time, both ends included", () =>
    Effect.gen(function* () {
      const view = yield* toView(toSubgraph("market"))
      const swaps = toSwaps(busiest)
      const times = swaps.map(({ fields }) => Number(fields["timestamp"]))
      const [from = 0, to = 0] = [times[10], times[20]]
      const inside = swaps.filter(
        ({ fields }) => Number(fields["timestamp"]) >= from && Number(fields["timestamp"]) <= to
      )
      assert.isAtLeast(inside.length, 11)
      const window = tradeQuery({ from: Option.some(from), to: Option.some(to) })
      const rows: ReadonlyArray<unknown> = yield* view.trades("swap", { pool: busiest }, window)
      assert.deepStrictEqual(rows, newest(inside))
      for (const direction of ["asc", "desc"] as const) {
        const byTime = { ...window, limit: 2, order: Option.some({ field: "timestamp", direction } as const) }
        const few: ReadonlyArray<unknown> = yield* view.trades("swap", { pool: busiest }, byTime)
        const sign = direction === "asc" ? 1 : -1
        const sorted = inside
          .map(({ fields }): Fields => fields)
          .sort(
            (a, b) =>
              sign * compareFields(textOf(a["timestamp"]), textOf(b["timestamp"])) ||
              compareRecordIds(textOf(a["id"]), textOf(b["id"]))
          )
        assert.deepStrictEqual(few, sorted.slice(0, 2))
      }
    })
  )

  for (const [form, ties] of [
    ["-", "reversed"],
    ["#", "ascending"]
  ] as const) {
    it.effect(`gives the same rows by pages of any size, by every field, with ids of the form hash${form}n`, () =>
      Effect.gen(function* () {
        const view = yield* toView(toSubgraph("market", { ties }, form))
        const swaps = toSwaps(busiest).map(({ fields }): Fields => fields)
        const fields: ReadonlyArray<TradeOrderField> = [...swapFields, "pool", "transactionId"]
        for (const { direction, field } of orders(fields)) {
          const sign = direction === "asc" ? 1 : -1
          const sorted = [...swaps].sort((a, b) => {
            const ids = compareRecordIds(textOf(a["id"]), textOf(b["id"]))
            if (field === "id") return sign * ids
            return (field === "pool" ? 0 : sign * compareFields(textOf(a[field]), textOf(b[field]))) || ids
          })
          const order = Option.some({ field, direction })
          yield* pageLaw(
            (limit, skip) => view.trades("swap", { pool: busiest }, tradeQuery({ order, limit, skip })),
            sorted
          )
        }
        yield* pageLaw(
          (limit, skip) => view.trades("swap", { pool: busiest }, tradeQuery({ limit, skip })),
          newest(toSwaps(busiest))
        )
      })
    )
  }

  it.effect("keeps the default order where a kind lacks the field", () =>
    Effect.gen(function* () {
      const view = yield* toView(toSubgraph("market"))
      const [burn] = records("burn")
      const scope = { pool: burn?.pool ?? "" }
      const order = Option.some({ field: "recipient", direction: "asc" } as const)
      assert.deepStrictEqual(
        yield* view.trades("burn", scope, tradeQuery({ order })),
        yield* view.trades("burn", scope, tradeQuery())
      )
    })
  )
})

describe("filters of tokens", () => {
  for (const lacks of [[], ["Token_filter.symbol_contains_nocase", "Token_filter.name_contains_nocase"]]) {
    it.effect(
      `match whole values, letter case ignored, ${lacks.length === 0 ? "with" : "without"} the server's help`,
      () =>
        Effect.gen(function* () {
          const view = yield* toView(toSubgraph("market", { lacks }))
          const { tokens } = expectedAt(lines.market, 384)
          for (const token of tokens) {
            for (const field of ["symbol", "name"] as const) {
              const text = textOf(token[field])
              const wanted = sortedBy(
                tokens.filter((other) => textOf(other[field]).toLowerCase() === text.toLowerCase()),
                { field: "totalValueLockedUSD", direction: "desc" }
              )
              for (const written of [text, text.toLowerCase(), text.toUpperCase()]) {
                if (written.toLowerCase() !== text.toLowerCase()) continue
                const rows = yield* view.tokens(tokenQuery({ [field]: Option.some(written) }))
                assert.deepStrictEqual<ReadonlyArray<Fields>>(rows, wanted, `${field} ${written}`)
              }
              assert.deepStrictEqual(yield* view.tokens(tokenQuery({ [field]: Option.some(`${text}x`) })), [])
            }
            const [same] = yield* view.tokens(
              tokenQuery({ id: Option.some(textOf(token["id"]).toUpperCase().replace("0X", "0x")) })
            )
            assert.deepStrictEqual<Fields | undefined>(same, token)
          }
        })
    )
  }
})

describe("fields that the schema lacks", () => {
  const feeGrowth = ["feeGrowthGlobal0X128", "feeGrowthGlobal1X128"]
  const lacks = feeGrowth.map((field) => `Pool.${field}`)

  it.effect("leaves the fee growth empty, and everything else as it is", () =>
    Effect.gen(function* () {
      const view = yield* toView(toSubgraph("basic", { lacks }), 62)
      const expected = expectedAt(lines.basic, 62).pools.map((pool) => ({
        ...pool,
        feeGrowthGlobal0X128: "",
        feeGrowthGlobal1X128: ""
      }))
      assert.deepStrictEqual<ReadonlyArray<Fields>>(byId(yield* view.pools(poolQuery())), byId(expected))
    })
  )

  it.effect("refuses to sort by the fee growth, and to do without another field, and names it", () =>
    Effect.gen(function* () {
      const view = yield* toView(
        toSubgraph("basic", { lacks: [...lacks, "Token.derivedETH", "Swap.origin", "Factory.owner"] })
      )
      const order = Option.some({ field: "feeGrowthGlobal0X128", direction: "asc" } as const)
      const failures = [
        yield* Effect.flip(view.tokens(tokenQuery())),
        yield* Effect.flip(view.trades("swap", { pool: "0x" }, tradeQuery())),
        yield* Effect.flip(view.deployment)
      ]
      assert.deepStrictEqual(
        failures.map(({ message }) => message),
        [
          `The subgraph of "uniswap-v3/testnet" lacks the field "derivedETH" of its type "Token".`,
          `The subgraph of "uniswap-v3/testnet" lacks the field "origin" of its type "Swap".`,
          `The subgraph of "uniswap-v3/testnet" lacks the field "owner" of its type "Factory".`
        ]
      )
      const sorting = yield* toView(toSubgraph("basic", { lacks }))
      const failure = yield* Effect.flip(sorting.pools(poolQuery({ order })))
      assert.strictEqual(failure.reason, "BadResponse")
      assert.include(failure.message, `"feeGrowthGlobal0X128"`)
    })
  )

  it.effect("asks for the schema once, and again after it has changed", () =>
    Effect.gen(function* () {
      let introspections = 0
      let server = toSubgraph("basic")
      const view = yield* toView((call) => {
        if (call.body.includes("__type")) introspections++
        return server(call)
      })
      yield* Effect.all([view.pools(poolQuery()), view.tokens(tokenQuery()), view.deployment], { concurrency: 3 })
      assert.strictEqual(introspections, 1)
      server = toSubgraph("basic", { lacks })
      assert.strictEqual((yield* Effect.flip(view.pools(poolQuery()))).reason, "BadResponse")
      assert.strictEqual((yield* view.pools(poolQuery()))[0]?.feeGrowthGlobal0X128, "")
      assert.strictEqual(introspections, 2)
    })
  )
})

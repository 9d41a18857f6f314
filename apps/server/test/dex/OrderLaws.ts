import * as DexOperations from "@chaintape/core/operations/dex"
import { assert } from "@effect/vitest"
import type { Vitest } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { runsMany } from "../Cases.ts"
import type { RunningService } from "../RunningService.ts"
import type { ExpectedLine } from "./index/synthetic/ScenarioChain.ts"
import { answer, base, Rows, toRows } from "./IndexedService.ts"
import type { Row } from "./IndexedService.ts"
import { Recorded, tradesUpTo } from "./RecordedService.ts"
import type { RecordedName } from "./RecordedService.ts"

const directions = ["asc", "desc"] as const
type Direction = (typeof directions)[number]
const every = [1, 2, 3, 7, 1000]
/** Page sizes that separate rows with equal keys, and one that holds all; larger ones for the many trades. */
const sizes = runsMany ? { lists: every, trades: every } : { lists: [3, 1000], trades: [7] }

const textFields = new Set(["id", "name", "symbol", "logo", "origin", "transactionId", "owner", "sender", "recipient"])

const compareText = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Pads the fraction to one length. */
const compareNumbers = (a: string, b: string): number => {
  const scale = Math.max(...[a, b].map((text) => text.split(".")[1]?.length ?? 0))
  const [one = 0n, other = 0n] = [a, b].map((text) => {
    const [whole = "", part = ""] = text.split(".")
    return BigInt(whole + part.padEnd(scale, "0"))
  })
  return one < other ? -1 : one > other ? 1 : 0
}

/** By hash, then by log index. */
const compareRecordIds = (a: string, b: string): number => {
  const [[hash = "", log = ""] = [], [otherHash = "", otherLog = ""] = []] = [a.split("#"), b.split("#")]
  return compareText(hash, otherHash) || Number(log) - Number(otherLog)
}

const compareIds = (a: string, b: string): number => (a.includes("#") ? compareRecordIds(a, b) : compareText(a, b))

const idOf = (row: Row): string => String(row["id"])

/** The sort key of a row: an object by its id. */
const getKey = (row: Row, field: string): string => {
  const value: unknown = row[field]
  return typeof value === "object" ? String(Object(value).id) : String(value)
}

/** The interface's order in its simplest form. An empty tick is below all others. */
const sorted = (rows: ReadonlyArray<Row>, field: string, direction: Direction, key = getKey): ReadonlyArray<Row> => {
  const compare = (a: string, b: string) => {
    if (field === "id") return compareIds(a, b)
    if (textFields.has(field) || a.startsWith("0x")) return compareText(a, b)
    if (a === "" || b === "") return Number(b === "") - Number(a === "")
    return compareNumbers(a, b)
  }
  const sign = direction === "asc" ? 1 : -1
  return rows.toSorted((a, b) => sign * compare(key(a, field), key(b, field)) || compareIds(idOf(a), idOf(b)))
}

const Arrays = Schema.Record(Schema.String, Schema.Unknown)
const decodeRows = Schema.decodeUnknownSync(Rows)

/** The arrays of a response by name; a list is one without a name. */
const toArrays = (body: unknown): ReadonlyArray<readonly [name: string, rows: ReadonlyArray<Row>]> =>
  Array.isArray(body)
    ? [["", decodeRows(body)]]
    : Object.entries(Schema.decodeUnknownSync(Arrays)(body)).flatMap(([name, value]) =>
        Array.isArray(value) ? [[name, decodeRows(value)] as const] : []
      )

const separator = (path: string) => (path.includes("?") ? "&" : "?")

/** The pages of a size, concatenated: each array by its name. */
const inPages = Effect.fnUntraced(function* (path: string, size: number) {
  const all = new Map<string, Array<Row>>()
  for (let skip = 0; ; skip += size) {
    const page = toArrays(yield* answer(`${path}${separator(path)}limit=${size}&skip=${skip}`))
    for (const [name, rows] of page) {
      assert.isAtMost(rows.length, size, path)
      all.set(name, [...(all.get(name) ?? []), ...rows])
    }
    if (page.every(([, rows]) => rows.length < size)) return Object.fromEntries(all)
  }
})

/** Every page of every size, of every order, equals the part of the whole list in the oracle's order. */
const checkOrders = Effect.fnUntraced(function* (
  path: string,
  fields: ReadonlyArray<string>,
  sizes: ReadonlyArray<number>,
  expected: (all: ReadonlyArray<Row>, field: string, direction: Direction) => ReadonlyArray<Row>
) {
  const all = Object.fromEntries(toArrays(yield* answer(`${path}${separator(path)}limit=1000`)))
  for (const field of fields) {
    for (const direction of directions) {
      const orders = direction === "asc" ? ["", "&orderDirection=asc"] : ["&orderDirection=desc"]
      for (const size of sizes) {
        const order = orders[size % orders.length] ?? ""
        const read = yield* inPages(`${path}${separator(path)}orderBy=${field}${order}`, size)
        assert.deepStrictEqual(Object.keys(read), Object.keys(all))
        for (const [name, rows] of Object.entries(all)) {
          const ids = expected(rows, field, direction).map(idOf)
          const what = `${path} ${name} by ${field} ${direction} in pages of ${size}`
          assert.deepStrictEqual((read[name] ?? []).map(idOf), ids, what)
          assert.strictEqual(new Set(ids).size, rows.length, what)
        }
      }
    }
  }
})

/** The order of trades: `pool` by the address that the record belongs to; arrays without the field newest first. */
const tradeOrder = (lines: ReadonlyArray<ExpectedLine>) => {
  const records = tradesUpTo(lines, Number.POSITIVE_INFINITY)
  const toPool = new Map(records.map(({ id, pool }) => [id, pool ?? ""]))
  const place = new Map(records.map(({ id }, at) => [id, at]))
  return (all: ReadonlyArray<Row>, field: string, direction: Direction) => {
    const [first] = all
    if (field === "pool") return sorted(all, field, direction, (row) => toPool.get(idOf(row)) ?? "")
    if (first === undefined || field in first) return sorted(all, field, direction)
    return all.toSorted((a, b) => (place.get(idOf(a)) ?? 0) - (place.get(idOf(b)) ?? 0))
  }
}

/** The values, the most frequent first. */
const busiest = (values: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1]).map(([value]) => value)
}

/** The blocks at which each chain is read: in "basic" 11 a pool has no price yet. */
const blocks: Readonly<Record<RecordedName, ReadonlyArray<number>>> = {
  basic: [11, 62],
  market: runsMany ? [60, 384] : [384]
}
/** Reading every page of hundreds of trades takes too long. */
const blocksOfTrades = runsMany ? [60, 62] : [62]

/** The laws of every order of a recorded chain. */
export const orderLaws = (it: Vitest.MethodsNonLive<Recorded | RunningService>, name: RecordedName): void => {
  for (const block of blocks[name]) {
    const at = `?block=${block}`

    it.effect(
      `tokens by every field at ${block}`,
      () =>
        Effect.gen(function* () {
          const path = `${base}/tokens${at}`
          const plain = DexOperations.tokens.query.orderBy.fields.filter((field) => field !== "logo")
          yield* checkOrders(path, plain, sizes.lists, sorted)
          yield* checkOrders(`${path}&logo=true`, ["logo"], sizes.lists, sorted)
          const byDefault = yield* toRows(path)
          assert.isAtLeast(byDefault.length, 2)
          assert.deepStrictEqual(byDefault, sorted(byDefault, "totalValueLockedUSD", "desc"))
        }),
      180_000
    )

    it.effect(
      `pools by every field at ${block}`,
      () =>
        Effect.gen(function* () {
          const path = `${base}/pools${at}`
          yield* checkOrders(path, DexOperations.pools.query.orderBy.fields, sizes.lists, sorted)
          const byDefault = yield* toRows(path)
          assert.isAtLeast(byDefault.length, 2)
          assert.deepStrictEqual(byDefault, sorted(byDefault, "totalValueLockedUSD", "desc"))
          const ticks = byDefault.map((row) => row["tick"])
          if (block === 11) assert.include(ticks, "")
        }),
      180_000
    )

    if (!blocksOfTrades.includes(block)) continue

    it.effect(
      `trades of a token and of a pool by every field at ${block}`,
      () =>
        Effect.gen(function* () {
          const { lines } = yield* Recorded
          const records = tradesUpTo(lines, block)
          const trades = records.filter(({ type }) => type === "swap")
          const [pool] = busiest(trades.map((line) => line.pool ?? ""))
          const [token] = busiest(trades.map(({ fields }) => String(Object(Object(fields["pool"])["token0"])["id"])))
          for (const path of [`${base}/pool/${pool}/trades${at}`, `${base}/token/${token}/trades${at}`]) {
            yield* checkOrders(path, DexOperations.poolTrades.query.orderBy.fields, sizes.trades, tradeOrder(lines))
            for (const [array, rows] of toArrays(yield* answer(`${path}&limit=1000`))) {
              const inOrder = records.map(({ id }) => id)
              const ids = rows.map(idOf)
              assert.deepStrictEqual(
                ids,
                inOrder.filter((id) => ids.includes(id)),
                array
              )
            }
          }
        }),
      300_000
    )
  }
}

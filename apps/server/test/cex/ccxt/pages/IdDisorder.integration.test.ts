import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Tape } from "../CoinbaseStub.ts"
import { evenTape, from, ids, market, range, start, withSandbox } from "../Sandbox.ts"

const pages = (requests: ReadonlyArray<string>) => requests.filter((path) => path.includes("/trades")).length

/** A trade every second, some of them with another time. */
const misdated = (offsets: Readonly<Record<number, number>>, last = 5000): Tape => ({
  last,
  getTime: (id) => start + id * 1000 + (offsets[id] ?? 0)
})

describe("trades since a time, at an exchange that misdates some", () => {
  it.live("include those before an older trade that begins the newest page", () =>
    withSandbox(misdated({ 4001: -60_000, 4002: -60_000 }), (source) =>
      Effect.gen(function* () {
        const found = yield* source.trades("sandbox", market, from(start + 3_990_000, 5))
        assert.deepStrictEqual([ids(found), found.completeness], [range(3990, 3994), "complete"])
      })
    )
  )

  it.live("include those before an older trade that an earlier search remembers", () =>
    withSandbox(misdated({ 4001: -600_000 }), (source) =>
      Effect.gen(function* () {
        yield* source.trades("sandbox", market, from(start + 500_000, 1))
        const found = yield* source.trades("sandbox", market, from(start + 3_500_000, 3))
        assert.deepStrictEqual([ids(found), found.completeness], [[3500, 3501, 3502], "complete"])
      })
    )
  )

  it.live("are searched again where many come before an older trade", () =>
    withSandbox(misdated({ 199_001: -190_000_000 }, 200_000), (source, stub) =>
      Effect.gen(function* () {
        const found = yield* source.trades("sandbox", market, from(start + 100_000_000, 3))
        assert.deepStrictEqual([ids(found), found.completeness], [range(100_000, 100_002), "complete"])
        assert.isAtMost(pages(stub.requests), 15)
      })
    )
  )

  it.live("are incomplete if one that is too new hides how many follow", () =>
    withSandbox(misdated({ 2000: 3_600_000 }), (source) =>
      Effect.gen(function* () {
        yield* source.trades("sandbox", market, from(start + 2_000_000, 1))
        const found = yield* source.trades("sandbox", market, from(start + 2_400_000, 3))
        assert.deepStrictEqual([ids(found), found.completeness], [[2000], "incomplete"])
      })
    )
  )

  it.live("are complete if the newest trade of the exchange is one that is too old", () =>
    withSandbox(misdated({ 5000: -1500 }), (source) =>
      Effect.gen(function* () {
        const found = yield* source.trades("sandbox", market, from(start + 4_999_000, 5))
        assert.deepStrictEqual([ids(found), found.completeness], [[4999], "complete"])
      })
    )
  )
})

describe("trades since a time, at an exchange that does not serve an id yet", () => {
  it.live("are incomplete if only one that is too old is newer", () =>
    withSandbox({ ...misdated({ 5000: -2500 }), left: new Set([4999]) }, (source) =>
      Effect.gen(function* () {
        const found = yield* source.trades("sandbox", market, from(start + 4_998_000, 5))
        assert.deepStrictEqual([ids(found), found.completeness], [[4998], "incomplete"])
      })
    )
  )
})

describe("trades since a time, at a well-ordered exchange", () => {
  it.live("cost one request where an earlier search knows the trade before the first", () =>
    withSandbox(
      evenTape(200_000),
      (source, stub) =>
        Effect.gen(function* () {
          const read = from(start + 77_777_000, 10)
          yield* source.trades("sandbox", market, read)
          const before = pages(stub.requests)
          const found = yield* source.trades("sandbox", market, read)
          assert.deepStrictEqual([ids(found), found.completeness], [range(77_777, 77_786), "complete"])
          assert.strictEqual(pages(stub.requests) - before, 1)
        }),
      { limits: { freshMs: 60_000 } }
    )
  )
})

import { type Answer, Decimal, type PoolTick } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { TickPage } from "../../../../src/dex/pool/depth/Ticks.ts"
import { maxTicks, pageSize, readTicks } from "../../../../src/dex/pool/depth/Ticks.ts"

const toTick = (tick: number): PoolTick => ({
  tick: Decimal.make(tick),
  liquidityGross: Decimal.make(1),
  liquidityNet: Decimal.make(1)
})

/** A pool with so many ticks, and the pages that were read of it. */
const makePool = (count: number) => {
  const pages: Array<TickPage> = []
  const read = (page: TickPage) =>
    Effect.sync((): Answer<ReadonlyArray<PoolTick>> => {
      pages.push(page)
      const length = Math.max(0, Math.min(page.limit, count - page.skip))
      return {
        value: Array.from({ length }, (_, index) => toTick(page.skip + index)),
        requestId: Option.none(),
        source: Option.none(),
        coverage: Option.none(),
        asOf: Option.some({ number: 61n, hash: "0x", finalized: false, proven: true }),
        candleClosed: Option.none(),
        remaining: Option.none(),
        resetAfterMs: Option.none()
      }
    })
  return { pages, read }
}

describe("the ticks of a pool", () => {
  for (const [count, reads] of [
    [0, 1],
    [pageSize - 1, 1],
    [pageSize, 2],
    [2 * pageSize + 1, 3]
  ] as const)
    it.effect(`are all read, in order: ${count} in ${reads} pages`, () =>
      Effect.gen(function* () {
        const { pages, read } = makePool(count)
        const { value } = yield* readTicks(read)
        assert.deepStrictEqual(
          value.map(({ tick }) => Number(tick)),
          Array.from({ length: count }, (_, tick) => tick)
        )
        assert.lengthOf(pages, reads)
      })
    )

  it.effect("are of the block of the first page", () =>
    Effect.gen(function* () {
      const { pages, read } = makePool(2 * pageSize + 1)
      yield* readTicks(read)
      assert.deepStrictEqual(
        pages.map(({ block }) => block),
        [undefined, 61, 61]
      )
    })
  )

  it.effect("are read up to a limit", () =>
    Effect.gen(function* () {
      const { value } = yield* readTicks(makePool(maxTicks + 1).read)
      assert.lengthOf(value, maxTicks)
    })
  )
})

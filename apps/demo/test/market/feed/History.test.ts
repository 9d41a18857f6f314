import type { Timeframe } from "@chaintape/core"
import { timeframeSeconds } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import type { History } from "../../../src/market/feed/History.ts"
import { readHistory } from "../../../src/market/feed/History.ts"
import { toLonger } from "../../../src/market/feed/Minutes.ts"
import { candlesOf, cexOf, listing, makeWorld } from "./World.ts"

const hour = 3_600_000

/** Unix milliseconds: 90 minutes after the start of a day. */
const before = 1_700_006_400_000 + 1.5 * hour

describe("the candles of a market before a minute", () => {
  for (const timeframe of ["1m", "5m", "1h", "1d"] satisfies ReadonlyArray<Timeframe>)
    it.effect(`are followed by candles built from the later trades: ${timeframe}`, () =>
      Effect.gen(function* () {
        const world = makeWorld()
        const length = timeframeSeconds[timeframe]
        const from = before - 1200 * length * 1000
        const count = 5000
        for (let id = 0; id < count; id += 1)
          world.rows.push({ id, at: Math.round(from + ((before + hour - from) * id) / count) })
        const request = { ...listing, timeframe, before, limit: 500 }
        const read = (last: History | undefined) =>
          Stream.runLast(readHistory(request, Effect.void)(last)).pipe(
            Effect.provide(cexOf(world)),
            Effect.flatMap(Effect.fromOption)
          )
        const history = yield* read(undefined)
        const minutes = candlesOf(
          world.rows.filter(({ at }) => at >= before),
          60
        )
        assert.deepStrictEqual(
          [...history.candles, ...toLonger([...history.minutes, ...minutes], length)],
          candlesOf(world.rows, length)
        )
        const asked = world.asked.length
        assert.strictEqual(asked, timeframe === "1h" || timeframe === "1d" ? 5 : 4)
        // A whole history is not read again.
        yield* Stream.runDrain(readHistory(request, Effect.void)(history)).pipe(Effect.provide(cexOf(world)))
        assert.lengthOf(world.asked, asked)
      })
    )

  it.effect("are not proven where nothing is recorded", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      world.isVerifiable = false
      for (let id = 0; id < 200; id += 1) world.rows.push({ id, at: before - (200 - id) * 60_000 })
      const request = { ...listing, timeframe: "1m", before, limit: 500 } as const
      const history = yield* Stream.runHead(readHistory(request, Effect.void)(undefined)).pipe(
        Effect.provide(cexOf(world)),
        Effect.flatMap(Effect.fromOption)
      )
      assert.lengthOf(history.candles, 200)
      assert.isTrue(history.candles.every(({ isProven }) => !isProven))
    })
  )

  it.effect("are read further back on demand only", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      for (let id = 0; id < 2000; id += 1) world.rows.push({ id, at: before - (2000 - id) * 60_000 })
      const request = { ...listing, timeframe: "1m", before, limit: 500 } as const
      yield* readHistory(
        request,
        Effect.never
      )(undefined).pipe(Stream.take(1), Stream.runDrain, Effect.provide(cexOf(world)))
      assert.lengthOf(world.asked, 1)
    })
  )

  it.effect("are read again after a failure without a further demand", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      const rows = Array.from({ length: 2000 }, (_, id) => ({ id, at: before - (2000 - id) * 60_000 }))
      const request = { ...listing, timeframe: "1m", before, limit: 500 } as const
      let demands = 1
      const demand = Effect.suspend(() => (demands-- > 0 ? Effect.void : Effect.die("nothing is wanted")))
      const open = readHistory(request, demand)
      const read = (last: History | undefined) => Stream.provide(open(last), cexOf(world))
      world.rows = rows
      const first = yield* Stream.runHead(read(undefined)).pipe(Effect.flatMap(Effect.fromOption))
      // Its price is no number.
      world.rows = rows.map(({ at }) => ({ id: Number.NaN, at }))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(Stream.runDrain(read(first)))))
      world.rows = rows
      const again = yield* Stream.runHead(read(first)).pipe(Effect.flatMap(Effect.fromOption))
      assert.lengthOf(again.candles, 1000)
    })
  )
})

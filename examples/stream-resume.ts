// A program that may be stopped at any time: it stores what it has read together with the cursor.
import { Cex, CexStream } from "@chaintape/cex"
import { Market } from "@chaintape/core"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, DateTime, Effect, Option, Ref, Stream } from "effect"

// #region stream-resume
interface Progress {
  readonly trades: number
  readonly mayLack: number
  readonly cursor: string | undefined
}

/** Stands for a database, in which the trades and the cursor are written in one transaction. */
const kept = Ref.makeUnsafe<Progress>({ trades: 0, mayLack: 0, cursor: undefined })

const keep = ({ coverage, cursor, trades }: CexStream.TradePage) =>
  Ref.update(kept, (before) => ({
    trades: before.trades + trades.length,
    mayLack: before.mayLack + (Option.exists(coverage, ({ state }) => state === "complete") ? 0 : 1),
    cursor
  }))

const run = (since: DateTime.Utc) =>
  Effect.gen(function* () {
    const { cursor } = yield* Ref.get(kept)
    return CexStream.tradePages({ exchange: "sandbox", market: Market.make("BTC/USD"), since, pageSize: 500, cursor })
  }).pipe(Stream.unwrap)
// #endregion

const program = Effect.gen(function* () {
  const since = DateTime.subtract(yield* DateTime.now, { hours: 1 })
  yield* Stream.runForEach(Stream.take(run(since), 2), keep)
  yield* Stream.runForEach(run(since), keep)
  const { mayLack, trades } = yield* Ref.get(kept)
  yield* Console.log(`${trades} trades in two runs; ${mayLack} pages may lack some`)
})

program.pipe(Effect.provide(Cex.layerConfig()), NodeRuntime.runMain)

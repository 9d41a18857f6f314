// The blocks of the last five minutes.
// #region recent-blocks
import { Blocks } from "@chaintape/blocks"
import { Console, DateTime, Effect } from "effect"

const program = Effect.gen(function* () {
  const { blocks } = yield* Blocks
  const from = DateTime.subtract(yield* DateTime.now, { minutes: 5 })
  const recent = yield* blocks({ blockchain: "devnet", from, limit: 1000 })
  for (const { gasUsed, number, timestamp } of recent.slice(0, 3)) {
    yield* Console.log(`block ${number} of ${DateTime.formatIso(timestamp)} used ${gasUsed} gas`)
  }
  yield* Console.log(`${recent.length} blocks in five minutes`)
})

await Effect.runPromise(Effect.provide(program, Blocks.layerConfig()))
// #endregion

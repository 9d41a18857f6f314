// The blocks of the last five minutes.
import { Blocks } from "@chaintape/blocks"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, DateTime, Effect } from "effect"

// #region recent-blocks
const program = Effect.gen(function* () {
  const { blocks } = yield* Blocks
  const from = DateTime.subtract(yield* DateTime.now, { minutes: 5 })
  const recent = yield* blocks({ blockchain: "devnet", from, limit: 1000 })
  for (const { gasLimit, gasUsed, number, timestamp } of recent.slice(0, 3)) {
    yield* Console.log(`${number} ${DateTime.formatIso(timestamp)} gas ${(gasUsed * 100n) / gasLimit} %`)
  }
  yield* Console.log(`${recent.length} blocks since ${DateTime.formatIso(from)}`)
})
// #endregion

program.pipe(Effect.provide(Blocks.layerConfig()), NodeRuntime.runMain)

// The gas of every block of a time window, all from one branch of the chain.
import { Blocks, BlocksStream } from "@chaintape/blocks"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Stream } from "effect"

// #region stream-blocks
const gas = BlocksStream.blocks({ blockchain: "devnet", block: 30, pageSize: 10 }).pipe(
  Stream.runFold(
    () => ({ blocks: 0, gas: 0n }),
    (sum, { gasUsed }) => ({ blocks: sum.blocks + 1, gas: sum.gas + gasUsed })
  )
)
// #endregion

const program = Effect.flatMap(gas, (sum) => Console.log(`${sum.gas} gas in ${sum.blocks} blocks`))

program.pipe(Effect.provide(Blocks.layerConfig()), NodeRuntime.runMain)

// Every pool as of one block, on any number of pages, while the chain continues.
import { Dex, DexStream } from "@chaintape/dex"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Schedule, Stream } from "effect"

// #region stream-pools
const count = DexStream.poolPages({ exchange: "uniswap-v3", blockchain: "devnet", pageSize: 2 }).pipe(
  Stream.runFold(
    () => ({ pools: 0, block: 0n }),
    ({ pools }, { asOf, items }) => ({ pools: pools + items.length, block: asOf.number })
  ),
  // A reorg removed the block: the stream starts again, as of a block of the new branch.
  Effect.retry({ while: ({ _tag }) => _tag === "BlockReplaced", schedule: Schedule.spaced("1 second"), times: 5 })
)
// #endregion

const program = Effect.flatMap(count, ({ block, pools }) => Console.log(`${pools} pools as of block ${block}`))

program.pipe(Effect.provide(Dex.layerConfig()), NodeRuntime.runMain)

// The new blocks and swaps of a chain, and the reorgs that remove some of them.
import { Blocks, BlocksStream } from "@chaintape/blocks"
import { Client } from "@chaintape/core"
import { Dex, DexStream } from "@chaintape/dex"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Layer, Stream } from "effect"

// #region stream-live-blocks
const newest = BlocksStream.liveBlocks({ blockchain: "devnet" }).pipe(
  Stream.scan(
    () => new Map<bigint, bigint>(),
    (gasUsed, event) => {
      if (event._tag === "Block") return new Map(gasUsed).set(event.block.number, event.block.gasUsed)
      // These blocks were removed; the blocks of the new branch follow.
      return new Map([...gasUsed].filter(([number]) => number < event.from))
    }
  ),
  Stream.takeUntil((gasUsed) => gasUsed.size >= 3)
)
// #endregion

// #region stream-live-swaps
const place = { exchange: "uniswap-v3", blockchain: "devnet" }

const firstSwap = Effect.gen(function* () {
  const { pools } = yield* Dex
  const [busiest] = yield* pools({ ...place, orderBy: "txCount", orderDirection: "desc", limit: 1 })
  if (busiest === undefined) return 0n
  const [event] = yield* DexStream.liveSwaps({ ...place, pool: busiest.id }).pipe(
    Stream.filter((event) => event._tag === "Swap"),
    Stream.take(1),
    Stream.runCollect
  )
  return event?.block ?? 0n
})
// #endregion

const program = Effect.gen(function* () {
  const blocks = yield* Stream.runLast(newest)
  yield* Console.log(`${blocks._tag === "Some" ? blocks.value.size : 0} blocks followed`)
  yield* Console.log(`a swap in block ${yield* firstSwap}`)
})

const clients = Layer.merge(Blocks.layerNoDeps, Dex.layerNoDeps).pipe(Layer.provide(Client.layerConfig()))

program.pipe(Effect.provide(clients), NodeRuntime.runMain)

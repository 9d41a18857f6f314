import { Client, PoolAddress } from "@chaintape/core"
import { asOfBlock } from "@chaintape/core/testing"
import { Dex, DexStream } from "@chaintape/dex"
import { DexTest } from "@chaintape/dex/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

const pool = PoolAddress.make(`0x${"a".repeat(40)}`)

describe("scripted live swaps", () => {
  it.effect("arrive with their pool and block, and a reorg names the block on both branches", () =>
    Effect.gen(function* () {
      const layer = Dex.layerNoDeps.pipe(
        Layer.provide(Client.layerNoDeps({ baseUrl: "http://service.test" })),
        Layer.provide(
          DexTest.layerHttp({
            head: 5,
            poolTrades: {},
            liveSwaps: Stream.make(
              { swap: DexTest.swap({ id: "a#1", logIndex: "1" }), block: 6 },
              { swap: DexTest.swap({ id: "b#0", logIndex: "0" }), block: 7 },
              { reorg: { commonAncestor: 6 } }
            )
          })
        )
      )
      const events = yield* DexStream.liveSwaps({ exchange: "uniswap-v3", blockchain: "devnet", pool }).pipe(
        Stream.take(3),
        Stream.runCollect,
        Effect.provide(layer)
      )
      assert.deepStrictEqual(
        events.map((event) =>
          event._tag === "Swap" ? [event.swap.id, event.pool, event.block] : event.commonAncestor
        ),
        [["a#1", pool, 6n], ["b#0", pool, 7n], { number: 6n, hash: asOfBlock(6).hash }]
      )
    })
  )
})

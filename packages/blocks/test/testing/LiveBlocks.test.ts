import { Blocks, BlocksStream } from "@chaintape/blocks"
import { BlocksTest } from "@chaintape/blocks/testing"
import { Client } from "@chaintape/core"
import { asOfBlock } from "@chaintape/core/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

const block = (number: number) => BlocksTest.block({ number: BigInt(number) })

describe("scripted live blocks", () => {
  it.effect("arrive in order, and a reorg names the block on both branches", () =>
    Effect.gen(function* () {
      const other = `0x${"b".repeat(64)}`
      const layer = Blocks.layerNoDeps.pipe(
        Layer.provide(Client.layerNoDeps({ baseUrl: "http://service.test" })),
        Layer.provide(
          BlocksTest.layerHttp({
            blocks: [block(5)],
            liveBlocks: Stream.make(
              { block: block(6) },
              { block: block(7) },
              { reorg: { commonAncestor: 6 } },
              { block: block(7), hash: other },
              { block: block(8) }
            )
          })
        )
      )
      const events = yield* BlocksStream.liveBlocks({ blockchain: "devnet" }).pipe(
        Stream.take(5),
        Stream.runCollect,
        Effect.provide(layer)
      )
      assert.deepStrictEqual(
        events.map((event) => (event._tag === "Block" ? event.block.number : event.commonAncestor)),
        [6n, 7n, { number: 6n, hash: asOfBlock(6).hash }, 7n, 8n]
      )
    })
  )
})

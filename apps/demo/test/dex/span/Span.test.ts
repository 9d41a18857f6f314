import { BlocksTest } from "@chaintape/blocks/testing"
import { Cex } from "@chaintape/cex"
import { Client, UpstreamFailed } from "@chaintape/core"
import { Dex } from "@chaintape/dex"
import { DexTest } from "@chaintape/dex/testing"
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readSpanStates } from "../../../src/dex/span/Span.ts"

const head = 200
const genesis = DateTime.makeUnsafe("2026-01-01T00:00:00Z")

/** A block each hour. */
const blocks = Array.from({ length: head }, (_, index) =>
  BlocksTest.block({ number: BigInt(index + 1), timestamp: DateTime.add(genesis, { hours: index }) })
)

const deployment = { exchange: "uniswap-v3", blockchain: "devnet" }
const newest = { deployment, block: undefined, version: "" }

/** The pool exists from a block on; its volume is the number of the block. */
const poolFrom = (created: number) =>
  DexTest.layer({
    head,
    pools: ({ block = head }) => (Number(block) < created ? [] : [DexTest.pool({ volumeUSD: String(block) })])
  })

const read = (block: number | undefined) =>
  Effect.flatMap(Dex, (dex) => dex.withResponse.pools(block === undefined ? deployment : { ...deployment, block }))

const noTrades = Cex.layerNoDeps.pipe(Layer.provide(Client.layer({ baseUrl: "http://127.0.0.1:1" })))

const layers = (created: number, script: BlocksTest.BlocksScript = { blocks }) =>
  Layer.mergeAll(poolFrom(created), BlocksTest.layer(script), noTrades)

const compare = (moment: Parameters<typeof readSpanStates>[0]) =>
  Effect.map(readSpanStates(moment, read), ({ value }) => ({
    end: value?.end.block,
    starts: value?.starts.map((start) => start && [start.block, String(start.value.volumeUSD)])
  }))

describe("the states that spans compare", () => {
  it.effect("are those of the newest block that is a day, and a week, older than the end", () =>
    Effect.gen(function* () {
      const found = yield* compare(newest)
      assert.deepStrictEqual(found, {
        end: 200n,
        starts: [
          [176n, "176"],
          [32n, "32"]
        ]
      })
    }).pipe(Effect.provide(layers(1)))
  )

  it.effect("are before the block of the page, not before the newest one", () =>
    Effect.gen(function* () {
      const { end, starts } = yield* compare({ ...newest, block: 180 })
      assert.strictEqual(end, 180n)
      assert.deepStrictEqual(starts, [
        [156n, "156"],
        [12n, "12"]
      ])
    }).pipe(Effect.provide(layers(1)))
  )

  it.effect("are unknown before the pool was created and before the first block", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* compare(newest)).starts, [[176n, "176"], undefined])
      assert.deepStrictEqual((yield* compare({ ...newest, block: 110 })).starts, [undefined, undefined])
    }).pipe(Effect.provide(layers(100)))
  )

  it.effect("are not known if the service does not read the blocks of the chain", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* compare(newest), { end: undefined, starts: undefined })
    }).pipe(Effect.provide(layers(1, { blocks: [] })))
  )

  it.effect("fail with the problem of a node, instead of a figure that is not known", () =>
    Effect.gen(function* () {
      const { _tag } = yield* Effect.flip(compare(newest))
      assert.strictEqual(_tag, "UpstreamFailed")
    }).pipe(
      Effect.provide(
        layers(1, {
          blocks: Effect.fail(new UpstreamFailed({ source: "devnet", reason: "refused", detail: "It fails." }))
        })
      )
    )
  )
})

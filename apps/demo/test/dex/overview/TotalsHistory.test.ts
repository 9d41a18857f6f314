import { InvalidApiKey } from "@chaintape/core"
import { DexTest } from "@chaintape/dex/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readTotals, spreadBlocks } from "../../../src/dex/overview/TotalsHistory.ts"

const deployment = { exchange: "uniswap-v3", blockchain: "ethereum" }
const first = 12_369_739
const head = 20_000_000

const address = (digit: string) => `0x${digit.repeat(40)}`

const totals = {
  id: address("1"),
  poolCount: "2",
  txCount: "0",
  totalVolumeUSD: "0",
  untrackedVolumeUSD: "0",
  totalVolumeETH: "0",
  totalValueLockedUSD: "5",
  totalValueLockedETH: "0",
  totalFeesUSD: "0",
  totalFeesETH: "0",
  owner: address("0")
}

const pools = [DexTest.pool({ createdAtBlockNumber: String(first) })]

describe("the history of the totals", () => {
  it("has blocks from the first to the newest one", () => {
    assert.deepStrictEqual(spreadBlocks(100, 110), [100, 103, 105, 108, 110])
    const blocks = spreadBlocks(first, head)
    assert.deepStrictEqual([blocks.length, blocks[0], blocks.at(-1)], [25, first, head])
  })

  it.effect("begins at the block of the first pool", () =>
    Effect.gen(function* () {
      const history = yield* readTotals(deployment, head)
      assert.strictEqual(history.first, first)
      assert.deepStrictEqual(
        history.points.map(({ block }) => block),
        spreadBlocks(first, head)
      )
    }).pipe(Effect.provide(DexTest.layer({ head, pools, deployments: [totals] })))
  )

  it.effect("lacks the blocks that the service does not read", () =>
    Effect.gen(function* () {
      const { points } = yield* readTotals(deployment, head + 100)
      assert.deepStrictEqual(
        points.map(({ block }) => block),
        spreadBlocks(first, head + 100).slice(0, -1)
      )
    }).pipe(Effect.provide(DexTest.layer({ head, pools, deployments: [totals] })))
  )

  it.effect("fails with another problem than a block that is not read", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(readTotals(deployment, head))
      assert.strictEqual(error._tag, "InvalidApiKey")
    }).pipe(
      Effect.provide(
        DexTest.layer({
          head,
          pools,
          deployments: () => Effect.fail(new InvalidApiKey({ detail: "The key is unknown." }))
        })
      )
    )
  )
})

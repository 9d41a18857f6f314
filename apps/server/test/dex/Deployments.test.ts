import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { Deployments } from "../../src/dex/Deployments.ts"
import { DexSource, DexSourceError } from "../../src/dex/DexSource.ts"
import type { DexView } from "../../src/dex/DexSource.ts"
import { toViewError } from "../../src/dex/ViewError.ts"
import { SourceHealth } from "../../src/sources/SourceHealth.ts"

const reorged = new DexSourceError({ source: "uniswap-v3/testnet", reason: "Reorged", message: "A reorg removed it." })

const unused = () => Effect.die(new Error("not read"))

/** The state as of a block whose pools a reorg removes, up to this block. */
const toView = (block: number, reorgs: number): DexView => ({
  asOf: { number: block, hash: undefined, finalized: false, proven: undefined },
  hasPool: () => (block <= reorgs ? Effect.fail(reorged) : Effect.succeed(true)),
  deployment: Effect.succeedNone,
  tokens: unused,
  pools: unused,
  hasToken: unused,
  trades: unused,
  candles: unused,
  ticks: unused
})

/** Deployments with one whose head is a new block for each view. */
const withReorgs = (reorgs: number) => {
  let head = 0
  const source = DexSource.of({
    view: () => Effect.sync(() => toView(++head, reorgs)),
    watchUnchanged: () => Effect.succeed(undefined)
  })
  return Deployments.layer([
    { dex: "uniswap-v3", blockchain: "testnet", blockchainName: "Testnet", source: "index", ephemeral: false }
  ]).pipe(Layer.provide([Layer.succeed(DexSource, source), SourceHealth.layer([])]))
}

const readHead = Effect.gen(function* () {
  const deployments = yield* Deployments
  return yield* deployments.read("uniswap-v3", "testnet", Option.none(), ({ view }) =>
    Effect.as(Effect.mapError(view.hasPool("0xpool"), toViewError), view.asOf.number)
  )
})

describe("a read of a deployment", () => {
  it.effect("that reorgs interrupt begins again with a new view, three times", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* readHead, 4)
    }).pipe(Effect.provide(withReorgs(3)))
  )

  it.effect("that reorgs interrupt each time fails, and can be repeated", () =>
    Effect.gen(function* () {
      const problem = yield* Effect.flip(readHead)
      assert.strictEqual(problem._tag, "UpstreamBusy")
      assert.include(problem.detail, "A reorg removed it.")
    }).pipe(Effect.provide(withReorgs(4)))
  )
})

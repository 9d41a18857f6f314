import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Random } from "effect"
import { FetchHttpClient } from "effect/http"
import type { IndexConfig } from "../../../../src/dex/index/IndexConfig.ts"
import { makeIndexer } from "../../../../src/dex/index/run/Indexer.ts"
import { withLease } from "../../../ownership/TestLease.ts"
import { makeMemoryEntityStore } from "../store/MemoryEntityStore.ts"
import { readExpected, readScenario, replay } from "../synthetic/ScenarioChain.ts"
import type { ExpectedLine } from "../synthetic/ScenarioChain.ts"
import { allFollowed } from "./ContractComparison.ts"
import { indexLines } from "./IndexLines.ts"

const key = "uniswap-v3/anvil"

const compare = (actual: ReadonlyArray<ExpectedLine>, expected: ReadonlyArray<ExpectedLine>) => {
  for (const [index, line] of expected.entries()) assert.deepStrictEqual(actual[index], line)
  assert.strictEqual(actual.length, expected.length)
}

const scenarios = [
  ["basic", "basic.expected.jsonl"],
  ["market", "market.expected.jsonl.gz"]
] as const

/** Finality and blocks of the first batch. */
const ways = [
  [40, 500],
  [0, 500],
  [1000, 500],
  [40, 7],
  [3, 1]
] as const

describe("the recorded chains", () => {
  for (const [name, file] of scenarios) {
    it.live(
      `answer "${name}" digit by digit for every block, whatever the batches and restarts`,
      () =>
        Effect.gen(function* () {
          const expected = yield* readExpected(file)
          const scenario = yield* readScenario(name)
          const rpc = [yield* replay(scenario)]
          for (const [finality, blocks] of ways) {
            const config: IndexConfig = { ...scenario.config, key, blockchain: "anvil", rpc, finality }
            const store = makeMemoryEntityStore()
            const start = makeIndexer(config, { firstBlocks: blocks, rangesPerStep: blocks }).pipe(
              Effect.provide(store.layer)
            )
            let indexer = yield* start
            while ((yield* withLease(indexer.step)) === "advanced") {
              if (blocks < 500 && (yield* Random.next) < 0.3) indexer = yield* start
            }
            compare(indexLines(store.index(key)), expected)
            allFollowed(store.index(key))
          }
        }).pipe(Effect.scoped, Effect.provide([NodeServices.layer, FetchHttpClient.layer])),
      180_000
    )
  }
})

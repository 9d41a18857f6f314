import { NodeServices } from "@effect/platform-node"
import { Context, Effect, FileSystem, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { readExpected, readScenario, replay } from "./index/synthetic/ScenarioChain.ts"
import type { ExpectedLine } from "./index/synthetic/ScenarioChain.ts"
import { configOf, indexedService, untilIndexed } from "./IndexedService.ts"

const files = { basic: "basic.expected.jsonl", market: "market.expected.jsonl.gz" } as const
export type RecordedName = keyof typeof files

/** A recorded chain, and the expected records of its index. */
export class Recorded extends Context.Service<
  Recorded,
  {
    readonly first: number
    readonly head: number
    readonly rpc: string
    readonly config: Parameters<typeof configOf>[0]["config"]
    readonly lines: ReadonlyArray<ExpectedLine>
  }
>()("@chaintape/server/test/dex/Recorded") {
  static readonly layer = (name: RecordedName) =>
    Layer.effect(
      Recorded,
      Effect.gen(function* () {
        const scenario = yield* readScenario(name)
        return Recorded.of({
          first: scenario.config.startBlock,
          head: scenario.headNumber,
          config: scenario.config,
          rpc: yield* replay(scenario),
          lines: yield* readExpected(files[name])
        })
      })
    )
}

/** A service over a recorded chain, indexed to its head. */
export const overRecorded = (name: RecordedName) =>
  Layer.effectDiscard(Effect.flatMap(Recorded, ({ head }) => untilIndexed(head))).pipe(
    Layer.provideMerge(
      Layer.unwrap(
        Effect.gen(function* () {
          const { config, rpc } = yield* Recorded
          const files = yield* FileSystem.FileSystem
          return indexedService(configOf({ config }, [rpc]), `${yield* files.makeTempDirectoryScoped()}/database`)
        })
      )
    ),
    Layer.provideMerge(Recorded.layer(name)),
    Layer.provide([NodeServices.layer, FetchHttpClient.layer])
  )

const newestFirst = (lines: ReadonlyArray<ExpectedLine>) =>
  lines.toSorted((a, b) => b.block - a.block || Number(b.id.split("#")[1]) - Number(a.id.split("#")[1]))

/** The trades up to a block, the newest first. */
export const tradesUpTo = (lines: ReadonlyArray<ExpectedLine>, block: number) =>
  newestFirst(lines.filter((line) => line.pool !== undefined && line.block <= block))

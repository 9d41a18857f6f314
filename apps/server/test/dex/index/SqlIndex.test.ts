import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as SqlDexView from "../../../src/dex/index/SqlDexView.ts"
import * as SqlEntityStore from "../../../src/dex/index/SqlEntityStore.ts"
import * as SqlSwapSource from "../../../src/dex/index/SqlSwapSource.ts"
import * as Database from "../../../src/store/Database.ts"
import { leaseInStore } from "../../ownership/TestLease.ts"
import { historyLaws } from "./SqlHistoryLaws.ts"
import { readLaws } from "./SqlReadLaws.ts"
import { swapLaws } from "./SqlSwapLaws.ts"

const embedded = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "dex-index-"))),
      (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
    ),
    (directory) => Database.layer({ url: undefined, dataDir: join(directory, "pg") })
  )
)

// Epochs of a few versions, so that every history crosses some.
const index = Layer.mergeAll(
  SqlEntityStore.layerWith({ epochSize: 5 }),
  SqlDexView.layer,
  SqlSwapSource.layer,
  leaseInStore
)

layer(index.pipe(Layer.provideMerge(embedded)), { timeout: "3 minutes" })(
  "the index in the embedded database",
  (it) => {
    historyLaws(it)
    readLaws(it)
    swapLaws(it)
  }
)

import { describe, layer } from "@effect/vitest"
import { Layer } from "effect"
import * as SqlDexView from "../../../src/dex/index/SqlDexView.ts"
import * as SqlEntityStore from "../../../src/dex/index/SqlEntityStore.ts"
import * as SqlSwapSource from "../../../src/dex/index/SqlSwapSource.ts"
import { serverDatabase } from "../../OwnDatabase.ts"
import { leaseInStore } from "../../ownership/TestLease.ts"
import { historyLaws } from "./SqlHistoryLaws.ts"
import { readLaws } from "./SqlReadLaws.ts"
import { swapLaws } from "./SqlSwapLaws.ts"

const server = process.env["DATABASE_URL"]

const index = Layer.mergeAll(
  SqlEntityStore.layerWith({ epochSize: 5 }),
  SqlDexView.layer,
  SqlSwapSource.layer,
  leaseInStore
)

describe.skipIf(server === undefined)("the index in PostgreSQL", () => {
  layer(index.pipe(Layer.provideMerge(serverDatabase(server ?? ""))), { timeout: "3 minutes" })((it) => {
    historyLaws(it)
    readLaws(it)
    swapLaws(it)
  })
})

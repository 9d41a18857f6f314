import { describe, layer } from "@effect/vitest"
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import * as SqlDexView from "../../../../src/dex/index/read/SqlDexView.ts"
import * as SqlSwapSource from "../../../../src/dex/index/read/SqlSwapSource.ts"
import * as SqlEntityStore from "../../../../src/dex/index/store/SqlEntityStore.ts"
import * as SqlRewinds from "../../../../src/dex/index/store/SqlRewinds.ts"
import { embeddedDatabase, serverDatabase } from "../../../OwnDatabase.ts"
import { leaseInStore } from "../../../ownership/TestLease.ts"
import { candleLaws } from "./SqlCandleLaws.ts"
import { historyLaws } from "./SqlHistoryLaws.ts"
import { readLaws } from "./SqlReadLaws.ts"
import { swapLaws } from "./SqlSwapLaws.ts"

const server = process.env["DATABASE_URL"]

// Epochs of a few versions, so that every history crosses some.
const index = Layer.mergeAll(
  SqlEntityStore.layerWith({ epochSize: 5 }),
  SqlDexView.layer,
  SqlSwapSource.layer([]),
  SqlRewinds.layer,
  leaseInStore
)

const lawsOver = (database: Layer.Layer<SqlClient.SqlClient, unknown>) =>
  layer(index.pipe(Layer.provideMerge(database)), { timeout: "3 minutes" })((it) => {
    historyLaws(it)
    readLaws(it)
    swapLaws(it)
    candleLaws(it)
  })

describe("the index in the embedded database", () => {
  lawsOver(embeddedDatabase)
})

describe.skipIf(server === undefined)("the index in PostgreSQL", () => {
  lawsOver(serverDatabase(server ?? ""))
})

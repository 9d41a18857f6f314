import { describe, layer } from "@effect/vitest"
import { embedded, onServer } from "../tape/store/TapeStores.ts"
import { historyLaws } from "./CandleHistoryLaws.ts"

const server = process.env["DATABASE_URL"]

describe("candle histories over the embedded database", () => {
  layer(embedded, { timeout: "120 seconds" })((it) => {
    historyLaws(it)
  })
})

describe.skipIf(server === undefined)("candle histories over PostgreSQL", () => {
  layer(onServer(server ?? ""), { timeout: "120 seconds" })((it) => {
    historyLaws(it)
  })
})

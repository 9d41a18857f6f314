import { describe, layer } from "@effect/vitest"
import { readLaws } from "./SqlTapeReadsLaws.ts"
import { embedded, onServer } from "./TapeStores.ts"

const server = process.env["DATABASE_URL"]

describe("reads of the tape in the embedded database", () => {
  layer(embedded, { timeout: "120 seconds" })((it) => {
    readLaws(it)
  })
})

describe.skipIf(server === undefined)("reads of the tape in PostgreSQL", () => {
  layer(onServer(server ?? ""), { timeout: "120 seconds" })((it) => {
    readLaws(it)
  })
})

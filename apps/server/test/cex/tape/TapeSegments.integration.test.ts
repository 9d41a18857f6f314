import { describe, layer } from "@effect/vitest"
import { segmentLaws } from "./TapeSegmentsLaws.ts"
import { embedded, onServer } from "./TapeStores.ts"

const server = process.env["DATABASE_URL"]

describe("segments of the tape in the embedded database", () => {
  layer(embedded, { timeout: "120 seconds" })((it) => {
    segmentLaws(it)
  })
})

describe.skipIf(server === undefined)("segments of the tape in PostgreSQL", () => {
  layer(onServer(server ?? ""), { timeout: "120 seconds" })((it) => {
    segmentLaws(it)
  })
})

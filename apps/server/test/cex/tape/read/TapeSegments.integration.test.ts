import { describe, layer } from "@effect/vitest"
import { embedded, onServer } from "../store/TapeStores.ts"
import { segmentLaws } from "./TapeSegmentsLaws.ts"

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

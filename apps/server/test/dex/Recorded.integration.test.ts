import { describe, layer } from "@effect/vitest"
import { orderLaws } from "./OrderLaws.ts"
import { overRecorded } from "./RecordedService.ts"
import { stateLaws } from "./StateLaws.ts"

for (const name of ["basic", "market"] as const) {
  describe(`the recorded chain "${name}" over HTTP, from the embedded store`, () => {
    layer(overRecorded(name), { excludeTestServices: true, timeout: "5 minutes" })((it) => {
      stateLaws(it)
      orderLaws(it, name)
    })
  })
}

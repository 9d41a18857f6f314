import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"
import { presets } from "../../../apps/demo/src/health/sandbox/FaultPresets.ts"
import { FaultSet } from "../../../apps/sandbox/src/exchange/faults/Fault.ts"

/** As the sandbox reads a set: without members that it does not know. */
const decodeFaultSet = Schema.decodeUnknownEffect(FaultSet, { errors: "all", onExcessProperty: "error" })

describe("the faults that the demo injects", () => {
  it.each(presets)("are faults of the sandbox: $title", ({ faults }) => {
    const read: object = Effect.runSync(decodeFaultSet({ faults }))
    assert.deepStrictEqual(read, { faults })
  })
})

import { assert, describe, it } from "@effect/vitest"
import { cutUpstream, findPreset, presets } from "../../../src/health/sandbox/FaultPresets.ts"

const toActive = (faults: ReadonlyArray<object>) => faults.map((fault) => ({ kind: "", ...fault, seen: 10, hits: 3 }))

describe("the preset of the active faults", () => {
  for (const preset of presets)
    it(`is found from its faults: ${preset.title}`, () => {
      assert.strictEqual(findPreset(toActive(preset.faults)), preset)
    })

  it("is none without a fault, with others, with more, and with further members", () => {
    const { faults } = cutUpstream
    assert.isUndefined(findPreset(toActive(faults.map((fault) => ({ ...fault, afterRequests: 2 })))))
    assert.isUndefined(findPreset([]))
    assert.isUndefined(findPreset(toActive([{ kind: "latency", milliseconds: 100 }])))
    assert.isUndefined(findPreset(toActive([...faults, { kind: "latency", milliseconds: 100 }])))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { DecimalText } from "../../../../src/dex/subgraph/query/DecimalText.ts"

const decode = Schema.decodeUnknownEffect(DecimalText)

const spellings: ReadonlyArray<readonly [unknown, string]> = [
  ["0", "0"],
  ["-0", "0"],
  ["-0.000", "0"],
  ["0E-18", "0"],
  ["00012", "12"],
  ["+7", "7"],
  ["100", "100"],
  ["1.50", "1.5"],
  ["-1.0", "-1"],
  ["1e3", "1000"],
  ["1.25E+3", "1250"],
  ["12.345e1", "123.45"],
  ["-1E-7", "-0.0000001"],
  ["123e-2", "1.23"],
  ["0.002494376173926250559652147618916728", "0.002494376173926250559652147618916728"],
  [10000, "10000"]
]

describe("DecimalText", () => {
  it.effect("has one spelling of each decimal", () =>
    Effect.forEach(spellings, ([written, canonical]) =>
      Effect.map(decode(written), (read) => assert.strictEqual(read, canonical))
    )
  )

  it.effect("refuses what is no decimal, and an exponent that would fill the memory", () =>
    Effect.forEach(["", "abc", "1.", ".5", "NaN", "1e99999", "0x10", 1.5, null], (written) =>
      Effect.map(Effect.flip(decode(written)), (error) => assert.strictEqual(error._tag, "SchemaError"))
    )
  )
})

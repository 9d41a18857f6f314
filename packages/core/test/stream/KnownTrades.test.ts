import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { makeByteReader, makeByteWriter } from "../../src/internal/pagination/bytes.ts"
import { readKnown, writeKnown } from "../../src/internal/trades/knownTrades.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const bytesOf = (ids: ReadonlyArray<string>): Uint8Array => {
  const writer = makeByteWriter()
  writeKnown(writer, ids)
  return Uint8Array.from(writer.bytes)
}

const amongOf = (known: ReadonlyArray<string>, all: ReadonlyArray<string>) =>
  readKnown(makeByteReader(bytesOf(known)))?.among(all)

/** Ids of which nothing follows from another. */
const textId = (seed: number, index: number) => `${(seed * 7919 + index * 104_729).toString(36)}-${index % 7}`

describe("the known trades of a cursor", () => {
  it.prop(
    "are found among all where up to six others appear, whatever the ids",
    [between(0, 3000), between(0, 1_000_000), Schema.Array(between(0, 3000)).check(Schema.isMaxLength(6))],
    ([count, seed, late]) => {
      const all = Array.from({ length: count }, (_, index) => textId(seed, index))
      const others = new Set(late.flatMap((at) => all[at] ?? []))
      const known = all.filter((id) => !others.has(id))
      assert.isAtMost(bytesOf(known).length, 100)
      assert.deepStrictEqual(amongOf(known, all), new Set(known))
    }
  )

  it.prop(
    "are found among all where any number of others appears, if their ids follow each other",
    [between(1, 5_000_000_000), Schema.Array(between(0, 900)).check(Schema.isMaxLength(15))],
    ([first, cuts]) => {
      // Runs of known trades alternate with runs of others.
      const edges = cuts.toSorted((one, other) => one - other)
      const all = Array.from({ length: 900 }, (_, index) => String(first + index))
      const known = all.filter((_, index) => edges.filter((edge) => edge <= index).length % 2 === 0)
      assert.isAtMost(bytesOf(known).length, 100)
      assert.deepStrictEqual(amongOf(known, all), new Set(known))
    }
  )

  it.prop(
    "are never wrong: with too many others there is no result",
    [between(17, 400), between(0, 1_000_000), between(4, 200)],
    ([count, seed, late]) => {
      const all = Array.from({ length: count + late }, (_, index) => textId(seed, index))
      const known = all.filter((_, index) => index % 2 === 0 || index >= 2 * late)
      const found = amongOf(known, all)
      if (found !== undefined) assert.deepStrictEqual(found, new Set(known))
    }
  )

  it("are none if no trade of the time is shown any more", () => {
    const known = Array.from({ length: 100 }, (_, index) => textId(1, index))
    assert.deepStrictEqual(amongOf(known, []), new Set())
  })
})

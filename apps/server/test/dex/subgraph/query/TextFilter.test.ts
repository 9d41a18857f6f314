import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { isSameText, textFilter } from "../../../../src/dex/subgraph/query/TextFilter.ts"

const all = () => true

/** The matches of a subgraph: it ignores the case of ASCII letters only. */
const finds = (where: { readonly [filter: string]: unknown }, value: string): boolean =>
  Object.entries(where).every(([filter, wanted]) => {
    if (filter === "symbol_in") return Array.isArray(wanted) && wanted.includes(value)
    const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    return typeof wanted === "string" && lower(value).includes(lower(wanted))
  })

describe("textFilter", () => {
  it("asks for every spelling of a short text", () => {
    const { isExact, where } = textFilter("symbol", "aB1", all)
    assert.isTrue(isExact)
    assert.deepStrictEqual(where, { symbol_in: ["ab1", "aB1", "Ab1", "AB1"] })
    assert.deepStrictEqual(textFilter("name", "柴犬", all).where, { name_in: ["柴犬"] })
  })

  it("searches for a part of a long or irregular text that is the same in any letter case", () => {
    assert.deepStrictEqual(textFilter("name", "Wrapped Native", all), {
      where: { name_contains_nocase: "Wrapped Native" },
      isExact: false
    })
    assert.deepStrictEqual(textFilter("name", "Émile & the Other\\Ones", all).where, {
      name_contains_nocase: "mile & the Other"
    })
    assert.deepStrictEqual(textFilter("name", "É", all), { where: {}, isExact: false })
    assert.deepStrictEqual(
      textFilter("name", "Wrapped Native", () => false),
      { where: {}, isExact: false }
    )
  })

  const letters = Schema.Array(
    Schema.Literals(["a", "B", "k", "é", "Ü", "ß", "1", " ", "\\", "%", "柴", "🦄", "Ω", "σ"])
  ).check(Schema.isMaxLength(14))

  it.prop(
    "matches all spellings of the text, and nothing else if it is exact",
    [letters, letters],
    ([a, b]) => {
      const text = a.join("")
      const { isExact, where } = textFilter("symbol", text, all)
      for (const value of [text, text.toUpperCase(), text.toLowerCase(), b.join("")]) {
        if (isSameText(text, value)) assert.isTrue(finds(where, value), `"${text}" is "${value}"`)
        else if (isExact) assert.isFalse(finds(where, value), `"${text}" is not "${value}"`)
      }
    },
    { arbitrary: { runs: 1000 } }
  )
})

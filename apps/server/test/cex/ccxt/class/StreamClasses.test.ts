import { assert, describe, it } from "@effect/vitest"
import { catalogExchanges } from "../../../../src/cex/ccxt/catalog/Catalog.ts"
import { importExchange, importStream } from "../../../../src/cex/ccxt/class/CcxtPackage.ts"

/** Members that prevent a page from being read, or change how it is read. */
const isRestParser = (name: string): boolean =>
  /^(?:parse|handle)(?:Trades?|OHLCVs?|Json|Number|Errors|RestResponse)$/.test(name)

const ownMethods = (value: unknown): ReadonlyArray<string> =>
  typeof value === "function" ? Object.getOwnPropertyNames(value.prototype) : []

const shadowing = async (id: string): Promise<ReadonlyArray<string>> => {
  const [stream, rest] = await Promise.all([importStream(id), importExchange(id)])
  const inherited = new Set<string>()
  for (
    let prototype: unknown = typeof rest === "function" ? rest.prototype : undefined;
    typeof prototype === "object" && prototype !== null;
    prototype = Object.getPrototypeOf(prototype)
  ) {
    for (const name of Object.getOwnPropertyNames(prototype)) inherited.add(name)
  }
  return ownMethods(stream).filter((name) => isRestParser(name) && inherited.has(name))
}

describe("classes of streams", () => {
  it("override page parsers only in the listed cases, so pages are read with the other class", async () => {
    const found: Record<string, ReadonlyArray<string>> = {}
    for (const { id } of catalogExchanges) {
      const names = await shadowing(id)
      if (names.length > 0) found[id] = names
    }
    assert.deepStrictEqual(found, { coinex: ["handleErrors"], luno: ["parseTrade"] })
  }, 60_000)
})

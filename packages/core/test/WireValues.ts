/** JSON that a schema's codec may decode, and slightly changed JSON, from a seed. */
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

export type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [name: string]: Json }

type Choose = <A>(from: ReadonlyArray<A>) => A

/** A random choice that is the same for the same seed. */
export const chooser = (seed: number): Choose => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return (from) => {
    const chosen = from[Math.floor(next() * from.length)]
    if (chosen === undefined) throw new Error("There is nothing to choose from.")
    return chosen
  }
}

const address = "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"
const texts = [
  "",
  "0",
  "7",
  "-7",
  "00",
  "1.50",
  "-0.000",
  "1.",
  ".5",
  "1e3",
  " 1",
  "1795200000000",
  "1795200000",
  "ETH"
]
const longTexts = [address, address.toUpperCase(), "BTC/USD", "ÄÖ/ß", "btc", "9".repeat(40), `0.${"1".repeat(40)}`]
const latest = [
  "8640000000000000",
  "8640000000000001",
  "8640000000000",
  "8640000000001",
  "9999999999999999",
  "1".repeat(17)
]
const allTexts: ReadonlyArray<string> = [...texts, ...longTexts, ...latest]
const numbers = [0, -0, 1, -1, 0.5, 1e300, 5e-324, 1_795_200_000_000, 8_640_000_000_000_000, 8_640_000_000_000_001]
const oddities: ReadonlyArray<Json> = [null, true, false, [], {}, [1], { id: "1" }, ...allTexts, ...numbers]

const accepts = (ast: SchemaAST.AST) => Schema.is(Schema.make<Schema.Codec<unknown, unknown>>(ast))

/** JSON of the form of a schema's encoded side. */
export const wireOf = (ast: SchemaAST.AST, choose: Choose): Json => {
  if (ast._tag === "String") return choose(allTexts.filter(accepts(ast)))
  if (ast._tag === "Number") return choose(numbers.filter(accepts(ast)))
  if (ast._tag === "Boolean") return choose([true, false])
  if (ast._tag === "Literal" && typeof ast.literal !== "bigint") return ast.literal
  if (ast._tag === "Union") return wireOf(choose(ast.types), choose)
  const [element] = ast._tag === "Arrays" ? ast.rest : []
  if (element !== undefined) return Array.from({ length: choose([0, 1, 3]) }, () => wireOf(element, choose))
  if (ast._tag !== "Objects") throw new Error(`No JSON is known for ${ast._tag}.`)
  return Object.fromEntries([
    ...ast.propertySignatures
      .filter(({ type }) => !SchemaAST.isOptional(type) || choose([true, false]))
      .map(({ name, type }) => [String(name), wireOf(type, choose)] as const),
    ...ast.indexSignatures.flatMap(({ type }) => [["1m", wireOf(type, choose)] as const])
  ])
}

const changeObject = (json: { readonly [name: string]: Json }, choose: Choose): Json => {
  const entries = Object.entries(json)
  const changed = choose(entries.length === 0 ? [""] : Object.keys(json))
  return choose([
    () => Object.fromEntries(entries.filter(([name]) => name !== changed)),
    () => Object.fromEntries(entries.toReversed()),
    () => ({ ...json, extra: choose(oddities) }),
    () => ({ extra: choose(oddities), ...json }),
    () => ({ ...json, toString: choose(oddities) }),
    () => Object.fromEntries(entries.map(([name, value]) => [name === changed ? `${name}s` : name, value])),
    () => Object.fromEntries(entries.map(([name, value]) => [name, name === changed ? change(value, choose) : value]))
  ])()
}

const isArray = (json: Json): json is ReadonlyArray<Json> => Array.isArray(json)

/** The same JSON with one change somewhere. */
export const change = (json: Json, choose: Choose): Json => {
  if (choose([true, false, false, false]) || typeof json !== "object" || json === null) return choose(oddities)
  if (!isArray(json)) return changeObject(json, choose)
  const place = choose(json.length === 0 ? [0] : [...json.keys()])
  return choose([
    () => [...json, choose(oddities)],
    () => json.map((item, index) => (index === place ? change(item, choose) : item)),
    () => json.map((item, index) => (index === place ? change(item, choose) : item))
  ])()
}

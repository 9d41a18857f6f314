/**
 * Decodes JSON by the codec of a schema in one pass of plain loops, without intermediate objects and without generated
 * code. The result of `JSON.parse` is modified in place: a field is written only if its decoded value differs from the
 * parsed one, such as a time. It accepts what the schema accepts; for a rejected value the schema itself gives the
 * reason.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaParser from "effect/SchemaParser"
import { type Decoder, parseJson } from "./decoding.ts"
import { instantText } from "./instant.ts"
import { type Reader, refused } from "./reader.ts"
import { getUnixUnit } from "./unixText.ts"

type JsonObject = { [key: string]: unknown }

const isJsonObject = (json: unknown): json is JsonObject => typeof json === "object" && json !== null

const options: SchemaAST.ParseOptions = {}

/** By the schema itself: for schemas without a simpler form. The cast says that none of ours needs a service. */
const readBySchema = (ast: SchemaAST.AST): Reader => {
  const decode = SchemaParser.decodeUnknownExit(Schema.make<Schema.Codec<unknown, unknown>>(ast))
  return (json) => {
    const exit = decode(json)
    return exit._tag === "Success" ? exit.value : refused
  }
}

type Checks = ReadonlyArray<SchemaAST.Check<unknown>>

const satisfiesChecks = (checks: Checks, json: unknown, ast: SchemaAST.AST): boolean =>
  checks.every((check) =>
    check._tag === "FilterGroup"
      ? satisfiesChecks(check.checks, json, ast)
      : check.run(json, ast, options) === undefined
  )

interface Representation {
  readonly id: string
  readonly payload?: unknown
}
const isPattern = Schema.is(Schema.Struct({ source: Schema.String, flags: Schema.String }))

/** The annotations of a schema's only check. */
const getOnlyCheck = (ast: SchemaAST.AST): Representation | undefined =>
  ast.checks?.length === 1 ? ast.checks[0].annotations?.["representation"] : undefined

const anyText: Reader = (json) => (typeof json === "string" ? json : refused)

/** A pattern is tested directly, because its check costs twice as much. */
const text = (ast: SchemaAST.AST): Reader => {
  const { checks } = ast
  if (checks === undefined) return anyText
  const check = getOnlyCheck(ast)
  if (check?.id === "effect/schema/isPattern" && isPattern(check.payload) && check.payload.flags === "") {
    const pattern = new RegExp(check.payload.source)
    return (json) => (typeof json === "string" && pattern.test(json) ? json : refused)
  }
  return (json) => (typeof json === "string" && satisfiesChecks(checks, json, ast) ? json : refused)
}

const finite: Reader = (json) => (Number.isFinite(json) ? json : refused)

const number = (ast: SchemaAST.AST): Reader => {
  const { checks } = ast
  if (checks === undefined) return (json) => (typeof json === "number" ? json : refused)
  if (getOnlyCheck(ast)?.id === "effect/schema/isFinite") return finite
  return (json) => (typeof json === "number" && satisfiesChecks(checks, json, ast) ? json : refused)
}

const boolean: Reader = (json) => (typeof json === "boolean" ? json : refused)

const literal = (ast: SchemaAST.Literal): Reader => {
  const { literal } = ast
  return (json) => (json === literal ? json : refused)
}

const isPlain = (ast: SchemaAST.AST): boolean =>
  ast.encoding === undefined && (ast._tag === "String" || (ast._tag === "Literal" && ast.checks === undefined))

const union = (ast: SchemaAST.Union): Reader => {
  // Members that are decoded in place must not be tried one after the other.
  if (ast.options?.mode === "oneOf" || !ast.types.every(isPlain)) return readBySchema(ast)
  if (ast.types.every(SchemaAST.isLiteral)) {
    const literals: ReadonlyArray<unknown> = ast.types.map(({ literal }) => literal)
    return (json) => (literals.includes(json) ? json : refused)
  }
  const readers = ast.types.map(toReader)
  return (json) => {
    for (const read of readers) if (read(json) !== refused) return json
    return refused
  }
}

const array = (element: SchemaAST.AST): Reader => {
  const read = toReader(element)
  return (json) => {
    if (!Array.isArray(json)) return refused
    const items: Array<unknown> = json
    for (let index = 0; index < items.length; index++) {
      const item = items[index]
      const value = read(item)
      if (value !== item) {
        if (value === refused) return refused
        items[index] = value
      }
    }
    return items
  }
}

interface Field {
  readonly name: string
  readonly isOptional: boolean
  readonly read: Reader
}

/**
 * Reads the fields by name: for an object with other fields, or in another order. Those before `from` are already read.
 */
const readByName = (fields: ReadonlyArray<Field>, json: JsonObject, from: number): unknown => {
  if (Array.isArray(json)) return refused
  const read: JsonObject = {}
  for (const [index, field] of fields.entries()) {
    if (Object.hasOwn(json, field.name)) {
      const value = index < from ? json[field.name] : field.read(json[field.name])
      if (value === refused) return refused
      read[field.name] = value
    } else if (!field.isOptional) return refused
  }
  return read
}

const struct = (fields: ReadonlyArray<Field>): Reader => {
  const names = fields.map(({ name }) => name)
  const readers = fields.map(({ read }) => read)
  return (json) => {
    if (!isJsonObject(json)) return refused
    let index = 0
    for (const name in json) {
      if (name !== names[index]) return readByName(fields, json, index)
      const read = readers[index]
      if (read === undefined) return refused
      const field = json[name]
      index++
      // The most frequent readers, inlined.
      if (typeof field === "string") {
        if (read === anyText) continue
      } else if (read === finite && Number.isFinite(field)) continue
      const value = read(field)
      if (value !== field) {
        if (value === refused) return refused
        json[name] = value
      }
    }
    return index === fields.length ? json : readByName(fields, json, index)
  }
}

/** A name that every object inherits, or an integer key, which comes first regardless of its position. */
const isUnsafeName = (name: PropertyKey): boolean => typeof name !== "string" || name in {} || /^\d+$/.test(name)

const object = (ast: SchemaAST.Objects): Reader => {
  const properties = ast.propertySignatures
  const isSimple =
    properties.length > 0 &&
    ast.indexSignatures.length === 0 &&
    properties.every(
      ({ name, type }) =>
        !isUnsafeName(name) && SchemaAST.isOptional(type) === SchemaAST.isOptional(SchemaAST.toEncoded(type))
    )
  if (!isSimple) return readBySchema(ast)
  return struct(
    properties.map(({ name, type }) => ({
      name: String(name),
      isOptional: SchemaAST.isOptional(type),
      read: toReader(type)
    }))
  )
}

const toReader = (ast: SchemaAST.AST): Reader => {
  const unit = ast.checks === undefined ? getUnixUnit(ast) : undefined
  if (unit !== undefined) return instantText(unit)
  if (ast.encoding !== undefined) return readBySchema(ast)
  if (ast._tag === "String") return text(ast)
  if (ast._tag === "Number") return number(ast)
  if (ast.checks !== undefined || ("encodingChecks" in ast && ast.encodingChecks !== undefined))
    return readBySchema(ast)
  if (ast._tag === "Boolean") return boolean
  if (ast._tag === "Literal") return literal(ast)
  if (ast._tag === "Union") return union(ast)
  if (ast._tag === "Objects") return object(ast)
  const [element, ...others] = ast._tag === "Arrays" && ast.elements.length === 0 ? ast.rest : []
  return element !== undefined && others.length === 0 ? array(element) : readBySchema(ast)
}

/** The reader of a schema's JSON: returns the value or `refused`, and may modify its argument. */
export const reader = (schema: Schema.Codec<unknown, unknown>): Reader => toReader(Schema.toCodecJson(schema).ast)

/**
 * Decodes large responses. The object of `JSON.parse` may become the value, and is unusable after a rejection: the text
 * is parsed again.
 */
export const decodeInPlace = (schema: Schema.Codec<unknown, unknown>): Decoder => {
  const read = reader(schema)
  const explain = Schema.decodeUnknownEffect(Schema.toCodecJson(schema))
  return (text) => {
    const json = parseJson(text)
    if (json === undefined) return undefined
    const value = read(json)
    return value === refused ? Effect.suspend(() => explain(JSON.parse(text))) : Effect.succeed(value)
  }
}

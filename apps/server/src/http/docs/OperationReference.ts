/** The operations of the OpenAPI document in the form in which pages show them. */
import { OpenApi } from "effect/http-api"
import { explainedProblems } from "../../web/ProblemPages.ts"
import { DocumentedApi } from "./DocumentedApi.ts"

/** A field of a body. Those of an object within it have its name before a dot. */
interface Field {
  readonly name: string
  readonly type: string
  readonly description: string
}

type Document = ReturnType<typeof OpenApi.fromApi>
type Operation = NonNullable<Document["paths"][`/${string}`]["get"]>
type JsonSchema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const list = (value: unknown): ReadonlyArray<JsonSchema> => (Array.isArray(value) ? value.filter(isSchema) : [])
const text = (value: unknown): string => (typeof value === "string" ? value : "")

const makeReader = ({ components }: Document) => {
  const resolve = (schema: JsonSchema): JsonSchema => {
    const found: unknown = components.schemas[text(schema["$ref"]).split("/").at(-1) ?? ""]
    return "$ref" in schema && isSchema(found) ? resolve(found) : schema
  }

  const toType = (given: JsonSchema): string => {
    const schema = resolve(given)
    if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => JSON.stringify(value)).join(", ")
    const all = [...list(schema["anyOf"]), ...list(schema["oneOf"])]
    if (all.length > 0) return [...new Set(all.map(toType))].join(" or ")
    if (schema["type"] === "array" && isSchema(schema["items"])) return `array of ${toType(schema["items"])}`
    const bounds = [
      ...("minimum" in schema ? [`from ${String(schema["minimum"])}`] : []),
      ...("maximum" in schema ? [`to ${String(schema["maximum"])}`] : [])
    ]
    const standard = "default" in schema ? `, ${JSON.stringify(schema["default"])} if absent` : ""
    return [text(schema["type"]) || "any", ...bounds].join(" ") + standard
  }

  const toFields = (given: JsonSchema, path = ""): ReadonlyArray<Field> => {
    const schema = resolve(given)
    if (schema["type"] === "array" && isSchema(schema["items"])) return toFields(schema["items"], path)
    const [alternative] = list(schema["anyOf"])
    if (alternative !== undefined) return toFields(alternative, path)
    return Object.entries(isSchema(schema["properties"]) ? schema["properties"] : {}).flatMap(([name, field]) => {
      if (!isSchema(field)) return []
      const own = path === "" ? name : `${path}.${name}`
      const description = text(field["description"]) || text(resolve(field)["description"])
      return [{ name: own, type: toType(field), description }, ...toFields(field, own)]
    })
  }

  return { resolve, toFields, toType }
}

const codes = new Map(explainedProblems.map(({ problem: { code, title } }) => [title, code]))

/** `code` is the last part of the path of the page of a problem. */
const toProblems = ({ responses }: Operation) =>
  Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description }]) =>
      description.split(" | ").map((title) => ({ status, title, code: codes.get(title) }))
    )

/** Every operation that the service has, in the order of the document. */
export const referenceOperations = () => {
  const document = OpenApi.fromApi(DocumentedApi)
  const { resolve, toFields, toType } = makeReader(document)
  return Object.entries(document.paths).flatMap(([path, { get: operation } = {}]) => {
    if (operation === undefined) return []
    const ok = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1]
    const [mediaType = "", body] = Object.entries(ok?.content ?? {})[0] ?? []
    const schema: unknown = body?.schema
    return [
      {
        id: operation.operationId,
        /** The heading that it stands under. */
        group: operation.tags[0] ?? "",
        /** With `{name}` for each parameter. */
        path,
        summary: operation.summary ?? operation.operationId,
        description: operation.description ?? "",
        isKeyed: operation.security.length > 0,
        parameters: list(operation.parameters).map((one) => ({
          name: text(one["name"]),
          in: text(one["in"]),
          type: isSchema(one["schema"]) ? toType(one["schema"]) : "",
          isRequired: one["required"] === true,
          description: text(one["description"]),
          example: text(one["example"])
        })),
        mediaType,
        isArray: isSchema(schema) && resolve(schema)["type"] === "array",
        fields: isSchema(schema) ? toFields(schema) : [],
        problems: toProblems(operation)
      }
    ]
  })
}

export type ReferenceOperation = ReturnType<typeof referenceOperations>[number]

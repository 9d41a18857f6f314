/**
 * Completes the generated OpenAPI document: bounds and examples of parameters, descriptions of members, the two places
 * of the key, and the response headers.
 */
import type { Operation, Parameter } from "@chaintape/core/operations"
import * as Predicate from "effect/Predicate"
import { memberTexts } from "./text/MemberText.ts"
import { textOf } from "./text/OperationText.ts"

interface Json {
  [member: string]: unknown
}

const isJson = (value: unknown): value is Json => Predicate.isObject(value) && !Array.isArray(value)

const getParameters = (location: "path" | "query", parameters: Parameter.Parameters) =>
  Object.entries(parameters).map(([name, parameter]) => ({
    name,
    in: location,
    required: location === "path",
    description: parameter.description,
    schema: parameter.json,
    ...(parameter.example === undefined ? {} : { example: parameter.example })
  }))

const keyParameter = {
  name: "apiKey",
  in: "query",
  required: false,
  description: "The key; may be sent in the header `api-key` instead",
  schema: { type: "string" }
}

const header = (description: string) => ({ description, schema: { type: "string" } })

const answerHeaders = {
  "x-request-id": header("Identifies the request in the service's log")
}

const apiKeyHeaders = {
  ...answerHeaders,
  ratelimit: header("What is left of the caller's budget"),
  "ratelimit-policy": header("The caller's budget")
}

const additions = {
  name: "Additions",
  description: "Operations beside the specified interface"
}

/** The document of the service completes the document of the contract again. */
const isAdditions = (tag: unknown) => isJson(tag) && tag["name"] === additions.name

const problemType = "application/problem+json"

/**
 * The media types of a response. The errors of the middleware have the default one in the generated document, but every
 * operation lists them as problems, and this is how they are sent.
 */
const toContent = (content: unknown): unknown =>
  isJson(content) && problemType in content ? { [problemType]: content[problemType] } : content

const completeOperation = (generated: Json, operation: Operation.Any): Json => {
  const responses = isJson(generated["responses"]) ? generated["responses"] : {}
  const headers = operation.requiresApiKey ? apiKeyHeaders : answerHeaders
  return {
    ...generated,
    ...(textOf(operation).isAddition === true ? { tags: [additions.name] } : {}),
    parameters: [
      ...getParameters("path", operation.params),
      ...getParameters("query", operation.query),
      ...(operation.requiresApiKey ? [] : [keyParameter])
    ],
    security: operation.requiresApiKey ? [{ header: [] }, { query: [] }] : [],
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        isJson(response) ? { ...response, content: toContent(response["content"]), headers } : response
      ])
    )
  }
}

/** The description of a reference is that of its target. */
const describeMember = (member: unknown, description: string | undefined) =>
  isJson(member) && description !== undefined && !("$ref" in member) ? { ...member, description } : member

const describeSchema = (name: string, schema: unknown): unknown => {
  // The document describes a class by its encoded form.
  const texts = memberTexts[name.replace(/Encoded$/, "")] ?? {}
  if (!isJson(schema) || !isJson(schema["properties"])) return schema
  const members = Object.entries(schema["properties"])
  return {
    ...schema,
    properties: Object.fromEntries(members.map(([name, member]) => [name, describeMember(member, texts[name])]))
  }
}

const describeSchemas = (schemas: unknown) =>
  isJson(schemas)
    ? { schemas: Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, describeSchema(name, one)])) }
    : {}

/** Completes the generated document. */
export const openApiDocument = (document: Json, operations: ReadonlyArray<Operation.Any>): Json => {
  const paths = isJson(document["paths"]) ? document["paths"] : {}
  const components = isJson(document["components"]) ? document["components"] : {}
  const completed = operations.map((operation) => {
    const path = operation.path.replace(/:(\w+)/g, "{$1}")
    const item = paths[path]
    const get = isJson(item) && isJson(item["get"]) ? item["get"] : {}
    return [path, { get: completeOperation(get, operation) }] as const
  })
  return {
    ...document,
    ...(Array.isArray(document["tags"])
      ? { tags: [...document["tags"].filter((tag: unknown) => !isAdditions(tag)), additions] }
      : {}),
    paths: Object.fromEntries(completed),
    components: {
      ...components,
      ...describeSchemas(components["schemas"]),
      securitySchemes: {
        header: { type: "apiKey", in: "header", name: "api-key" },
        query: { type: "apiKey", in: "query", name: "apiKey" }
      }
    }
  }
}

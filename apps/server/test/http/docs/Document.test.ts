import { fileURLToPath } from "node:url"
import { operations as contract } from "@chaintape/contract"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Config, Effect, FileSystem, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { DocumentedApi } from "../../../src/http/docs/DocumentedApi.ts"
import { liveOperations } from "../../../src/http/live/LiveOperations.ts"

const committed = fileURLToPath(new URL("../../../openapi.json", import.meta.url))

const Parameter = Schema.Struct({
  name: Schema.String,
  in: Schema.Literals(["path", "query"]),
  required: Schema.Boolean,
  description: Schema.NonEmptyString,
  schema: Schema.Record(Schema.String, Schema.Unknown),
  example: Schema.optionalKey(Schema.String)
})

const Response = Schema.Struct({
  description: Schema.NonEmptyString,
  content: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Struct({ schema: Schema.Record(Schema.String, Schema.Unknown) }))
  ),
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})

const Operation = Schema.Struct({
  operationId: Schema.NonEmptyString,
  summary: Schema.NonEmptyString,
  description: Schema.NonEmptyString,
  tags: Schema.NonEmptyArray(Schema.String),
  security: Schema.Array(Schema.Record(Schema.String, Schema.Array(Schema.String))),
  parameters: Schema.Array(Parameter),
  responses: Schema.Record(Schema.String, Response)
})

const Document = Schema.Struct({
  openapi: Schema.String.check(Schema.isPattern(/^3\.1\.\d$/)),
  info: Schema.Struct({
    title: Schema.NonEmptyString,
    version: Schema.NonEmptyString,
    description: Schema.NonEmptyString
  }),
  paths: Schema.Record(Schema.String, Schema.Struct({ get: Operation })),
  components: Schema.Struct({
    schemas: Schema.Record(Schema.String, Schema.Unknown),
    securitySchemes: Schema.Record(
      Schema.String,
      Schema.Struct({ type: Schema.String, in: Schema.String, name: Schema.String })
    )
  })
})

const operations = [...contract, ...liveOperations]
const streams: ReadonlyArray<string> = liveOperations.map(({ path }) => path)

const generated = `${JSON.stringify(OpenApi.fromApi(DocumentedApi), undefined, 2)}\n`
const document = Schema.decodeUnknownSync(Schema.fromJsonString(Document))(generated)
const entries = Object.entries(document.paths).map(([path, { get }]) => [path, get] as const)

const references = [...generated.matchAll(/"\$ref": "([^"]+)"/g)].map(([, reference = ""]) => reference)

/** The target of a pointer such as `#/components/schemas/Block`. */
const follow = (pointer: string): unknown =>
  pointer
    .replace(/^#\//, "")
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (value, part) => Object(value)[part],
      Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Unknown))(generated)
    )

const toOperation = (path: string) =>
  operations.find((one) => one.path.replace(/:(\w+)/g, "{$1}") === path) ?? assert.fail(`${path} is no operation`)

describe("the OpenAPI document", () => {
  it("tags only the operations beyond the specified interface as additions", () => {
    const additions = entries.filter(([, { tags }]) => tags.includes("Additions")).map(([path]) => path)
    assert.deepStrictEqual(additions, [
      "/v2/cex/{exchange}/markets",
      "/v2/cex/{exchange}/{market}/aggregates/{timeframe}",
      "/v2/dex/{exchange}/{blockchain}/pool/{pool}/ticks",
      "/v2/dex/{exchange}/{blockchain}/pool/{pool}/aggregates/{timeframe}"
    ])
  })

  it.effect("is the one that is committed", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      if (yield* Config.Boolean("UPDATE_OPENAPI").pipe(Config.withDefault(false))) {
        yield* files.writeFileString(committed, generated)
      }
      const text = yield* files.readFileString(committed)
      assert.strictEqual(
        text,
        generated,
        "The contract has changed. If that is meant, write the document again: " +
          "UPDATE_OPENAPI=true vitest run apps/server/test/http/docs/Document.test.ts"
      )
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it("has every operation once, and nothing else", () => {
    assert.sameMembers(
      entries.map(([path]) => path),
      operations.map(({ path }) => path.replace(/:(\w+)/g, "{$1}"))
    )
    const ids = entries.map(([, { operationId }]) => operationId)
    assert.strictEqual(new Set(ids).size, ids.length)
  })

  it.each(entries)("%s has its parameters, with bounds, and the placeholders of its path", (path, { parameters }) => {
    const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const inPath = parameters.filter((parameter) => parameter.in === "path")
    assert.deepStrictEqual(
      inPath.map(({ name }) => name),
      placeholders
    )
    const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
    assert.strictEqual(new Set(names).size, names.length)
    for (const { example, in: place, name, required, schema } of parameters) {
      assert.strictEqual(required, place === "path", name)
      assert.property(schema, "type", name)
      if (place === "path") assert.isTrue(example !== undefined || "enum" in schema, `${name} has no example`)
      if (schema["type"] === "integer") assert.property(schema, "minimum", name)
      if (name === "limit") assert.containsAllKeys(schema, ["minimum", "maximum", "default"])
    }
  })

  it.each(entries)("%s says where the key is put", (path, { security }) => {
    assert.deepStrictEqual(security, toOperation(path).requiresApiKey ? [{ header: [] }, { query: [] }] : [])
  })

  it("names both places of the key", () => {
    assert.deepStrictEqual(document.components.securitySchemes, {
      header: { type: "apiKey", in: "header", name: "api-key" },
      query: { type: "apiKey", in: "query", name: "apiKey" }
    })
  })

  it.each(entries)("%s lists every answer that it can give, each with its headers", (path, { responses }) => {
    const operation = toOperation(path)
    const expected = new Set(["200", ...operation.problems.map(({ status }) => String(status))])
    const statuses = Object.keys(responses)
    for (const status of expected) assert.include(statuses, status)
    if (operation.requiresApiKey)
      for (const status of ["400", "401", "429", "500", "503"]) assert.include(statuses, status)
    for (const [status, { content = {}, headers = {} }] of Object.entries(responses)) {
      const answered = streams.includes(operation.path) ? "text/event-stream" : "application/json"
      const types = [status === "200" ? answered : "application/problem+json"]
      assert.deepStrictEqual(Object.keys(content), types, `${path} ${status}`)
      assert.property(headers, "x-request-id")
      if (operation.requiresApiKey && !["400", "401"].includes(status)) assert.property(headers, "ratelimit")
    }
  })

  it("has no broken reference", () => {
    assert.isAbove(references.length, 20)
    for (const reference of references) assert.isDefined(follow(reference), reference)
  })
})

import { Api, operations as contracts } from "@chaintape/contract"
import type { Operation } from "@chaintape/core/operations"
import { assert } from "@effect/vitest"
import { Effect, Random, Result, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { explainedProblems } from "../../../src/web/ProblemPages.ts"
import type { Call, Reply } from "../../HttpCall.ts"
import { json, record } from "../../HttpCall.ts"

const Parameter = Schema.Struct({
  name: Schema.String,
  in: Schema.Literals(["path", "query"]),
  schema: Schema.Struct({
    type: Schema.optionalKey(Schema.Unknown),
    enum: Schema.optionalKey(Schema.Array(Schema.Unknown)),
    minimum: Schema.optionalKey(Schema.Finite),
    maximum: Schema.optionalKey(Schema.Finite)
  })
})

type Parameter = typeof Parameter.Type

const DocumentedOperation = Schema.Struct({
  parameters: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  responses: Schema.Record(Schema.String, Schema.Unknown)
})

const Document = Schema.Struct({
  paths: Schema.Record(Schema.String, Schema.Struct({ get: DocumentedOperation })),
  components: Schema.Struct({ schemas: Schema.Record(Schema.String, Schema.Unknown) })
})

const document = Schema.decodeUnknownSync(Document)(OpenApi.fromApi(Api))

/** The text of a part of the document with all of its references. */
const resolved = (part: unknown): string =>
  JSON.stringify(part).replace(/"#\/components\/schemas\/([^"]+)"/g, (_, name: string) =>
    JSON.stringify(document.components.schemas[name] ?? null)
  )

const decodeParameter = Schema.decodeUnknownOption(Parameter)

/** The difference of a value from its schema: additional properties are wrong as well. */
const strictly = (schema: Schema.Codec<unknown, unknown>) => {
  const decode = Schema.decodeUnknownResult(Schema.toCodecJson(schema), { onExcessProperty: "error" })
  return (value: unknown) => Result.match(decode(value), { onFailure: String, onSuccess: () => undefined })
}

const byCode = (problems: ReadonlyArray<Operation.AnyProblem>) =>
  new Map<unknown, ReturnType<typeof strictly>>(problems.map((problem) => [problem.code, strictly(problem)]))

/** Every problem. */
const problems = byCode(explainedProblems.map(({ problem }) => problem))

/** By the path in the document. */
const bodies = new Map(
  contracts.map(({ path, problems, success }) => [
    path.replace(/:(\w+)/g, "{$1}"),
    { success: strictly(success), problems: byCode(problems) }
  ])
)

const operations = Object.entries(document.paths).map(([path, { get }]) => ({
  path,
  bodies: bodies.get(path) ?? assert.fail(`no operation has the path ${path}`),
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}/?$`),
  parameters: (get.parameters ?? []).flatMap((parameter): ReadonlyArray<Parameter> => {
    const found = decodeParameter(parameter)
    return found._tag === "Some" ? [found.value] : []
  }),
  /** The document's response of each status. */
  responses: new Map(Object.entries(get.responses).map(([status, response]) => [Number(status), resolved(response)]))
}))

const pick = <A>(from: ReadonlyArray<A>): Effect.Effect<A> =>
  Effect.flatMap(Random.nextIntBetween(0, from.length - 1), (index) => {
    const found = from[index]
    return found === undefined ? Effect.die(new Error("nothing to pick from")) : Effect.succeed(found)
  })

/** Values on both sides of every bound of the schema, and its enumerated values. */
const toValues = ({ schema }: Parameter, words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { enum: listed, maximum, minimum } = schema
  if (listed !== undefined) return [...listed.map(String), "other", String(listed[0]).toUpperCase()]
  if (minimum === undefined && maximum === undefined) return words
  const bounds = [minimum, maximum].flatMap((bound) => (bound === undefined ? [] : [bound - 1, bound, bound + 1]))
  return [...bounds.map(String), "1", "7", "1.0", "1e3", " 5", "-0", "NaN", ""]
}

const characters = ["%", "/", "?", "&", "=", "#", "\0", "\\", "é", "%00", "..", "~", "0", ";", "+"]

/** Removes, doubles, replaces or inserts one character. */
const mutated = (text: string) =>
  Effect.gen(function* () {
    const at = yield* Random.nextIntBetween(0, text.length)
    const kind = yield* Random.nextIntBetween(0, 3)
    const rest = text.slice(kind === 1 ? at : at + (kind === 2 ? 0 : 1))
    return text.slice(0, at) + (kind === 0 ? "" : kind === 1 ? text.slice(at, at + 1) : yield* pick(characters)) + rest
  })

/** A request of an operation of the document, with values of its schemas and of `words`, sometimes with a mistake. */
export const documentedPath = (words: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { parameters, path } = yield* pick(operations)
    let target = path
    const pairs: Array<string> = []
    for (const parameter of parameters) {
      const value = yield* pick(toValues(parameter, words))
      if (parameter.in === "path") target = target.replace(`{${parameter.name}}`, value)
      else if ((yield* Random.nextIntBetween(0, 3)) === 0) pairs.push(`${parameter.name}=${value}`)
    }
    const whole = pairs.length === 0 ? target : `${target}?${pairs.join("&")}`
    return (yield* Random.nextIntBetween(0, 4)) === 0 ? `/${(yield* mutated(whole)).replace(/^\/+/, "")}` : whole
  })

/** The problems before an operation is found. */
const ofTheDoor: ReadonlyArray<unknown> = ["method-not-allowed", "uri-too-long", "headers-too-large"]

/** A problem matches exactly its class, and belongs to the operation if there is one. */
const assertProblemBody = (reply: Reply, operation: (typeof operations)[number] | undefined, what: string) => {
  const code = record(reply)["code"]
  const ofClass = problems.get(code) ?? assert.fail(`no problem has the code of ${what}`)
  assert.isUndefined(ofClass(json(reply)), what)
  if (operation === undefined || ofTheDoor.includes(code)) return
  assert.isTrue(operation.bodies.problems.has(code), `not a problem of ${operation.path}: ${what}`)
  assert.include(operation.responses.get(reply.status) ?? "", `"${String(code)}"`, what)
}

const withoutBody = [204, 304]

/** Whether a response has the status and exactly the body that the operation, or else the problem's class, declares. */
export const assertDeclared = (sent: Call, reply: Reply) => {
  const path = sent.path.split("?", 1)[0] ?? ""
  const operation = sent.method === "GET" ? operations.find(({ pattern }) => pattern.test(path)) : undefined
  const what = `${String(sent.method)} ${sent.path} was answered with ${reply.status}: ${reply.body.slice(0, 200)}`
  if (sent.method === "HEAD" || withoutBody.includes(reply.status)) return assert.strictEqual(reply.body, "", what)
  if (reply.status >= 400) return assertProblemBody(reply, operation, what)
  if (operation === undefined) return
  assert.strictEqual(reply.status, 200, what)
  assert.isTrue(operation.responses.has(200), what)
  assert.isUndefined(operation.bodies.success(json(reply)), what)
}

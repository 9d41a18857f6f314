import { operations, ParameterCheck } from "@chaintape/contract"
import type { InvalidParameter } from "@chaintape/core"
import { Operation } from "@chaintape/core/operations"
import { Effect, Layer } from "effect"
import type { Types } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { liveOperations } from "../live/LiveOperations.ts"
import { isDecodable } from "./RequestContext.ts"

const byName = new Map<string, Operation.Any>(
  [...operations, ...liveOperations].map((operation) => [`${operation.group}.${operation.name}`, operation])
)

const isOfRequest = (error: unknown): error is HttpApiError.HttpApiSchemaError =>
  // A body or header that does not encode is a defect of the service.
  HttpApiError.HttpApiSchemaError.is(error) && (error.kind === "Params" || error.kind === "Query")

/** The query parameters with percent sequences that do not decode. */
const percentIssues = (url: string): InvalidParameter["issues"] => {
  const question = url.indexOf("?")
  if (question < 0 || isDecodable(url.slice(question + 1))) return []
  return url
    .slice(question + 1)
    .split("&")
    .flatMap((pair): InvalidParameter["issues"] => {
      if (isDecodable(pair)) return []
      const name = pair.split("=", 1)[0] ?? ""
      const parameter = isDecodable(name) ? decodeURIComponent(name) : name
      return [{ parameter, message: "a percent sign must begin the code of a character, such as %20" }]
    })
}

type Refused = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  Types.unhandled | InvalidParameter,
  HttpRouter.Provided
>

/** A request with wrong parameters gets one problem that names every mistake. */
export const layer = Layer.succeed(ParameterCheck, (app, { endpoint, group }) => {
  const operation = byName.get(`${group.identifier}.${endpoint.identifier}`)
  const toIssues = Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const { params } = yield* HttpRouter.RouteContext
    const query = yield* HttpServerRequest.ParsedSearchParams
    const undecodable = percentIssues(url)
    const others = operation === undefined ? [] : Operation.parameterIssues(operation, params, query)
    return [
      ...undecodable,
      ...others.filter(({ parameter }) => !undecodable.some((one) => one.parameter === parameter))
    ]
  })
  const refuse = (error: Types.unhandled): Refused =>
    Effect.flatMap(toIssues, (issues) => Effect.fail(issues.length === 0 ? error : Operation.invalidParameter(issues)))
  const checked = Effect.catch(app, (error): Refused => (isOfRequest(error) ? refuse(error) : Effect.fail(error)))
  const all = Effect.flatMap(toIssues, (issues): Refused =>
    issues.length === 0 ? app : Effect.fail(Operation.invalidParameter(issues))
  )
  // Constraints between parameters are not part of their schemas. They can only be violated if their own parameter is
  // present.
  const bound = (operation?.relations ?? []).map(({ parameter }) => parameter)
  return Effect.gen(function* (): Effect.fn.Return<
    HttpServerResponse.HttpServerResponse,
    Types.unhandled | InvalidParameter,
    HttpRouter.Provided
  > {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const query = yield* HttpServerRequest.ParsedSearchParams
    const early = percentIssues(url).length > 0 || bound.some((parameter) => Object.hasOwn(query, parameter))
    return yield* early ? all : checked
  })
})

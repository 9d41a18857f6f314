import { invalidParameter } from "@chaintape/core/api/ParameterIssues"
import {
  HeadersTooLarge,
  Internal,
  MethodNotAllowed,
  NotFound,
  NotReady,
  UriTooLong
} from "@chaintape/core/problem/Problem"
import { Cause, Effect, Option, Predicate, Schema } from "effect"
import { HttpServerError, HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { shownPath } from "./RequestTarget.ts"
import { isOperation } from "./RouteTemplates.ts"

const contentType = "application/problem+json"

export const isProblem = (response: HttpServerResponse.HttpServerResponse): boolean =>
  response.headers["content-type"] === contentType

const ServerProblem = Schema.Union([NotFound, MethodNotAllowed, UriTooLong, HeadersTooLarge, NotReady, Internal])
type ServerProblem = typeof ServerProblem.Type
const encode = Schema.encodeSync(ServerProblem)
const encodeInvalid = (issue: { readonly parameter: string; readonly message: string }) => {
  const problem = invalidParameter([issue])
  return { ...problem }
}

/** A problem of the server itself, outside of every operation. */
export const problemResponse = (problem: ServerProblem): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(encode(problem), { status: problem.status, contentType })

const stopping = () =>
  problemResponse(
    new NotReady({ retryAfterMs: 5000, detail: "The service is stopping: try again when it has started anew." })
  )

const internalProblem = () =>
  problemResponse(
    new Internal({
      detail:
        "The service failed to answer this request. Its log explains why, under the request's id: tell the operator."
    })
  )

const invalidRequest = (parameter: string, message: string) =>
  HttpServerResponse.jsonUnsafe(encodeInvalid({ parameter, message }), { status: 400, contentType })

export const undecodablePath = (): HttpServerResponse.HttpServerResponse =>
  invalidRequest("path", "a percent sign must begin the code of a character, such as %20")

export const withoutHost = (): HttpServerResponse.HttpServerResponse =>
  invalidRequest("host", "a request of HTTP/1.1 must have the header Host")

export const allowedMethods = "GET, HEAD, OPTIONS"

const pathOf = (request: HttpServerRequest.HttpServerRequest) => request.url.split("?", 1)[0] ?? "/"

/** The answer where no route took the request: an unknown path, or a method that it does not have. */
export const unrouted = (
  request: HttpServerRequest.HttpServerRequest,
  isPage: (path: string) => boolean
): HttpServerResponse.HttpServerResponse => {
  const path = pathOf(request)
  const exists = isOperation(path) || isPage(path)
  if (!exists) {
    return problemResponse(
      new NotFound({
        path: shownPath(path),
        detail: `There is nothing at "${shownPath(path)}": /docs lists the operations.`
      })
    )
  }
  if (request.method === "OPTIONS") return HttpServerResponse.empty({ status: 204 })
  return problemResponse(
    new MethodNotAllowed({
      method: request.method,
      detail: `"${request.method}" is not allowed at "${shownPath(path)}": every operation is a GET request.`
    })
  )
}

const isRouteNotFound = (error: unknown): boolean =>
  error instanceof HttpServerError.HttpServerError && error.reason._tag === "RouteNotFound"

/** Turns whatever a request ended with into an answer. Nothing of the inside is told, only logged. */
export const answerOf = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest,
  isPage: (path: string) => boolean
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (isRouteNotFound(error)) return Effect.succeed(unrouted(request, isPage))
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(stopping())
  return Effect.as(Effect.logError("A request failed", cause), internalProblem())
}

const ProblemBody = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
const decodeBody = Schema.decodeUnknownOption(ProblemBody)

const textOf = (response: HttpServerResponse.HttpServerResponse): string =>
  response.body._tag === "Uint8Array" ? new TextDecoder().decode(response.body.body) : ""

const headersOf = (status: number, problem: { readonly [member: string]: unknown }): Record<string, string> => {
  if (status === 401) return { "www-authenticate": "ApiKey" }
  if (status === 405) return { allow: allowedMethods }
  const wait = problem["retryAfterMs"]
  return Predicate.isNumber(wait) ? { "retry-after": String(Math.max(1, Math.ceil(wait / 1000))) } : {}
}

/** What all problems get in one place: the request's id, and the headers of their kind. */
export const completeProblem = (
  response: HttpServerResponse.HttpServerResponse,
  requestId: string
): HttpServerResponse.HttpServerResponse =>
  Option.match(decodeBody(textOf(response)), {
    onNone: () => response,
    onSome: (problem) =>
      HttpServerResponse.jsonUnsafe(
        { ...problem, requestId },
        {
          status: response.status,
          contentType,
          headers: { ...response.headers, ...headersOf(response.status, problem), "cache-control": "no-store" }
        }
      )
  })

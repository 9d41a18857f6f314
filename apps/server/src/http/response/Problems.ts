import { HeadersTooLarge, MethodNotAllowed, NotFound, UriTooLong } from "@chaintape/contract"
import { Internal, InvalidParameter, NotReady, Overloaded, RateLimited } from "@chaintape/core"
import { Operation } from "@chaintape/core/operations"
import { Cause, Effect, Option, Predicate, Schema } from "effect"
import { HttpServerError, HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { SqlError } from "effect/sql"
import { prefersPage } from "../../internal/acceptHeader.ts"
import { toOneLine } from "../../internal/log/oneLine.ts"
import { notFoundPage } from "../../web/ProblemPages.ts"
import type { RequestContext } from "../request/RequestContext.ts"
import { shownPath, withoutOurKeys } from "../request/RequestContext.ts"

const contentType = "application/problem+json"

export const isProblem = (response: HttpServerResponse.HttpServerResponse): boolean =>
  response.headers["content-type"] === contentType

const ServerProblem = Schema.Union([
  InvalidParameter,
  NotFound,
  MethodNotAllowed,
  UriTooLong,
  HeadersTooLarge,
  NotReady,
  Overloaded,
  RateLimited,
  Internal
])
type ServerProblem = typeof ServerProblem.Type
const encode = Schema.encodeSync(ServerProblem)

/** A problem of the server itself, outside every operation. */
export const problemResponse = (
  problem: ServerProblem,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(encode(problem), { status: problem.status, contentType, headers })

/** The problem of a request that the stop of the service interrupts, or that arrives after the routes are gone. */
export const stopping = new NotReady({
  retryAfterMs: 5000,
  detail: "The service is stopping: try again when it has restarted."
})

/** The response to a request that timed out. */
export const tooSlow = (timeoutMs: number): HttpServerResponse.HttpServerResponse =>
  problemResponse(
    new Overloaded({
      retryAfterMs: 5000,
      detail: `The service did not respond within ${timeoutMs / 1000} s: try again later, or request less.`
    })
  )

const internalProblem = () =>
  problemResponse(
    new Internal({
      detail:
        "The service failed to answer this request. Its log explains why, under the request's id: tell the operator."
    })
  )

const storeUnavailable = () =>
  problemResponse(
    new NotReady({
      retryAfterMs: 1000,
      detail: "The service's store does not answer at the moment: try again in a second."
    })
  )

/** PostgreSQL is closing its sessions, starting, or out of connections: a retry may succeed soon. */
const passingStates = /^(57P|53)/

const isStoreUnavailable = (defect: unknown): boolean => {
  if (!SqlError.isSqlError(defect)) return false
  const { _tag, cause } = defect.reason
  return _tag === "ConnectionError" || (Predicate.hasProperty(cause, "code") && passingStates.test(String(cause.code)))
}

const invalidRequest = (parameter: string, message: string) =>
  problemResponse(Operation.invalidParameter([{ parameter, message }]))

export const undecodablePath = (): HttpServerResponse.HttpServerResponse =>
  invalidRequest("path", "a percent sign must begin the code of a character, such as %20")

export const withoutHost = (): HttpServerResponse.HttpServerResponse =>
  invalidRequest("host", "a request of HTTP/1.1 must have the header Host")

export const allowedMethods = "GET, HEAD, OPTIONS"
const allowedMethodsOfForms = "GET, HEAD, POST, OPTIONS"

/** Whether a browser asks for a page. Programs are answered with problems, and so is everything below `/v2` and `/live`. */
const isPageWanted = ({ headers, method }: HttpServerRequest.HttpServerRequest, path: string): boolean =>
  (method === "GET" || method === "HEAD") && !/^\/(v2|live)(\/|$)/.test(path) && prefersPage(headers["accept"])

const getAllowed = ({ route }: RequestContext): string =>
  route?.takesForms === true ? allowedMethodsOfForms : allowedMethods

/** The response to OPTIONS. */
export const toOptionsResponse = (context: RequestContext): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 204, headers: { allow: getAllowed(context) } })

/** The response if no route matches: an unknown path, or an unsupported method. */
export const toUnroutedResponse = (
  request: HttpServerRequest.HttpServerRequest,
  context: RequestContext
): HttpServerResponse.HttpServerResponse => {
  const { path, route } = context
  if (route?.exists !== true) {
    if (isPageWanted(request, path)) return notFoundPage(shownPath(path))
    return problemResponse(
      new NotFound({
        path: shownPath(path),
        detail: `There is nothing at "${shownPath(path)}": /docs lists the operations.`
      })
    )
  }
  if (request.method === "OPTIONS") return toOptionsResponse(context)
  return problemResponse(
    new MethodNotAllowed({
      method: request.method,
      detail: route.takesForms
        ? `"${request.method}" is not allowed at "${shownPath(path)}": the page takes GET and POST requests.`
        : `"${request.method}" is not allowed at "${shownPath(path)}": every operation is a GET request.`
    }),
    { allow: getAllowed(context) }
  )
}

const isRouteNotFound = (error: unknown): boolean =>
  error instanceof HttpServerError.HttpServerError && error.reason._tag === "RouteNotFound"

/** Turns any result of a request into a response. Internal details are logged, never sent. */
export const toResponse = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest,
  context: RequestContext
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (isRouteNotFound(error)) return Effect.succeed(toUnroutedResponse(request, context))
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(problemResponse(stopping))
  if (isStoreUnavailable(Cause.squash(cause)))
    return Effect.as(Effect.logError("The store does not answer", cause), storeUnavailable())
  return Effect.as(Effect.logError("A request failed", cause), internalProblem())
}

const ProblemBody = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
const decodeBody = Schema.decodeUnknownOption(ProblemBody)

const getText = (response: HttpServerResponse.HttpServerResponse): string =>
  response.body._tag === "Uint8Array" ? new TextDecoder().decode(response.body.body) : ""

const toHeaders = (status: number, problem: { readonly [member: string]: unknown }): Record<string, string> => {
  if (status === 401) return { "www-authenticate": "ApiKey" }
  const wait = problem["retryAfterMs"]
  return Predicate.isNumber(wait) ? { "retry-after": String(Math.max(1, Math.ceil(wait / 1000))) } : {}
}

/** The sentences of a problem on one line each. */
const toSingleLines = (problem: { readonly [member: string]: unknown }) => {
  const { detail, issues } = problem
  return {
    ...problem,
    ...(Predicate.isString(detail) ? { detail: toOneLine(detail) } : {}),
    ...(Array.isArray(issues)
      ? {
          issues: issues.map((issue: unknown) =>
            Predicate.hasProperty(issue, "message") && Predicate.isString(issue.message)
              ? { ...issue, message: toOneLine(issue.message) }
              : issue
          )
        }
      : {})
  }
}

/** Adds the request id and the headers of a problem, which repeats no key. */
export const completeProblem = (
  response: HttpServerResponse.HttpServerResponse,
  requestId: string
): HttpServerResponse.HttpServerResponse =>
  Option.match(decodeBody(withoutOurKeys(getText(response))), {
    onNone: () => response,
    onSome: (problem) =>
      HttpServerResponse.jsonUnsafe(
        { ...toSingleLines(problem), requestId },
        {
          status: response.status,
          contentType,
          headers: { ...toHeaders(response.status, problem), ...response.headers, "cache-control": "no-store" }
        }
      )
  })

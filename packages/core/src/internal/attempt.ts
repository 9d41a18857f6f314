/**
 * One attempt of a call: the request, and what its answer means. Internal because what an operation's schemas decode
 * is known by the operation's type parameter only, which the casts here state once for every caller.
 */
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import type * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as UrlParams from "effect/http/UrlParams"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Operation from "../api/Operation.ts"
import type { Parameters } from "../api/Parameter.ts"
import * as Answer from "../client/Answer.ts"
import { TransportError, UnexpectedAnswer } from "../client/ClientError.ts"
import type { ClientOptions } from "../client/ClientOptions.ts"
import { InvalidParameter } from "../problem/Problem.ts"

export type AttemptError<Op extends Operation.Any> = Operation.Problem<Op> | TransportError | UnexpectedAnswer

/** The service's wish, from the header or the body. */
const retryAfter = new WeakMap<object, number>()
export const retryAfterMsOf = (error: object): number | undefined => retryAfter.get(error)

const nameOf = (operation: Operation.Any) => `${operation.group}.${operation.name}`

/** Decoders are made once for each operation. */
const decoders = new WeakMap<object, ReturnType<typeof compile>>()
const compile = (operation: Operation.Any) => ({
  success: Schema.decodeUnknownEffect(Schema.toCodecJson(operation.success)),
  problems: new Map(
    operation.problems.map(
      (problem) => [problem.code, Schema.decodeUnknownEffect(Schema.toCodecJson(problem))] as const
    )
  )
})
const decoderOf = (operation: Operation.Any) => {
  const known = decoders.get(operation)
  if (known !== undefined) return known
  const made = compile(operation)
  decoders.set(operation, made)
  return made
}

const refused = (name: string, value: unknown, rule: string) => {
  const message = `"${String(value)}" can't be sent: it must be ${rule}`
  return new InvalidParameter({
    detail: `The parameter "${name}" is wrong: ${message}.`,
    issues: [{ parameter: name, message }]
  })
}

const encode = Effect.fnUntraced(function* (parameters: Parameters, request: { readonly [name: string]: unknown }) {
  const encoded: Array<readonly [string, string]> = []
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = request[name]
    if (value === undefined) continue
    const text = yield* Schema.encodeUnknownEffect(parameter.schema)(value).pipe(
      Effect.mapError(() => refused(name, value, parameter.rule))
    )
    if (text !== undefined) encoded.push([name, text])
  }
  return encoded
})

const buildRequest = Effect.fnUntraced(function* (
  operation: Operation.Any,
  values: { readonly [name: string]: unknown },
  options: ClientOptions
) {
  let path: string = operation.path
  for (const [name, text] of yield* encode(operation.params, values)) {
    // A URL takes these for steps through its path, and has no code for half of a character.
    if (text === "." || text === ".." || !text.isWellFormed()) {
      return yield* refused(name, values[name], "a text that can stand in a path")
    }
    path = path.replace(`:${name}`, () => encodeURIComponent(text))
  }
  let request = HttpClientRequest.get(options.baseUrl.toString().replace(/\/+$/, "") + path).pipe(
    HttpClientRequest.appendUrlParams(yield* encode(operation.query, values)),
    HttpClientRequest.acceptJson
  )
  if (operation.keyed && options.apiKey !== undefined) {
    const key = Redacted.value(options.apiKey)
    if (options.keyIn !== "query") request = HttpClientRequest.setHeader(request, "api-key", key)
    if (options.keyIn !== "header") request = HttpClientRequest.appendUrlParam(request, "apiKey", key)
  }
  return request
})

/** The text of a failure, without the key that its URL may hold. */
const describe = (error: HttpClientError.HttpClientError, options: ClientOptions): string => {
  const reason = error.reason
  const cause = "cause" in reason && Predicate.isError(reason.cause) ? reason.cause : undefined
  const inner = cause !== undefined && Predicate.isError(cause.cause) ? cause.cause.message : undefined
  const text = inner ?? cause?.message ?? reason.description ?? reason._tag
  if (options.apiKey === undefined) return text
  const key = Redacted.value(options.apiKey)
  const forms = [
    key,
    encodeURIComponent(key),
    encodeURIComponent(key).replaceAll("%20", "+"),
    new URLSearchParams({ key }).toString().slice(4)
  ]
  return key === "" ? text : forms.reduce((kept, form) => kept.replaceAll(form, "<redacted>"), text)
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
const headerMs = (headers: Headers.Headers, now: number): number | undefined => {
  const text = headers["retry-after"]
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  return Option.getOrUndefined(
    Option.map(DateTime.make(text), (date) => Math.max(0, DateTime.toEpochMillis(date) - now))
  )
}

/** What stands in an error: a body may echo anything, the key included. */
const shownCode = (code: string) =>
  /^[a-z][a-z-]{0,59}$/.test(code) ? `the problem "${code}"` : "a problem without a code"

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: the caller says so with the status.
    return undefined
  }
}

const readProblem = Effect.fnUntraced(function* (
  operation: Operation.Any,
  response: HttpClientResponse.HttpClientResponse,
  body: unknown,
  attempts: number
) {
  const code = Predicate.isObject(body) && "code" in body && Predicate.isString(body.code) ? body.code : ""
  const decode = decoderOf(operation).problems.get(code)
  const unexpected = new UnexpectedAnswer({
    operation: nameOf(operation),
    attempts,
    status: response.status,
    detail: code === "" ? "a body that is no problem of this interface" : shownCode(code)
  })
  const error = decode === undefined ? unexpected : yield* decode(body).pipe(Effect.orElseSucceed(() => unexpected))
  const wish =
    Predicate.isObject(body) && "retryAfterMs" in body && Predicate.isNumber(body.retryAfterMs)
      ? body.retryAfterMs
      : headerMs(response.headers, yield* Clock.currentTimeMillis)
  if (wish !== undefined) retryAfter.set(error, wish)
  return error
})

const quietly = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const names = yield* UrlParams.CurrentRedactedNames
    const headers = yield* Headers.CurrentRedactedNames
    return yield* effect.pipe(
      Effect.provideService(UrlParams.CurrentRedactedNames, [...names, "apiKey"]),
      Effect.provideService(Headers.CurrentRedactedNames, [...headers, "api-key"])
    )
  })

export const attemptWith =
  (http: HttpClient.HttpClient, options: ClientOptions) =>
  <Op extends Operation.Any>(
    operation: Op,
    values: Operation.Request<Op>,
    attempts: number
  ): Effect.Effect<Answer.Answer<Operation.Success<Op>>, AttemptError<Op>> =>
    Effect.gen(function* () {
      const request = yield* buildRequest(operation, values as { readonly [name: string]: unknown }, options)
      const [response, text] = yield* http.execute(request).pipe(
        Effect.flatMap((response) => Effect.map(response.text, (text) => [response, text] as const)),
        Effect.mapError(
          (error) => new TransportError({ operation: nameOf(operation), attempts, detail: describe(error, options) })
        )
      )
      const body = parse(text)
      if (response.status !== 200) return yield* Effect.fail(yield* readProblem(operation, response, body, attempts))
      if (body === undefined && /^\s*</.test(text)) {
        return yield* new UnexpectedAnswer({
          operation: nameOf(operation),
          attempts,
          status: response.status,
          detail: "a page in place of JSON: is this the service?"
        })
      }
      if (body === undefined) {
        return yield* new TransportError({ operation: nameOf(operation), attempts, detail: "the answer is cut off" })
      }
      const value = yield* decoderOf(operation)
        .success(body)
        .pipe(
          Effect.mapError(
            (error) =>
              new UnexpectedAnswer({
                operation: nameOf(operation),
                attempts,
                status: response.status,
                detail: `a body that is not what "${nameOf(operation)}" answers: ${error.message}`
              })
          )
        )
      return Answer.make(value, response.headers)
    }).pipe(quietly) as Effect.Effect<Answer.Answer<Operation.Success<Op>>, AttemptError<Op>>

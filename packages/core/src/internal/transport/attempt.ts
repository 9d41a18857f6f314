/** One attempt of a call: decodes its response. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { RequestInit } from "effect/http/FetchHttpClient"
import * as Headers from "effect/http/Headers"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as UrlParams from "effect/http/UrlParams"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Tracer from "effect/Tracer"
import * as Answer from "../../operation/Answer.ts"
import type * as Operation from "../../operation/Operation.ts"
import type { ClientOptions } from "../../options/ClientOptions.ts"
import { TransportError, UnexpectedResponse } from "../../problem/ClientError.ts"
import { type Received, Revalidation } from "../cache/revalidation.ts"
import { decodeBySchema, parseJson } from "../decode/decoding.ts"
import type { ClientEvents } from "./clientEvents.ts"
import { elapsedMillis } from "./elapsed.ts"
import { buildRequest, type Encoded, getName, shownUrl } from "./request.ts"

/** A failed attempt. */
export interface Failure<E> {
  readonly error: E
  /** The delay that the service asks for, in a header or in the body. */
  readonly retryAfterMs?: number | undefined
}

export type AttemptFailure<Op extends Operation.Any> = Failure<
  Operation.Problem<Op> | TransportError | UnexpectedResponse
>

/** Decoders are cached by operation. */
const decoders = new WeakMap<object, ReturnType<typeof compile>>()
const compile = (operation: Operation.Any) => ({
  success: (operation.decoder ?? decodeBySchema)(operation.inText ?? operation.success),
  problems: new Map(
    operation.problems.map(
      (problem) => [problem.code, Schema.decodeUnknownEffect(Schema.toCodecJson(problem))] as const
    )
  )
})
const toDecoder = (operation: Operation.Any) => {
  const decoder = decoders.get(operation) ?? compile(operation)
  decoders.set(operation, decoder)
  return decoder
}

/** The message of a failure, without the key that its URL may contain. */
const describe = (error: HttpClientError.HttpClientError, options: ClientOptions): string => {
  const reason = error.reason
  const cause = "cause" in reason && Predicate.isError(reason.cause) ? reason.cause : undefined
  const inner = cause !== undefined && Predicate.isError(cause.cause) ? cause.cause.message : undefined
  // The runtime gives some causes an empty message.
  const text = inner || cause?.message || reason.description || reason._tag
  if (options.apiKey === undefined) return text
  const key = Redacted.value(options.apiKey).trim()
  const hidden = text.replaceAll(/(apiKey=)[^&\s"']+/g, "$1<redacted>")
  return hidden.replaceAll(key, "<redacted>").replaceAll(encodeURIComponent(key), "<redacted>")
}

/** How long `Retry-After` asks to wait: seconds, or a date (RFC 9110, 10.2.3). */
export const parseRetryAfter = (headers: Headers.Headers, now: number): number | undefined => {
  const text = headers["retry-after"] ?? ""
  if (/^\d+$/.test(text)) return Number(text) * 1000
  return Option.getOrUndefined(Option.map(DateTime.make(text), (date) => DateTime.toEpochMillis(date) - now))
}

/** Returns the part of a body that an error may quote: a body may echo anything, including the key. */
const shownCode = (code: string) =>
  /^[a-z][a-z-]{0,59}$/.test(code) ? `the problem "${code}"` : "a problem without a code"

/** The value of a response with status 200; any other response is an error. */
const readBody = Effect.fnUntraced(function* (
  operation: Operation.Any,
  { headers, status }: HttpClientResponse.HttpClientResponse,
  text: string,
  attempts: number,
  url: string
) {
  const name = getName(operation)
  const unexpected = (detail: string) => new UnexpectedResponse({ operation: name, url, attempts, status, detail })
  const decoder = toDecoder(operation)
  if (status === 200) {
    const decoded = decoder.success(text)
    if (decoded !== undefined) {
      return yield* Effect.mapError(decoded, ({ message }) => ({
        error: unexpected(`a body that is not what "${name}" answers: ${message}`)
      }))
    }
    return yield* Effect.fail({
      error: /^\s*[^\s[{]/.test(text)
        ? unexpected("a page in place of JSON: is this the service?")
        : new TransportError({ operation: name, url, attempts, detail: "the answer is cut off" })
    })
  }
  const body = parseJson(text)
  const { code: given, retryAfterMs } = Predicate.isObject(body) ? body : {}
  const code = Predicate.isString(given) ? given : ""
  const unknown = unexpected(code === "" ? "a body that is no problem of this interface" : shownCode(code))
  const decode = decoder.problems.get(code)
  return yield* Effect.fail({
    error: decode === undefined ? unknown : yield* Effect.orElseSucceed(decode(body), () => unknown),
    retryAfterMs: Predicate.isNumber(retryAfterMs)
      ? retryAfterMs
      : parseRetryAfter(headers, yield* Clock.currentTimeMillis)
  })
})

/**
 * How every request is sent. Traces redact the names under which the key is sent. A redirect is not followed, since it
 * would take the key to another host; the service sends none. Trace headers, which cost a browser a request in advance,
 * are sent only if the program has a tracer.
 */
export const withRequestRules = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) =>
    effect.pipe(
      Effect.provideService(RequestInit, { ...Context.getOrUndefined(fiber.context, RequestInit), redirect: "manual" }),
      Effect.updateService(
        HttpClient.TracerPropagationEnabled,
        (isEnabled) => isEnabled && fiber.context.mapUnsafe.has(Tracer.TracerKey)
      ),
      Effect.updateService(UrlParams.CurrentRedactedNames, (names) => [...names, "apiKey"]),
      Effect.updateService(Headers.CurrentRedactedNames, (names) => [...names, "api-key"])
    )
  )

export const attemptWith =
  (http: HttpClient.HttpClient, options: ClientOptions, events: Pick<ClientEvents, "request" | "response">) =>
  <Op extends Operation.Any>(
    operation: Op,
    encoded: Encoded,
    attempts: number
  ): Effect.Effect<Answer.Answer<Operation.Success<Op>>, AttemptFailure<Op>> =>
    // The schemas of the operation decoded the value and the problem, as its type says.
    Effect.gen(function* () {
      const name = getName(operation)
      const url = shownUrl(options.baseUrl, encoded)
      const event = { operation: name, url, attempt: attempts }
      const execute = Effect.fnUntraced(
        function* (request: HttpClientRequest.HttpClientRequest) {
          yield* events.request(event)
          const begin = yield* elapsedMillis
          const response = yield* http.execute(request)
          const received: Received = [response, yield* response.text]
          const milliseconds = (yield* elapsedMillis) - begin
          yield* events.response({ ...event, status: response.status, milliseconds })
          return received
        },
        Effect.mapError((error) => ({
          error: new TransportError({ operation: name, url, attempts, detail: describe(error, options) })
        }))
      )
      const read = ([response, text]: Received) =>
        Effect.map(readBody(operation, response, text, attempts, url), (value) => ({
          value,
          headers: response.headers
        }))
      const revalidation = yield* Revalidation
      const { headers, value } = yield* revalidation<object>(buildRequest(operation, encoded, options), execute, read)
      return Answer.makeWith(value, headers, operation.proof?.(headers))
    }).pipe(withRequestRules) as Effect.Effect<Answer.Answer<Operation.Success<Op>>, AttemptFailure<Op>>

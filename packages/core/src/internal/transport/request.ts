/**
 * The request of a call. Internal because only the operation's type parameter knows its parameters, which a cast
 * states.
 */
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Operation from "../../operation/Operation.ts"
import type { ClientOptions } from "../../options/ClientOptions.ts"
import { InvalidParameter } from "../../problem/Problem.ts"

export const getName = (operation: Operation.Any): string => `${operation.group}.${operation.name}`

export const toInvalidParameter = (parameter: string, message: string) =>
  new InvalidParameter({ detail: `Parameter "${parameter}": ${message}.`, issues: [{ parameter, message }] })

const toText = (value: unknown): string => {
  try {
    return String(value)
  } catch {
    // An object without a text, such as one of `Object.create(null)`.
    return typeof value
  }
}

export const toInvalidValue = (name: string, value: unknown, rule: string) =>
  toInvalidParameter(
    name,
    `${value === undefined ? "it is missing" : `"${toText(value)}" can't be sent`}: it must be ${rule}`
  )

/** A request as path and query, relative to the base URL and without the key. */
export interface Encoded {
  readonly path: string
  readonly query: ReadonlyArray<readonly [string, string]>
}

/** Equal for two requests only if they are the same request. */
export const toIdentity = (operation: Operation.Any, { path, query }: Encoded): string =>
  JSON.stringify([getName(operation), path, query])

export const encodeRequest = <Op extends Operation.Any>(
  operation: Op,
  request: Operation.Input<Op>
): Effect.Effect<Encoded, InvalidParameter> =>
  Effect.gen(function* () {
    const values = (request ?? {}) as { readonly [name: string]: unknown }
    const all = { ...operation.params, ...operation.query }
    // Without types a caller can pass anything, or nothing.
    for (const [name, value] of Object.entries(values)) {
      if (value !== undefined && !Object.hasOwn(all, name)) {
        return yield* toInvalidParameter(
          name,
          `it is not a parameter here: allowed are ${Object.keys(all).join(", ") || "none"}`
        )
      }
    }
    let path: string = operation.path
    const query: Array<readonly [string, string]> = []
    for (const [name, { convert, rule, ruleInProgram = rule, schema }] of Object.entries(all)) {
      const given = values[name]
      const value = convert === undefined ? given : convert(given)
      const isInPath = Object.hasOwn(operation.params, name)
      if (value === undefined && !isInPath) continue
      const text = yield* Schema.encodeUnknownEffect(schema)(value).pipe(
        Effect.mapError(() => toInvalidValue(name, value, ruleInProgram))
      )
      if (text === undefined) continue
      if (!isInPath) {
        query.push([name, text])
        continue
      }
      // A URL resolves dot segments, and cannot encode a lone surrogate.
      if (/^\.\.?$/.test(text) || !text.isWellFormed()) return yield* toInvalidValue(name, value, "a text for a path")
      path = path.replace(`:${name}`, () => encodeURIComponent(text))
    }
    return { path, query }
  })

const toBase = (baseUrl: string | URL): string => baseUrl.toString().replace(/[\s/]+$/, "")

/** The address of a request in messages: without the key. */
export const shownUrl = (baseUrl: string | URL, { path, query }: Encoded): string =>
  toBase(baseUrl) + path + (query.length === 0 ? "" : `?${new URLSearchParams(Object.fromEntries(query))}`)

export const buildRequest = (operation: Operation.Any, { path, query }: Encoded, options: ClientOptions) => {
  let request = HttpClientRequest.get(toBase(options.baseUrl) + path).pipe(
    HttpClientRequest.appendUrlParams(query),
    HttpClientRequest.acceptJson
  )
  if (operation.requiresApiKey && options.apiKey !== undefined) {
    const key = Redacted.value(options.apiKey).trim()
    const { apiKeyLocation = "header" } = options
    if (apiKeyLocation !== "query") request = HttpClientRequest.setHeader(request, "api-key", key)
    if (apiKeyLocation !== "header") request = HttpClientRequest.appendUrlParam(request, "apiKey", key)
  }
  return request
}

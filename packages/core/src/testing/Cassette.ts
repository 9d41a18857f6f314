/**
 * Recorded responses of a service, replayed without it.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { Cassette } from "@chaintape/core/testing"
 *
 * const entry: Cassette.Entry = {
 *   method: "GET",
 *   path: "/ping",
 *   query: [],
 *   status: 200,
 *   headers: { "content-type": "application/json" },
 *   body: '{"ping":"pong","ip":"192.0.2.1"}'
 * }
 * const recording: Cassette.Cassette = { ...Cassette.empty, entries: [entry] }
 *
 * // The two errors of a test: a file that is no cassette, and a request that was not recorded.
 * const damaged = new Cassette.InvalidCassette({ detail: "it has no entries" })
 * const missing = new Cassette.NotRecorded({ request: "GET /ping", recorded: [] })
 * assert.equal(recording.entries.length, 1)
 * assert.match(damaged.message, /Record it again/)
 * assert.match(missing.message, /GET \/ping/)
 * ```
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import { refuseStream } from "../internal/live/streamRefusal.ts"
import { getHeaders, toResponse } from "../internal/testing/httpResponse.ts"

const Parameter = Schema.Tuple([Schema.String, Schema.String])

/**
 * One request and its response. Neither contains the key.
 *
 * @since 0.1.0
 * @category models
 */
export const Entry = Schema.Struct({
  method: Schema.String,
  path: Schema.String,
  /** Sorted by name, then by value. */
  query: Schema.Array(Parameter),
  status: Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 599 })),
  headers: Schema.Record(Schema.String, Schema.String),
  /** The text as received, so that every digit is preserved. */
  body: Schema.String
})

/**
 * @since 0.1.0
 * @category models
 */
export type Entry = typeof Entry.Type

/**
 * A recording: plain JSON, to be stored with a test.
 *
 * @example
 * ```ts
 * import { Cassette } from "@chaintape/core/testing"
 *
 * const text: string = JSON.stringify(Cassette.empty)
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export const Cassette = Schema.Struct({
  format: Schema.Literal("chaintape-cassette"),
  version: Schema.Literal(1),
  entries: Schema.Array(Entry)
})

/**
 * @since 0.1.0
 * @category models
 */
export type Cassette = typeof Cassette.Type

/**
 * An empty recording.
 *
 * @since 0.1.0
 * @category constants
 */
export const empty: Cassette = { format: "chaintape-cassette", version: 1, entries: [] }

/**
 * The value is not a cassette of this version.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidCassette extends Data.TaggedError("InvalidCassette")<{
  /** Describes the mistake in the recording. */
  readonly detail: string
}> {
  override get message(): string {
    return `This is no cassette of version 1: ${this.detail}. Record it again.`
  }
}

/**
 * The cassette has no response to a request. A defect: the program under test sends other requests than those recorded.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotRecorded extends Data.TaggedError("NotRecorded")<{
  /** The method and the address of the request. */
  readonly request: string
  /** The requests that the cassette holds. */
  readonly recorded: ReadonlyArray<string>
}> {
  override get message(): string {
    const held = this.recorded.length === 0 ? "nothing" : this.recorded.join(", ")
    return `The cassette has no answer to ${this.request}: it holds ${held}. Record it again with this request.`
  }
}

const parseRequest = (request: HttpClientRequest.HttpClientRequest, url: URL) => {
  const query = [...url.searchParams].filter(([name]) => name !== "apiKey")
  const sorted = query.sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
  return { method: request.method, path: url.pathname, query: sorted }
}

const toRequestText = ({ method, path, query }: Pick<Entry, "method" | "path" | "query">): string => {
  const text = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString()
  return `${method} ${path}${text === "" ? "" : `?${text}`}`
}

/** Every form in which a service could repeat the key of the request. */
const getSpellings = (key: string) => [key, encodeURIComponent(key), new URLSearchParams({ key }).toString().slice(4)]

const makeRedaction = (request: HttpClientRequest.HttpClientRequest, url: URL) => {
  const keys = [request.headers["api-key"], ...url.searchParams.getAll("apiKey")]
  const secrets = keys.flatMap((key) => (key === undefined || key === "" ? [] : getSpellings(key)))
  return (text: string) => secrets.reduce((kept, secret) => kept.replaceAll(secret, "<redacted>"), text)
}

/**
 * An `HttpClient` that records the exchanges of the `HttpClient` in the context into `recording`, in the order of the
 * responses. The key of a request, and every repetition of it, is removed.
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import { Cassette } from "@chaintape/core/testing"
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 * import * as Ref from "effect/Ref"
 *
 * export const recorded = <A, E>(program: Effect.Effect<A, E, Client>) =>
 *   Effect.gen(function* () {
 *     const recording = yield* Ref.make(Cassette.empty)
 *     const client = Client.layerNoDeps({ baseUrl: "http://127.0.0.1:3000" }).pipe(
 *       Layer.provide(Cassette.layerRecord(recording)),
 *       Layer.provide(FetchHttpClient.layer)
 *     )
 *     yield* Effect.provide(program, client)
 *     return JSON.stringify(yield* Ref.get(recording))
 *   })
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layerRecord = (
  recording: Ref.Ref<Cassette>
): Layer.Layer<HttpClient.HttpClient, never, HttpClient.HttpClient> =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (http) =>
      HttpClient.make((request, url) =>
        Effect.gen(function* () {
          const none = refuseStream(request)
          if (none !== undefined) return none
          const response = yield* http.execute(request)
          const body = yield* response.text
          const hide = makeRedaction(request, url)
          const { path, query, method } = parseRequest(request, url)
          const entry: Entry = {
            method,
            path: hide(path),
            query: query.map(([name, value]): [string, string] => [name, hide(value)]),
            status: response.status,
            headers: Object.fromEntries(Object.entries(getHeaders(response)).map(([name, text]) => [name, hide(text)])),
            body: hide(body)
          }
          yield* Ref.update(recording, (kept) => ({ ...kept, entries: [...kept.entries, entry] }))
          return HttpClientResponse.fromWeb(request, toResponse(response.status, getHeaders(response), body))
        })
      )
    )
  )

/**
 * An `HttpClient` that responds from a cassette, whatever the address of the service. A request matches by method, path
 * and query; the order of the query does not matter, and the key is ignored. Equal requests get their responses in the
 * order of the recording, and the last one from then on. Any other request dies with `NotRecorded`.
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import { Cassette } from "@chaintape/core/testing"
 * import * as Layer from "effect/Layer"
 *
 * export const replaying = (text: string) =>
 *   Client.layerNoDeps({ baseUrl: "http://replayed.test" }).pipe(
 *     Layer.provide(Cassette.layerReplay(JSON.parse(text)))
 *   )
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layerReplay = (recording: unknown): Layer.Layer<HttpClient.HttpClient, InvalidCassette> =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.gen(function* () {
      const { entries } = yield* Schema.decodeUnknownEffect(Cassette)(recording).pipe(
        Effect.mapError(({ message }) => new InvalidCassette({ detail: message }))
      )
      const answers = Map.groupBy(entries, toRequestText)
      const given = new Map<string, number>()
      return HttpClient.make((request, url) =>
        Effect.suspend(() => {
          const none = refuseStream(request)
          if (none !== undefined) return Effect.succeed(none)
          const name = toRequestText(parseRequest(request, url))
          const count = given.get(name) ?? 0
          const known = answers.get(name)
          const entry = known?.[Math.min(count, known.length - 1)]
          if (entry === undefined) return Effect.die(new NotRecorded({ request: name, recorded: [...answers.keys()] }))
          given.set(name, count + 1)
          return Effect.succeed(
            HttpClientResponse.fromWeb(request, toResponse(entry.status, entry.headers, entry.body))
          )
        })
      )
    })
  )

import { Clock, Context, Effect, Layer } from "effect"
import type { HttpServerResponse } from "effect/http"
import { budgetHeaderNames } from "../../auth/limits/BudgetHeaders.ts"
import type { Cacheable } from "../../internal/handler/Cacheable.ts"
import { LruMap } from "../../internal/LruMap.ts"
import { toMonotonicMillis } from "../../internal/monotonic.ts"
import { type RequestContext, requestIdHeader, type RoutedOperation } from "../request/RequestContext.ts"
import { encodeBody, codingFor, codings, minCompressedBytes, toWeakEtag } from "../response/Compression.ts"
import type { Coding } from "../response/Compression.ts"
import { matchesEtag, withoutContent } from "../response/ResponseHeaders.ts"

/** Text in latin1, or chunks. */
type Body = string | ReadonlyArray<Uint8Array>

/** A response in one of its forms: identity, encoded, or without the body that its client has. */
export interface Representation {
  readonly status: 200 | 304
  /** Names and values, alternating. */
  readonly headers: ReadonlyArray<string>
  readonly body: Body
}

/** Requests for an encoding before its body is cached. */
const requestsUntilEncoded = 2

interface Encoded {
  wanted: number
  representation?: Representation
}

/** The request headers that select a representation. */
export interface Preferences {
  readonly acceptEncoding: string | undefined
  readonly ifNoneMatch: string | undefined
}

/** A route of an operation. */
export interface CachedRoute {
  readonly template: string
  readonly operation: RoutedOperation
}

/** A response as it was sent, without the headers of its request. Each of its representations is made once. */
export class CachedResponse {
  readonly cacheable: Cacheable
  /** The template of its path. */
  readonly template: string
  readonly operation: RoutedOperation
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: number
  readonly #identity: Representation
  readonly #notModified: Representation
  readonly #encoded = new Map<Coding, Encoded>()
  #encodedBytes = 0

  constructor(
    cacheable: Cacheable,
    { operation, template }: CachedRoute,
    headers: Readonly<Record<string, string>>,
    body: Body,
    bytes: number
  ) {
    this.cacheable = cacheable
    this.template = template
    this.operation = operation
    this.headers = headers
    this.bytes = bytes
    this.#identity = { status: 200, headers: Object.entries(headers).flat(), body }
    this.#notModified = { status: 304, headers: Object.entries(withoutContent(headers)).flat(), body: "" }
  }

  /** The bytes of all stored bodies. */
  get storedBytes(): number {
    return this.bytes + this.#encodedBytes
  }

  /** The representation for a client, if it is stored. */
  select({ acceptEncoding, ifNoneMatch }: Preferences): Representation | undefined {
    if (matchesEtag(ifNoneMatch, this.headers["etag"] ?? "")) return this.#notModified
    const coding = this.bytes < minCompressedBytes ? undefined : codingFor(acceptEncoding)
    return coding === undefined ? this.#identity : this.#encoded.get(coding)?.representation
  }

  /**
   * Counts a client that received this encoding from the full pipeline, which encodes while it sends. `onEncoded` runs
   * when the encoded body was stored, if this client is the one for which it is made.
   */
  countEncoded(coding: Coding, onEncoded: () => void): void {
    const state = this.#encoded.get(coding) ?? { wanted: 0 }
    this.#encoded.set(coding, state)
    state.wanted += 1
    if (state.wanted !== requestsUntilEncoded) return
    const { body } = this.#identity
    encodeBody(coding, typeof body === "string" ? Buffer.from(body, "latin1") : Buffer.concat(body), (whole) => {
      state.representation = this.#encode(coding, whole)
      this.#encodedBytes += whole.length
      onEncoded()
    })
  }

  #encode(coding: Coding, body: Buffer): Representation {
    const { etag, ...others } = this.headers
    const own = { ...others, "content-encoding": coding, "content-length": String(body.length) }
    return {
      status: 200,
      headers: Object.entries(etag === undefined ? own : { ...own, etag: toWeakEtag(etag) }).flat(),
      body: [body]
    }
  }
}

/** Milliseconds until an entry expires. Data that is dropped, such as old days of a tape, leaves the cache within this time. */
const maxAgeMs = 10_000

const maxEntries = 4096
const maxBytes = 48 * 1024 * 1024
/** Of one entry: 50,000 trades take less. */
const maxEntryBytes = maxBytes / 6

interface Entry {
  readonly response: CachedResponse
  readonly since: number
  /** Of all its bodies. */
  readonly bytes: number
}

/** Headers that belong to one request: each response from the cache gets its own. */
const perRequest = new Set<string>([requestIdHeader, ...budgetHeaderNames])

/** Characters of a body that is written together with the headers. More are written faster as bytes, without a conversion. */
const maxTextLength = 16_384

/** As latin1 text, one byte per character, if it is short. */
const toBody = ({ body }: HttpServerResponse.HttpServerResponse, { parts }: Cacheable, bytes: number) => {
  if (body._tag !== "Uint8Array") return parts
  return body.text?.length === bytes && bytes <= maxTextLength ? body.text : [body.body]
}

const toCached = (
  { cacheable, route }: RequestContext,
  whole: HttpServerResponse.HttpServerResponse
): CachedResponse | undefined => {
  const bytes = Number(whole.headers["content-length"])
  const operation = route?.operation
  if (cacheable === undefined || route === undefined || operation === undefined || !Number.isInteger(bytes))
    return undefined
  const body = toBody(whole, cacheable, bytes)
  if (body === undefined) return undefined
  const headers = Object.fromEntries(Object.entries(whole.headers).filter(([name]) => !perRequest.has(name)))
  return new CachedResponse(cacheable, { template: route.template, operation }, headers, body, bytes)
}

/** Responses, each while it is current. */
export class ResponseCache extends Context.Service<
  ResponseCache,
  {
    readonly find: (key: string) => CachedResponse | undefined
    readonly put: (key: string, response: CachedResponse) => void
    /**
     * Stores a response before it is encoded, if its handler declared it cacheable. `sent` is what its client receives.
     */
    readonly store: (
      context: RequestContext,
      whole: HttpServerResponse.HttpServerResponse,
      sent: HttpServerResponse.HttpServerResponse
    ) => void
  }
>()("@chaintape/server/http/cache/ResponseCache") {
  static readonly layer = Layer.effect(
    ResponseCache,
    Effect.map(Clock.Clock, (clock) => {
      const entries = new LruMap<string, Entry>({
        entries: maxEntries,
        weight: { max: maxBytes, of: ({ bytes }) => bytes }
      })
      const find = (key: string): CachedResponse | undefined => {
        const entry = entries.get(key)
        if (entry === undefined) return undefined
        const { isCurrent, neverExpires = false } = entry.response.cacheable
        if ((!neverExpires && toMonotonicMillis(clock) - entry.since >= maxAgeMs) || !isCurrent()) {
          entries.delete(key)
          return undefined
        }
        return entry.response
      }
      const put = (key: string, response: CachedResponse): void => {
        if (response.bytes > maxEntryBytes) {
          entries.delete(key)
          return
        }
        entries.set(key, { response, since: toMonotonicMillis(clock), bytes: response.storedBytes })
      }
      const updateBytes = (key: string, response: CachedResponse): void => {
        const entry = entries.get(key)
        if (entry?.response === response) entries.set(key, { ...entry, bytes: response.storedBytes })
      }
      return ResponseCache.of({
        find,
        put,
        store: (context, whole, sent) => {
          const key = context.cacheable === undefined ? undefined : context.cacheTarget?.key
          if (key === undefined || whole.status !== 200) return
          const known = find(key)
          const response = known ?? toCached(context, whole)
          if (response === undefined) return
          if (known === undefined) put(key, response)
          const coding = codings.find((one) => one === sent.headers["content-encoding"])
          if (coding !== undefined) response.countEncoded(coding, () => updateBytes(key, response))
        }
      })
    })
  )
}

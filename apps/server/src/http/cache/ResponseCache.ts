import { Clock, Context, Effect, Layer } from "effect"
import type { HttpServerResponse } from "effect/http"
import { budgetHeaderNames } from "../../auth/limits/BudgetHeaders.ts"
import type { Cacheable } from "../../internal/handler/Cacheable.ts"
import { LruMap } from "../../internal/LruMap.ts"
import { toMonotonicMillis } from "../../internal/monotonic.ts"
import { type RequestContext, requestIdHeader } from "../request/RequestContext.ts"
import { codings } from "../response/Compression.ts"
import { CachedResponse } from "./CachedResponse.ts"

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
        response.onEncoded = () => {
          const entry = entries.get(key)
          if (entry?.response === response) entries.set(key, { ...entry, bytes: response.storedBytes })
        }
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
          if (coding !== undefined) response.countEncoded(coding)
        }
      })
    })
  )
}

/** The entries of a cache and how long they are fresh. */
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Answer from "../../operation/Answer.ts"
import type * as Operation from "../../operation/Operation.ts"
import type { DecodedResponse, Received, Revalidation } from "./revalidation.ts"

/** A cached response. */
export interface CachedResponse extends DecodedResponse {
  /** Bytes of the body. */
  readonly size: number
}

interface Entry extends CachedResponse {
  /** The time of the request, in Unix milliseconds. */
  readonly requestedAt: number
  /** Unix milliseconds until which the entry is fresh. */
  readonly freshUntil: number
}

const parseDirectives = (headers: Headers.Headers): ReadonlyMap<string, string> =>
  new Map(
    (headers["cache-control"] ?? "").split(",").map((part): [string, string] => {
      const [name = "", value = ""] = part.trim().toLowerCase().split("=", 2)
      return [name, value.replaceAll('"', "")]
    })
  )

/**
 * Unix milliseconds until which the response to a request at the time `requestedAt` is fresh; undefined if it may not be
 * stored.
 */
const getFreshUntil = (headers: Headers.Headers, requestedAt: number): number | undefined => {
  const directives = parseDirectives(headers)
  if (directives.has("no-store")) return undefined
  if (directives.has("no-cache")) return requestedAt
  const maxAge = directives.get("max-age")
  if (maxAge === undefined) return directives.has("immutable") ? Infinity : requestedAt
  const age = headers["age"] ?? "0"
  return /^\d+$/.test(maxAge) && /^\d+$/.test(age) ? requestedAt + (Number(maxAge) - Number(age)) * 1000 : requestedAt
}

/** The headers about the value. The others, such as the request id, belong to one response only. */
const selectValueHeaders = (headers: Headers.Headers): Headers.Headers =>
  Headers.fromInput(Object.entries(headers).filter(([name]) => name === "etag" || name.startsWith("chaintape-")))

/** An intermediary that compresses a response makes its tag weak. */
const isSameTag = (left: string, right: string): boolean => left.replace(/^W\//, "") === right.replace(/^W\//, "")

/** Revalidates an entry if there is one, and stores the response. */
export const makeRevalidation = (
  known: CachedResponse | undefined,
  store: (answer: CachedResponse) => void
): Revalidation => {
  const etag = known?.headers["etag"]
  const confirm = ([{ headers, status }]: Received): CachedResponse | undefined =>
    status === 304 && known !== undefined && etag !== undefined && isSameTag(headers["etag"] ?? etag, etag)
      ? { ...known, headers: Headers.merge(known.headers, headers) }
      : undefined
  return Effect.fnUntraced(function* (request, execute, read) {
    const first = yield* execute(
      etag === undefined ? request : HttpClientRequest.setHeader(request, "if-none-match", etag)
    )
    // A 304 with another tag confirms nothing: the request is repeated without the tag.
    const isRepeated = confirm(first) === undefined && first[0].status === 304
    const received = isRepeated ? yield* execute(request) : first
    const answer = confirm(first) ?? { ...(yield* read(received)), size: new TextEncoder().encode(received[1]).length }
    store(answer)
    return answer
  })
}

/** A response without a request. The cast says that the same operation decoded the value: an identity begins with its name. */
export const getAnswer = <Op extends Operation.Any>(
  operation: Op,
  { headers, value }: DecodedResponse
): Answer.Answer<Operation.Success<Op>> =>
  Answer.makeWith(value as Operation.Success<Op>, headers, operation.proof?.(headers))

/** The least recently used entries are evicted. */
export const makeResponseCache = (bounds: { readonly entries: number; readonly bytes: number }) => {
  const entries = new Map<string, Entry>() // the one used longest ago first
  let bytes = 0

  const remove = (identity: string) => {
    bytes -= entries.get(identity)?.size ?? 0
    entries.delete(identity)
  }

  return {
    find: (identity: string): Entry | undefined => {
      const entry = entries.get(identity)
      if (entry === undefined) return undefined
      entries.delete(identity)
      entries.set(identity, entry)
      return entry
    },
    store: (identity: string, { headers, size, value }: CachedResponse, requestedAt: number): void => {
      remove(identity)
      const until = getFreshUntil(headers, requestedAt)
      if (until === undefined || (until <= requestedAt && headers["etag"] === undefined) || size > bounds.bytes) return
      entries.set(identity, { value, headers: selectValueHeaders(headers), size, requestedAt, freshUntil: until })
      bytes += size
      for (const oldest of entries.keys()) {
        if (entries.size <= bounds.entries && bytes <= bounds.bytes) return
        remove(oldest)
      }
    }
  }
}

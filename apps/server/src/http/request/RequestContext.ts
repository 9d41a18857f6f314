import { randomUUID } from "node:crypto"
import { IncomingMessage } from "node:http"
import type { HttpServerRequest } from "effect/http"
import type { Cacheable } from "../../internal/handler/Cacheable.ts"
import { findRoute } from "./Routes.ts"
import type { Route } from "./Routes.ts"

/** A path without any of these characters, with an optional query. */
const ordinaryTarget = /^\/[^?;#]*(?:\?|$)/

const absoluteForm = /^https?:\/\/[^/?#;]*/i

/**
 * The request target as every route parses it. A proxy's absolute form loses its authority, and only `?` ends the path:
 * the router would also end it at `;` and `#`, and accept a key from behind them that is logged as a part of the path.
 */
const originForm = (url: string): string => {
  if (ordinaryTarget.test(url)) return url
  const target = url.replace(absoluteForm, "")
  const question = target.indexOf("?")
  const path = question < 0 ? target : target.slice(0, question)
  const query = question < 0 ? "" : target.slice(question)
  const plain = path.replaceAll(";", "%3B").replaceAll("#", "%23")
  return (plain.startsWith("/") ? plain : `/${plain}`) + query
}

const maxShownLength = 200
const namedKey = /(api[-_]?key(?:=|%3D))[^/&;]+/gi
const keyOfOurForm = /chaintape_[\w-]{16,}/g

/** The prefix of every key and of every key id. */
const mayHoldKey = /key|chaintape_/i

/** Text without the keys of our form that a caller put there by mistake. */
export const withoutOurKeys = (text: string): string => text.replace(keyOfOurForm, "chaintape_…")

const withoutKeys = (text: string): string =>
  mayHoldKey.test(text) ? withoutOurKeys(text.replace(namedKey, "$1…")) : text

/** A path for logs and problems, with a key that a caller put there by mistake removed. */
export const shownPath = (path: string): string => {
  const masked = withoutKeys(path)
  return masked.length > maxShownLength ? `${masked.slice(0, maxShownLength)}…` : masked
}

/** The parameter that spans redact by name. */
const keyInQuery = /([?&]apiKey=)[^&]*/g

/** Whether a key is in the URL where it does not belong: in another parameter, for example, or in the path. */
export const holdsStrayKey = (url: string): boolean => {
  const rest = url.replace(keyInQuery, "")
  return withoutKeys(rest) !== rest
}

const isDecodable = (text: string): boolean => {
  if (!text.includes("%")) return true
  try {
    decodeURIComponent(text.replaceAll("+", " "))
    return true
  } catch {
    // Thrown for a sequence that is not UTF-8.
    return false
  }
}

/** As an invalid parameter has it. */
interface Issue {
  readonly parameter: string
  readonly message: string
}

/** The query parameters with percent sequences that do not decode. */
export const percentIssues = (url: string): ReadonlyArray<Issue> => {
  const question = url.indexOf("?")
  if (question < 0 || isDecodable(url.slice(question + 1))) return []
  return url
    .slice(question + 1)
    .split("&")
    .flatMap((pair): ReadonlyArray<Issue> => {
      if (isDecodable(pair)) return []
      const name = pair.split("=", 1)[0] ?? ""
      const parameter = isDecodable(name) ? decodeURIComponent(name) : name
      return [{ parameter, message: "a percent sign must begin the code of a character, such as %20" }]
    })
}

/** Whether the path contains a percent sequence that does not decode. */
export const isPathDecodable = (url: string): boolean => isDecodable(url.split("?", 1)[0] ?? "")

/** Names a request, in the request and in its response. */
export const requestIdHeader = "x-request-id"

const validId = /^[\w.:-]{1,64}$/

/** Longer URLs are not cached. */
const maxCachedLength = 512

/** A URL of only these characters has one reading. */
const plainUrl = /^\/[\w./-]*(?:\?[\w.&=-]*)?$/

const keyParameter = "apiKey="
const limitParameter = "limit="

/** A request without its caller, for the cache. */
export interface CacheTarget {
  /** Equal keys have equal responses. */
  readonly key: string
  /** The parameter `apiKey`. */
  readonly apiKey: string | undefined
  /** The parameter `limit`. */
  readonly limit: string | undefined
}

const toCacheTarget = (url: string, path: string, query: string): CacheTarget | undefined => {
  if (url.length > maxCachedLength || !plainUrl.test(url)) return undefined
  if (query === "") return { key: path, apiKey: undefined, limit: undefined }
  const pairs = query.split("&")
  const keys = pairs.filter((pair) => pair.startsWith(keyParameter))
  const others = pairs.filter((pair) => !pair.startsWith(keyParameter))
  if (keys.length > 1) return undefined
  return {
    key: others.length === 0 ? path : `${path}?${others.join("&")}`,
    apiKey: keys[0]?.slice(keyParameter.length),
    limit: others.find((pair) => pair.startsWith(limitParameter))?.slice(limitParameter.length)
  }
}

/** Everything that is derived from the target of a request, once. */
export class RequestContext {
  /** The client's own id if it is a valid token, a new one otherwise. */
  readonly id: string
  /** The target in origin form. */
  readonly url: string
  readonly path: string
  /** Without its question mark. */
  readonly query: string
  /** Set by a handler whose response may be cached. */
  cacheable: Cacheable | undefined
  #route: { readonly found: Route | undefined } | undefined
  #cacheTarget: { readonly found: CacheTarget | undefined } | undefined

  constructor(target: string, requestId: string | undefined) {
    this.id = requestId !== undefined && validId.test(requestId) ? requestId : randomUUID()
    this.url = originForm(target)
    const question = this.url.indexOf("?")
    this.path = question < 0 ? this.url : this.url.slice(0, question)
    this.query = question < 0 ? "" : this.url.slice(question + 1)
  }

  /** Undefined for an unknown path. */
  get route(): Route | undefined {
    this.#route ??= { found: findRoute(this.path) }
    return this.#route.found
  }

  /** Undefined for a URL that is not cached. */
  get cacheTarget(): CacheTarget | undefined {
    this.#cacheTarget ??= { found: toCacheTarget(this.url, this.path, this.query) }
    return this.#cacheTarget.found
  }
}

/** A request of the server with its context. */
export class ContextualRequest extends IncomingMessage {
  #context: RequestContext | undefined

  get context(): RequestContext {
    this.#context ??= new RequestContext(this.url ?? "", this.headers[requestIdHeader]?.toString())
    return this.#context
  }
}

export const getContext = ({ headers, source, url }: HttpServerRequest.HttpServerRequest): RequestContext =>
  source instanceof ContextualRequest ? source.context : new RequestContext(url, headers[requestIdHeader])

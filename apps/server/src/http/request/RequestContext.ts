import { randomUUID } from "node:crypto"
import { IncomingMessage } from "node:http"
import { operations } from "@chaintape/contract"
import type { HttpServerRequest } from "effect/http"
import type { Cacheable } from "../../internal/handler/Cacheable.ts"
import { pageFamilies, pagePaths } from "../../web/layout/PagePaths.ts"
import { problemPages } from "../../web/ProblemPages.ts"
import { liveOperations } from "../live/LiveOperations.ts"

/** An operation of the contract or a stream. */
export interface RoutedOperation {
  readonly group: string
  readonly name: string
  readonly requiresApiKey: boolean
}

/** A path of the service. */
export interface Route {
  /** With `:name` for each parameter. Text chosen by clients must not become a metric label. */
  readonly template: string
  readonly pattern: RegExp
  /** Undefined for a page. */
  readonly operation?: RoutedOperation
  /** Whether the page accepts forms, by POST. */
  readonly takesForms: boolean
  /** Whether a request without a handler has the wrong method, and not the wrong path. */
  readonly exists: boolean
}

const toPattern = (path: string, end = "") => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}${end}$`)

const toPage = (path: string): Route => ({ template: path, pattern: toPattern(path), takesForms: false, exists: true })

/** The files of the guide, in folders of any depth. */
const guide: Route = { ...toPage("/guide/:page"), pattern: /^\/guide\//, exists: false }

/** All paths of the service. */
export const routes: ReadonlyArray<Route> = [
  ...[...operations, ...liveOperations].map(({ group, name, path, requiresApiKey }): Route => ({
    template: path,
    pattern: toPattern(path, "/?"),
    operation: { group, name, requiresApiKey },
    takesForms: false,
    exists: true
  })),
  ...Object.entries(pagePaths).map(([path, [, post]]): Route => ({ ...toPage(path), takesForms: post !== undefined })),
  ...[...problemPages.keys()]
    .filter((path) => !(path in pagePaths))
    .map((path): Route => ({ ...toPage(path), template: "/problems/:code" })),
  ...pageFamilies.map((path): Route => (path === guide.template ? guide : { ...toPage(path), exists: false }))
]

const toSegments = (path: string): number => {
  let count = 0
  for (let at = path.indexOf("/"); at >= 0 && at < path.length - 1; at = path.indexOf("/", at + 1)) count += 1
  return count
}

/** Indexed by the number of segments, so that few are compared. */
const bySegments = Map.groupBy(routes, ({ template }) => toSegments(template))

export const findRoute = (path: string): Route | undefined =>
  guide.pattern.test(path) ? guide : bySegments.get(toSegments(path))?.find(({ pattern }) => pattern.test(path))

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

/** Whether the percent sequences of a part of a URL decode. */
export const isDecodable = (text: string): boolean => {
  if (!text.includes("%")) return true
  try {
    decodeURIComponent(text.replaceAll("+", " "))
    return true
  } catch {
    // Thrown for a sequence that is not UTF-8.
    return false
  }
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

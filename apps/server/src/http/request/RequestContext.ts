import { randomUUID } from "node:crypto"
import { IncomingMessage } from "node:http"
import type { HttpServerRequest } from "effect/http"
import type { Cacheable } from "../../internal/handler/Cacheable.ts"
import { originForm } from "./RequestTarget.ts"
import { findRoute } from "./Routes.ts"
import type { Route } from "./Routes.ts"

const validId = /^[\w.:-]{1,64}$/

/** Longer URLs are not cached. */
const longestCached = 512

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
  if (url.length > longestCached || !plainUrl.test(url)) return undefined
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
    this.#context ??= new RequestContext(this.url ?? "", this.headers["x-request-id"]?.toString())
    return this.#context
  }
}

export const getContext = ({ headers, source, url }: HttpServerRequest.HttpServerRequest): RequestContext =>
  source instanceof ContextualRequest ? source.context : new RequestContext(url, headers["x-request-id"])

/** The transport to the service: calls report it to a listener, so that a live stream can use the same one. */
import * as Context from "effect/Context"
import type * as HttpClient from "effect/http/HttpClient"
import type { ClientOptions } from "../../options/ClientOptions.ts"

/** Called before each call over HTTP: a scripted client has none. */
export type RouteObserver = (http: HttpClient.HttpClient, options: ClientOptions) => void

/** Undefined if there is no listener. */
export const RouteObserver = /* @__PURE__ */ Context.Reference<RouteObserver | undefined>(
  "@chaintape/core/internal/RouteObserver",
  { defaultValue: () => undefined }
)

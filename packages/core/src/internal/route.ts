/** The way to the service: the attempts of a call tell it to whoever asks, so that a live stream can go the same way. */
import * as Context from "effect/Context"
import type * as HttpClient from "effect/http/HttpClient"
import type { ClientOptions } from "../client/ClientOptions.ts"

/** Called before each attempt that goes over HTTP: a client of a script has none. */
export type RouteObserver = (http: HttpClient.HttpClient, options: ClientOptions) => void

/** Undefined where nobody asks. */
export const RouteObserver = /* @__PURE__ */ Context.Reference<RouteObserver | undefined>(
  "@chaintape/core/internal/RouteObserver",
  { defaultValue: () => undefined }
)

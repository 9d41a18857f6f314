import type { HttpServerResponse } from "effect/http"

/**
 * A response that is already encoded, in place of the value that the contract would encode. `HttpApiBuilder` passes a
 * response through unchanged, but the type of a handler does not say so: hence the cast. The body must match the
 * operation's schema exactly; the contract tests decode it with that schema.
 */
export const toHandlerResult = <A>(response: HttpServerResponse.HttpServerResponse): A => response as unknown as A

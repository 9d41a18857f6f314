import { randomUUID } from "node:crypto"
import type { HttpServerRequest } from "effect/http"

const sane = /^[\w.:-]{1,64}$/

/** The caller's own id where it is a sane token, a new one otherwise. */
export const requestIdOf = (request: HttpServerRequest.HttpServerRequest): string => {
  const given = request.headers["x-request-id"]
  return given !== undefined && sane.test(given) ? given : randomUUID()
}

import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"

const sane = /^[\w.:-]{1,64}$/

/** The caller's own id where it is a sane token, a new one otherwise. */
export const requestIdOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string> =>
  Effect.sync(() => {
    const given = request.headers["x-request-id"]
    return given !== undefined && sane.test(given) ? given : randomUUID()
  })

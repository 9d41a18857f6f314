import { Caller, RateLimit } from "@chaintape/contract"
import { Effect, Layer } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { CallerAddress } from "../CallerAddress.ts"
import { Admissions } from "./Admissions.ts"
import type { Admission } from "./Admissions.ts"

/** Admits a request; its slot, if it has one, is released with the scope. */
const admitScoped = <E, R>(admit: Effect.Effect<Admission, E, R>) =>
  Effect.uninterruptible(
    Effect.tap(admit, ({ release }) =>
      release === undefined ? Effect.void : Effect.addFinalizer(() => Effect.sync(release))
    )
  )

/** Limits the requests of each key and address, and reports the rest in headers. */
export const layer = Layer.effect(
  RateLimit,
  Effect.gen(function* () {
    const addresses = yield* CallerAddress
    const admissions = yield* Admissions
    return RateLimit.of((app, { endpoint, group }) => {
      const operation = `${group.identifier}.${endpoint.identifier}`
      return Effect.gen(function* () {
        const { keyId, plan } = yield* Caller
        const request = yield* HttpServerRequest.HttpServerRequest
        const { limit } = yield* HttpServerRequest.ParsedSearchParams
        const admission = yield* admitScoped(
          admissions.admit({
            caller: { id: keyId, plan },
            address: addresses.of(request),
            operation,
            limit
          })
        )
        yield* HttpEffect.appendPreResponseHandler((_request, response) =>
          Effect.withFiber(({ context }) => {
            admission.countResponse(response.status, context)
            return Effect.succeed(HttpServerResponse.setHeaders(response, admission.headers))
          })
        )
        return yield* admission.refusal === undefined ? app : Effect.fail(admission.refusal)
      })
    })
  })
)

import { Authorization, Caller, KeyScope, RateLimit } from "@chaintape/contract"
import { InvalidApiKey, KeyNotAllowed, MissingApiKey, NotReady } from "@chaintape/core"
import { Operation } from "@chaintape/core/operations"
import { Effect, Layer, Option, Scope, Semaphore } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { CallerAddress } from "../CallerAddress.ts"
import { ApiKeys, storeTimeout } from "../keys/ApiKeys.ts"
import { Admissions } from "../limits/Admissions.ts"
import type { Admission } from "../limits/Admissions.ts"
import { UnauthenticatedRequests } from "../limits/UnauthenticatedRequests.ts"

/** Concurrent key lookups for all addresses that sent many wrong keys, so that the others do not wait for them. */
const forSuspects = 2

const missing = (authorization: string | undefined) =>
  new MissingApiKey({
    detail:
      "The request carries no API key: send it in the query parameter `apiKey` or in the header `api-key`." +
      (authorization === undefined ? "" : " The header `Authorization` is not read.")
  })

const invalid = () =>
  new InvalidApiKey({
    detail: "The API key is not valid: copy it again, or make a new one."
  })

const notReady = () =>
  new NotReady({ retryAfterMs: 1000, detail: "The service cannot read its keys at the moment: try again in a second." })

const suspectsWait = () =>
  new NotReady({
    retryAfterMs: 1000,
    detail:
      "The API key could not be checked in time: this address has sent many wrong keys, which are checked " +
      `${forSuspects} at a time. Try again in a second.`
  })

const givenTwice = (times: number) => {
  const message = `"apiKey" is given ${times} times: give it once`
  return Operation.invalidParameter([{ parameter: "apiKey", message }])
}

/** The keys of the query and of the header: one, if they are equal. */
const givenKeys = (inQuery: string | undefined, inHeader: string | undefined): ReadonlyArray<string> =>
  [inQuery ?? "", inHeader === inQuery ? "" : (inHeader ?? "")].filter((key) => key !== "")

/** Accepts the key in the query, in the header, or the same key in both. */
const authorization = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const addresses = yield* CallerAddress
    const unauthenticated = yield* UnauthenticatedRequests
    const suspects = yield* Semaphore.make(forSuspects)
    const verify = (key: string) => Effect.mapError(keys.verify(key), notReady)
    /** Waits for the lookups of other suspicious addresses, too. */
    const verifySuspect = (key: string) =>
      Effect.timeoutOrElse(suspects.withPermit(verify(key)), { duration: storeTimeout, orElse: suspectsWait })
    const refuse = Effect.fnUntraced(function* (address: string) {
      const refusal = yield* unauthenticated.countWrongKey(address)
      return yield* Effect.fail(Option.getOrElse(refusal, invalid))
    })
    /** A request without a key, or with more than one in the query, is charged to its address. */
    const chargeAndFail = Effect.fnUntraced(function* <E>(request: HttpServerRequest.HttpServerRequest, problem: E) {
      const refusal = yield* unauthenticated.charge(request)
      return yield* Effect.fail(Option.getOrElse(refusal, () => problem))
    })
    return Authorization.of((app) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { apiKey } = yield* HttpServerRequest.ParsedSearchParams
        if (typeof apiKey === "object") return yield* chargeAndFail(request, givenTwice(apiKey.length))
        const given = givenKeys(apiKey, request.headers["api-key"])
        const [key] = given
        if (key === undefined) return yield* chargeAndFail(request, missing(request.headers["authorization"]))
        const address = addresses.of(request)
        const isSuspect = yield* unauthenticated.isSuspect(address)
        const found = yield* isSuspect ? verifySuspect(key) : verify(key)
        if (Option.isNone(found) || given.length > 1) return yield* refuse(address)
        const { id, plan, scopes } = found.value
        return yield* Effect.provideService(app, Caller, { keyId: id, groups: scopes, plan })
      })
    )
  })
)

/** Restricts a key to its scopes. */
const scopes = Layer.succeed(KeyScope, (app, { group }) =>
  Effect.gen(function* () {
    const { groups } = yield* Caller
    const scope = group.identifier
    if (groups === undefined || groups.includes(scope)) return yield* app
    return yield* new KeyNotAllowed({
      group: scope,
      detail: `The key is limited to ${groups.join(", ") || "nothing"}, and this operation is of ${scope}: use another key.`
    })
  })
)

/**
 * Admits a request; its slot, if it has one, is released with the scope. `Effect.addFinalizer` would copy all services of the
 * request for a release that needs none.
 */
const admitScoped = <E, R>(admit: Effect.Effect<Admission, E, R>) =>
  Effect.uninterruptible(
    Effect.tap(admit, ({ release }) =>
      release === undefined
        ? Effect.void
        : Effect.flatMap(Effect.scope, (scope) => Scope.addFinalizer(scope, Effect.sync(release)))
    )
  )

/** Limits the requests of each key and address, and reports the rest in headers. */
const rateLimit = Layer.effect(
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

/** Finds the key of a request, and whether it allows the operation, and charges it. */
export const layer = Layer.mergeAll(authorization, scopes, rateLimit)

import { RateLimited } from "@chaintape/core"
import { Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { monotonicMillis } from "../../internal/monotonic.ts"
import { addressBlock, CallerAddress } from "../CallerAddress.ts"
import { countRefusal } from "./countRefusal.ts"
import { type Bucket, bucketCharge, makeBuckets, maxAddresses, toRetryAfterMs } from "./MemoryLimits.ts"
import type { Limits } from "./Plans.ts"

const keylessBudgetExceeded = ({ burst, perSecond }: Bucket, waitMs: number) => {
  const retryAfterMs = toRetryAfterMs(waitMs)
  return new RateLimited({
    retryAfterMs,
    detail:
      `The address has used up its ${burst} requests without a key, to which ${perSecond} a second are added: ` +
      `wait ${retryAfterMs} ms. Requests with a key are counted apart.`
  })
}

const tooManyWrongKeys = (waitMs: number) => {
  const retryAfterMs = toRetryAfterMs(waitMs)
  return new RateLimited({
    retryAfterMs,
    detail:
      `The API key is not valid, like many others from this address: wait ${retryAfterMs} ms. ` +
      "A valid key is accepted at once."
  })
}

/**
 * Requests that no valid key pays for: pages, operations without a key, and requests whose key is missing or wrong. Each
 * instance counts separately.
 */
export class UnauthenticatedRequests extends Context.Service<
  UnauthenticatedRequests,
  {
    /** Charges the address of a request. Returns the problem if its budget is used up. */
    readonly charge: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Option.Option<RateLimited>>
    /** Counts a wrong key from an address. Returns the problem if it exceeds the limit. */
    readonly countWrongKey: (address: string) => Effect.Effect<Option.Option<RateLimited>>
    /** Whether the next wrong key from the address exceeds the limit. */
    readonly isSuspect: (address: string) => Effect.Effect<boolean>
  }
>()("@chaintape/server/auth/limits/UnauthenticatedRequests") {
  static readonly layer = ({ withoutKey, wrongKeys }: Pick<Limits, "withoutKey" | "wrongKeys">) =>
    Layer.effect(
      UnauthenticatedRequests,
      Effect.gen(function* () {
        const addresses = yield* CallerAddress
        const requests = makeBuckets(maxAddresses)
        const wrong = makeBuckets(maxAddresses)
        const toWrongCharge = (address: string) => bucketCharge(addressBlock(address), wrongKeys, 1)
        return UnauthenticatedRequests.of({
          charge: Effect.fnUntraced(function* (request) {
            const key = addressBlock(addresses.of(request))
            const { isRefused, waitMs } = requests.charge(bucketCharge(key, withoutKey, 1), yield* monotonicMillis)
            if (!isRefused) return Option.none()
            yield* countRefusal("none", "keyless")
            return Option.some(keylessBudgetExceeded(withoutKey, waitMs))
          }),
          countWrongKey: Effect.fnUntraced(function* (address) {
            const { isRefused, waitMs } = wrong.charge(toWrongCharge(address), yield* monotonicMillis)
            if (!isRefused) return Option.none()
            yield* countRefusal("none", "wrong-keys")
            return Option.some(tooManyWrongKeys(waitMs))
          }),
          isSuspect: (address) => Effect.map(monotonicMillis, (now) => !wrong.accepts(toWrongCharge(address), now))
        })
      })
    )
}

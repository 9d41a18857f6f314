import { RateLimited } from "@chaintape/core"
import { Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { monotonicMillis } from "../../internal/monotonic.ts"
import { addressBlock, CallerAddress } from "../CallerAddress.ts"
import { countRefusal } from "../KeyMetrics.ts"
import { bucketCharge, makeBuckets, maxAddresses, toRetryAfterMs } from "./MemoryLimits.ts"
import type { Bucket } from "./Plans.ts"

const usedUp = ({ burst, perSecond }: Bucket, waitMs: number) => {
  const retryAfterMs = toRetryAfterMs(waitMs)
  return new RateLimited({
    retryAfterMs,
    detail:
      `The address has used up its ${burst} requests without a key, to which ${perSecond} a second are added: ` +
      `wait ${retryAfterMs} ms. Requests with a key are counted apart.`
  })
}

/**
 * Requests that no key pays for: pages, operations without a key, and requests whose key is missing. Each instance
 * counts separately.
 */
export class KeylessRequests extends Context.Service<
  KeylessRequests,
  {
    /** Charges the address of a request. Returns the problem if its budget is used up. */
    readonly charge: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Option.Option<RateLimited>>
  }
>()("@chaintape/server/auth/limits/KeylessRequests") {
  static readonly layer = (bucket: Bucket) =>
    Layer.effect(
      KeylessRequests,
      Effect.gen(function* () {
        const addresses = yield* CallerAddress
        const buckets = makeBuckets(maxAddresses)
        return KeylessRequests.of({
          charge: Effect.fnUntraced(function* (request) {
            const key = addressBlock(addresses.of(request))
            const { isRefused, waitMs } = buckets.charge(bucketCharge(key, bucket, 1), yield* monotonicMillis)
            if (!isRefused) return Option.none()
            yield* countRefusal("none", "keyless")
            return Option.some(usedUp(bucket, waitMs))
          })
        })
      })
    )
}

import { RateLimited } from "@chaintape/core/problem/Problem"
import { Context, Duration, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { addressBlock } from "./AddressBlock.ts"
import { CallerAddress } from "./CallerAddress.ts"
import { countRefusal } from "./KeyMetrics.ts"
import { makeLimiter } from "./MemoryLimitStore.ts"
import type { Bucket } from "./Plans.ts"

/** Addresses that are remembered at most. */
const most = 10_000

const usedUp = ({ burst, perSecond }: Bucket, wait: Duration.Duration) => {
  const retryAfterMs = Math.max(1, Math.ceil(Duration.toMillis(wait)))
  return new RateLimited({
    retryAfterMs,
    detail:
      `The address has used up its ${burst} requests without a key, to which ${perSecond} a second are added: ` +
      `wait ${retryAfterMs} ms. Requests with a key are counted apart.`
  })
}

/** Requests that no key pays for: pages, what needs no key, and what lacks one. Each instance counts for itself. */
export class KeylessRequests extends Context.Service<
  KeylessRequests,
  {
    /** Charges the address of a request, for 1 if nothing else is said: the problem, where it has used up what it may. */
    readonly charge: (
      request: HttpServerRequest.HttpServerRequest,
      cost?: number
    ) => Effect.Effect<Option.Option<RateLimited>>
  }
>()("@chaintape/server/keys/KeylessRequests") {
  static readonly layer = (bucket: Bucket) =>
    Layer.effect(
      KeylessRequests,
      Effect.gen(function* () {
        const addresses = yield* CallerAddress
        const limiter = yield* makeLimiter(most)
        const window = Duration.millis((bucket.burst / bucket.perSecond) * 1000)
        return KeylessRequests.of({
          charge: (request, cost = 1) =>
            limiter
              .consume({
                algorithm: "token-bucket",
                onExceeded: "fail",
                key: addressBlock(addresses.of(request)),
                limit: bucket.burst,
                window,
                tokens: Math.min(cost, bucket.burst)
              })
              .pipe(
                Effect.as(Option.none()),
                Effect.catch(({ reason }) =>
                  reason._tag === "RateLimitExceeded"
                    ? Effect.as(countRefusal("none", "keyless"), Option.some(usedUp(bucket, reason.retryAfter)))
                    : Effect.die(reason)
                )
              )
        })
      })
    )
}

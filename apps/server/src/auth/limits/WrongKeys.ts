import { Context, Duration, Effect, Layer, Option } from "effect"
import { monotonicMillis } from "../../internal/monotonic.ts"
import { addressBlock } from "../CallerAddress.ts"
import { bucketCharge, makeBuckets, maxAddresses } from "./MemoryLimits.ts"
import type { Bucket } from "./Plans.ts"

/** Addresses that send many wrong keys. */
export class WrongKeys extends Context.Service<
  WrongKeys,
  {
    /** Whether the next wrong key from the address exceeds the limit. */
    readonly isExhausted: (address: string) => Effect.Effect<boolean>
    /** Counts a wrong key. Returns the time to wait if it exceeds the limit. */
    readonly count: (address: string) => Effect.Effect<Option.Option<Duration.Duration>>
  }
>()("@chaintape/server/auth/limits/WrongKeys") {
  static readonly layer = (bucket: Bucket) =>
    Layer.sync(WrongKeys, () => {
      const buckets = makeBuckets(maxAddresses)
      const toCharge = (address: string) => bucketCharge(addressBlock(address), bucket, 1)
      return WrongKeys.of({
        isExhausted: (address) => Effect.map(monotonicMillis, (now) => !buckets.accepts(toCharge(address), now)),
        count: (address) =>
          Effect.map(monotonicMillis, (now) => {
            const { isRefused, waitMs } = buckets.charge(toCharge(address), now)
            return isRefused ? Option.some(Duration.millis(waitMs)) : Option.none()
          })
      })
    })
}

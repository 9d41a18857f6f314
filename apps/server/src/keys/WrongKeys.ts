import { Context, Duration, Effect, Layer, Option } from "effect"
import { addressBlock } from "./AddressBlock.ts"
import { makeLimiter } from "./MemoryLimitStore.ts"
import type { Bucket } from "./Plans.ts"

/** Addresses that are remembered at most. */
const most = 10_000

/** Addresses from which many wrong keys come. */
export class WrongKeys extends Context.Service<
  WrongKeys,
  {
    /** Whether the next wrong key from there is one too many. */
    readonly isExhausted: (address: string) => Effect.Effect<boolean>
    /** Counts a wrong key: how long the address has to wait, where it is one too many. */
    readonly count: (address: string) => Effect.Effect<Option.Option<Duration.Duration>>
  }
>()("@chaintape/server/keys/WrongKeys") {
  static readonly layer = ({ burst, perSecond }: Bucket) =>
    Layer.effect(
      WrongKeys,
      Effect.gen(function* () {
        const limiter = yield* makeLimiter(most)
        const take = (address: string, tokens: number) =>
          limiter.consume({
            algorithm: "token-bucket",
            onExceeded: "fail",
            key: addressBlock(address),
            limit: burst,
            window: Duration.millis((burst / perSecond) * 1000),
            tokens
          })
        return WrongKeys.of({
          isExhausted: (address) =>
            take(address, 0).pipe(
              Effect.map(({ remaining }) => remaining < 1),
              Effect.orElseSucceed(() => true)
            ),
          count: (address) =>
            take(address, 1).pipe(
              Effect.as(Option.none()),
              Effect.catch(({ reason }) =>
                reason._tag === "RateLimitExceeded" ? Effect.succeedSome(reason.retryAfter) : Effect.die(reason)
              )
            )
        })
      })
    )
}

import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import { RateLimiter } from "effect/persistence"
import { monotonicMillisOf } from "../internal/monotonic.ts"
import { RedisLink } from "../store/RedisLink.ts"
import type { Left, Taking } from "./MemoryLimitStore.ts"
import { memoryLimits } from "./MemoryLimitStore.ts"
import { takeShared } from "./RedisBuckets.ts"

/** Keys and addresses whose buckets one process remembers. */
const most = 100_000

/** The same buckets for a request that waits for nothing. */
export class NearLimits extends Context.Service<
  NearLimits,
  {
    /** Takes from all of them. Undefined where one has not enough, or where Redis has to be asked: nothing is taken then. */
    readonly take: (takings: ReadonlyArray<Taking>) => ReadonlyArray<Left> | undefined
  }
>()("@chaintape/server/keys/NearLimits") {}

/** The buckets in Redis, and those of this process while Redis is away. */
export const layer = Layer.effectContext(
  Effect.gen(function* () {
    const link = yield* RedisLink
    const clock = yield* Clock.Clock
    const { store: local, takeAll } = memoryLimits(most)
    const near = NearLimits.of({
      take: (takings) => (link.isConfigured ? undefined : takeAll(takings, monotonicMillisOf(clock)))
    })
    const store = RateLimiter.RateLimiterStore.of({
      ...local,
      tokenBucket: Effect.fnUntraced(function* (options) {
        const { allowOverflow, limit, refillRate, tokens } = options
        const taking = {
          key: `${link.prefix}tokens:${options.key}`,
          limit,
          tokens,
          refillMs: Duration.toMillis(refillRate)
        }
        const state = yield* link.ask((redis) => takeShared(redis, taking, allowOverflow))
        return Option.isSome(state) ? state.value : yield* local.tokenBucket(options)
      })
    })
    return Context.make(RateLimiter.RateLimiterStore, store).pipe(Context.add(NearLimits, near))
  })
)

import { Effect, Layer, Option } from "effect"
import { RateLimiter, Redis } from "effect/persistence"
import { RedisLink } from "../store/RedisLink.ts"
import { memoryLimitStore } from "./MemoryLimitStore.ts"

/** Keys and addresses whose buckets one process remembers. */
const most = 100_000

type Store = RateLimiter.RateLimiterStore["Service"]

/** The buckets in Redis, and those of this process while Redis is away. */
export const layer = Layer.effect(
  RateLimiter.RateLimiterStore,
  Effect.gen(function* () {
    const link = yield* RedisLink
    const local = memoryLimitStore(most)
    let shared: Store | undefined
    const sharedStore = Effect.fnUntraced(function* (redis: Redis.Redis["Service"]) {
      shared ??= yield* RateLimiter.makeStoreRedis({ prefix: `${link.prefix}bucket:` }).pipe(
        Effect.provideService(Redis.Redis, redis)
      )
      return shared
    })
    return RateLimiter.RateLimiterStore.of({
      ...local,
      tokenBucket: Effect.fnUntraced(function* (options) {
        const state = yield* link.ask((redis) =>
          Effect.flatMap(sharedStore(redis), (store) => store.tokenBucket(options))
        )
        return Option.isSome(state) ? state.value : yield* local.tokenBucket(options)
      })
    })
  })
)

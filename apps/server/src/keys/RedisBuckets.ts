import { Effect, Schema } from "effect"
import { Redis } from "effect/persistence"
import type { Taking } from "./MemoryLimitStore.ts"

/**
 * Takes from one bucket, by the clock of Redis: the clocks of the instances differ, and may be stepped. Where that clock is
 * set back, the bucket goes on from there.
 */
const take = Redis.script(
  (key: string, limit: number, tokens: number, refillMs: number, mayOverflow: boolean) => [
    key,
    limit,
    tokens,
    refillMs,
    mayOverflow ? 1 : 0
  ],
  {
    numberOfKeys: 1,
    lua: `
local bucket = KEYS[1]
local limit, tokens, refill = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call("TIME")
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local state = redis.call("HMGET", bucket, "left", "at")
local left = tonumber(state[1]) or limit
local at = math.min(tonumber(state[2]) or now, now)
local flowed = math.floor((now - at) / refill)
if flowed > 0 then
  left = math.min(limit, left + flowed)
  at = at + flowed * refill
end
if left >= limit then at = now end
local remaining = left - tokens
if remaining >= 0 or ARGV[4] == "1" then left = remaining end
local whole = "%.17g"
redis.call("HSET", bucket, "left", whole:format(left), "at", whole:format(at))
redis.call("PEXPIRE", bucket, math.max(1, math.ceil((limit - left) * refill - (now - at))))
return { whole:format(remaining), whole:format(now - at) }
`
  }
).withReturnType<unknown>()

const decode = Schema.decodeUnknownEffect(Schema.Tuple([Schema.FiniteFromString, Schema.FiniteFromString]))

/** What remains, and the milliseconds since the last token flowed back, as a store of the limiter answers. */
export const takeShared = (
  redis: Redis.Redis["Service"],
  { key, limit, refillMs, tokens }: Taking,
  mayOverflow: boolean
) => Effect.flatMap(redis.eval(take)(key, limit, tokens, refillMs, mayOverflow), decode)

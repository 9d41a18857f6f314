import { Effect, Option, Schema } from "effect"
import type { Clock } from "effect"
import { dayMs, toDate } from "../../internal/day.ts"
import type { RedisLink } from "../../store/RedisLink.ts"
import { toRedisScript } from "../../store/RedisLink.ts"
import type { DailyQuotas } from "./DailyQuotas.ts"
import type { Charge, Charged } from "./MemoryLimits.ts"
import { matchCharge, toBucketCharged } from "./MemoryLimits.ts"

/** The result of one charge. For a bucket `elapsedMs` is the time since the last refill. */
interface RedisCharged {
  /** Negative if the charge is refused. */
  readonly remaining: number
  readonly elapsedMs: number
}

/**
 * Charges in order until one is refused. With `whole`, a refusal leaves all of them unchanged.
 *
 * Buckets go by the clock of Redis: the clocks of the instances differ, and may be stepped. If that clock is set back, a
 * bucket continues from the new time. The use of a day is the larger one of Redis and of the caller.
 */
const chargeScript = toRedisScript(`
local time = redis.call("TIME")
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local number = "%.17g"
local results, writes, at = {}, {}, 2
for index, key in ipairs(KEYS) do
  local units, limit = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local remaining, elapsed = 0, 0
  if ARGV[at] == "bucket" then
    local refill = tonumber(ARGV[at + 3])
    at = at + 4
    local state = redis.call("HMGET", key, "left", "at")
    local left = math.min(limit, tonumber(state[1]) or limit)
    local since = math.min(tonumber(state[2]) or now, now)
    local flowed = math.floor((now - since) / refill)
    if flowed > 0 then
      left = math.min(limit, left + flowed)
      since = since + flowed * refill
    end
    if left >= limit then since = now end
    remaining, elapsed = left - units, now - since
    if remaining >= 0 then left = remaining end
    local lasts = math.max(1, math.ceil((limit - left) * refill - elapsed))
    writes[#writes + 1] = function()
      redis.call("HSET", key, "left", number:format(left), "at", number:format(since))
      redis.call("PEXPIRE", key, lasts)
    end
  else
    local used = math.max(tonumber(redis.call("GET", key) or "0"), tonumber(ARGV[at + 3]))
    local rest = ARGV[at + 4]
    at = at + 5
    remaining = limit - used - units
    if remaining >= 0 then
      writes[#writes + 1] = function() redis.call("SET", key, number:format(used + units), "PX", rest) end
    end
  end
  results[#results + 1] = number:format(remaining)
  results[#results + 1] = number:format(elapsed)
  if remaining < 0 then
    if ARGV[1] == "1" then return results end
    break
  end
end
for _, write in ipairs(writes) do write() end
return results
`)

const decodeNumbers = Schema.decodeUnknownOption(Schema.Array(Schema.FiniteFromString))

const decode = (reply: unknown) =>
  Option.map(decodeNumbers(reply), (numbers): ReadonlyArray<RedisCharged> =>
    Array.from({ length: numbers.length / 2 }, (_, index) => ({
      remaining: numbers[2 * index] ?? 0,
      elapsedMs: numbers[2 * index + 1] ?? 0
    }))
  )

/**
 * Charges in Redis: one result for each charge, up to the first refused one; none if Redis is not configured or
 * unavailable.
 */
export const makeRedisLimits = (link: RedisLink["Service"], clock: Clock.Clock, quotas: DailyQuotas) => {
  const toScriptInput = matchCharge({
    Bucket: ({ capacity, key, refillMs, units }) => ({
      key: `${link.prefix}tokens:${key}`,
      values: ["bucket", `${units}`, `${capacity}`, `${refillMs}`]
    }),
    Day: ({ key, perDay, units }) => {
      const now = clock.currentTimeMillisUnsafe()
      // Redis may have lost its data: the units that this process knows to be used.
      const used = quotas.getUsed(key, now)
      return {
        key: `${link.prefix}quota:${toDate(now)}:${key}`,
        values: ["day", `${units}`, `${perDay}`, `${used}`, `${dayMs - (now % dayMs)}`]
      }
    }
  })
  const toCharged = ({ elapsedMs, remaining }: RedisCharged) =>
    matchCharge({
      Bucket: (charge): Charged => toBucketCharged(charge, remaining, elapsedMs),
      Day: (charge): Charged => {
        const isRefused = remaining < 0
        const used = charge.perDay - remaining - (isRefused ? charge.units : 0)
        return quotas.settle(charge, isRefused, used, clock.currentTimeMillisUnsafe())
      }
    })
  return (charges: ReadonlyArray<Charge>, whole: boolean) =>
    Effect.suspend(() => {
      const inputs = charges.map(toScriptInput)
      return Effect.map(
        link.run(
          chargeScript,
          {
            keys: inputs.map(({ key }) => key),
            values: [whole ? "1" : "0", ...inputs.flatMap(({ values }) => values)]
          },
          decode
        ),
        Option.map((results) =>
          results.flatMap((result, index) => {
            const charge = charges[index]
            return charge === undefined ? [] : [toCharged(result)(charge)]
          })
        )
      )
    })
}

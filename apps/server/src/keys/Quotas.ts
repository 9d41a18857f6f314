import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { Redis } from "effect/persistence"
import { RedisLink } from "../store/RedisLink.ts"
import { Usage } from "./Usage.ts"

/** What is left of a key's day. */
export interface QuotaState {
  readonly refused: boolean
  readonly remaining: number
  /** Until the next UTC day. */
  readonly wait: Duration.Duration
}

const dayLength = 86_400_000

/**
 * The count is the larger of Redis' own and the caller's, so that a Redis that has lost its memory does not give anybody
 * a second day.
 */
const takeScript = Redis.script(
  (key: string, cost: number, limit: number, known: number, ttl: number) => [key, cost, limit, known, ttl],
  {
    numberOfKeys: 1,
    lua: `
local used = math.max(tonumber(redis.call("GET", KEYS[1]) or "0"), tonumber(ARGV[3]))
local after = used + tonumber(ARGV[1])
if after > tonumber(ARGV[2]) then return { 1, used } end
redis.call("SET", KEYS[1], after, "PX", ARGV[4])
return { 0, after }
`
  }
).withReturnType<readonly [refused: number, used: number]>()

interface Day {
  readonly day: string
  used: number
}

/** What each key has used on this UTC day: in Redis for all instances, and what was written of it where Redis is away. */
export class Quotas extends Context.Service<
  Quotas,
  { readonly take: (key: string, cost: number, perDay: number) => Effect.Effect<QuotaState> }
>()("@chaintape/server/keys/Quotas") {
  static readonly layer = Layer.effect(
    Quotas,
    Effect.gen(function* () {
      const usage = yield* Usage
      const link = yield* RedisLink
      const days = new Map<string, Day>()
      const usedBefore = (key: string, day: string) =>
        usage.since([key], day).pipe(
          Effect.map((rows) => rows.filter((row) => row.day === day).reduce((sum, { cost }) => sum + cost, 0)),
          Effect.timeout("2 seconds"),
          // The day then begins with what this process sees of it.
          Effect.catch((error) => Effect.as(Effect.logWarning("The use of a key cannot be read", error), 0))
        )
      const today = Effect.fnUntraced(function* (key: string, day: string) {
        const known = days.get(key)
        if (known?.day === day) return known
        const used = yield* usedBefore(key, day)
        const meanwhile = days.get(key)
        if (meanwhile?.day === day) return meanwhile
        const opened = { day, used }
        days.set(key, opened)
        return opened
      })
      const takeLocally = (state: Day, cost: number, perDay: number): readonly [number, number] => {
        const after = state.used + cost
        return after > perDay ? [1, state.used] : [0, after]
      }
      return Quotas.of({
        take: Effect.fnUntraced(function* (key, asked, perDay) {
          const now = yield* DateTime.now
          const day = DateTime.formatIsoDateUtc(now)
          const rest = dayLength - (DateTime.toEpochMillis(now) % dayLength)
          const state = yield* today(key, day)
          const cost = Math.min(asked, perDay)
          const shared = yield* link.ask((redis) =>
            redis.eval(takeScript)(`${link.prefix}quota:${day}:${key}`, cost, perDay, state.used, rest)
          )
          const [refused, used] = Option.getOrElse(shared, () => takeLocally(state, cost, perDay))
          state.used = Math.max(state.used, used)
          return { refused: refused === 1, remaining: Math.max(0, perDay - used), wait: Duration.millis(rest) }
        })
      })
    })
  )
}

import { Clock, Context, Effect, Layer, Option } from "effect"
import { dayMs, toDate, toDayStart } from "../../internal/day.ts"
import { LruMap } from "../../internal/LruMap.ts"
import { toMonotonicMillis } from "../../internal/monotonic.ts"
import { RedisLink } from "../../store/RedisLink.ts"
import { Usage } from "../usage/Usage.ts"
import type { Charge, Charged, DayCharge } from "./MemoryLimits.ts"
import { makeBuckets, toBucketCharged } from "./MemoryLimits.ts"
import type { RedisCharge, RedisCharged } from "./RedisLimits.ts"
import { chargeInRedis } from "./RedisLimits.ts"

/** The maximum number of buckets, and of keys with a daily quota, that one process holds. */
const max = 100_000

interface Day {
  /** Unix milliseconds. */
  readonly start: number
  used: number
}

/** The use of each key on the current UTC day. It begins with the stored use. */
const makeDays = (usage: Usage["Service"]) => {
  const days = new LruMap<string, Day>({ entries: max })
  const find = (key: string, now: number): Day | undefined => {
    const known = days.get(key)
    return known?.start === toDayStart(now) ? known : undefined
  }
  const stored = (key: string, date: string) =>
    usage.since([key], date).pipe(
      Effect.map((rows) => rows.filter((row) => row.day === date).reduce((sum, { cost }) => sum + cost, 0)),
      Effect.timeout("2 seconds"),
      // The day then starts with the usage that this process knows.
      Effect.catch((error) => Effect.as(Effect.logWarning("The use of a key cannot be read", error), 0))
    )
  return {
    find,
    open: Effect.fnUntraced(function* (key: string, now: number) {
      if (find(key, now) !== undefined) return
      const used = yield* stored(key, toDate(now))
      if (find(key, now) === undefined) days.set(key, { start: toDayStart(now), used })
    })
  }
}

/**
 * Token buckets and daily quotas: in Redis for all instances; in this process if Redis is not configured or unavailable.
 */
export class Limiter extends Context.Service<
  Limiter,
  {
    /** Charges in order, until one is refused: the last result. */
    readonly charge: (charges: ReadonlyArray<Charge>) => Effect.Effect<ReadonlyArray<Charged>>
    /** Charges all of them; undefined if one is refused, and then none is charged. */
    readonly chargeAll: (charges: ReadonlyArray<Charge>) => Effect.Effect<ReadonlyArray<Charged> | undefined>
    /** Whether `chargeAllNow` can charge these: neither Redis nor the store is needed. */
    readonly isLocal: (charges: ReadonlyArray<Charge>) => boolean
    readonly chargeAllNow: (charges: ReadonlyArray<Charge>) => ReadonlyArray<Charged> | undefined
  }
>()("@chaintape/server/auth/limits/Limiter") {
  static readonly layer = Layer.effect(
    Limiter,
    Effect.gen(function* () {
      const link = yield* RedisLink
      const clock = yield* Clock.Clock
      const buckets = makeBuckets(max)
      const days = makeDays(yield* Usage)
      const wallNow = () => clock.currentTimeMillisUnsafe()
      const monotonicNow = () => toMonotonicMillis(clock)

      const usedToday = ({ key }: DayCharge): number => days.find(key, wallNow())?.used ?? 0
      const chargeDay = (charge: DayCharge): Charged => {
        const before = usedToday(charge)
        const isRefused = before + charge.units > charge.perDay
        return fromDay(charge, isRefused, isRefused ? before : before + charge.units)
      }
      const fromDay = (charge: DayCharge, isRefused: boolean, used: number): Charged => {
        const now = wallNow()
        const day = days.find(charge.key, now)
        // Redis also counts what other processes use.
        if (day !== undefined) day.used = Math.max(day.used, used)
        return { isRefused, remaining: Math.max(0, charge.perDay - used), waitMs: dayMs - (now % dayMs) }
      }
      const chargeHere = (charge: Charge): Charged =>
        charge._tag === "Bucket" ? buckets.charge(charge, monotonicNow()) : chargeDay(charge)
      const acceptsHere = (charge: Charge): boolean =>
        charge._tag === "Bucket"
          ? buckets.accepts(charge, monotonicNow())
          : usedToday(charge) + charge.units <= charge.perDay
      const chargeInOrder = (charges: ReadonlyArray<Charge>): ReadonlyArray<Charged> => {
        const results: Array<Charged> = []
        for (const charge of charges) {
          const charged = chargeHere(charge)
          results.push(charged)
          if (charged.isRefused) break
        }
        return results
      }
      const chargeAllHere = (charges: ReadonlyArray<Charge>) =>
        charges.every(acceptsHere) ? charges.map(chargeHere) : undefined

      const openDays = (charges: ReadonlyArray<Charge>) =>
        Effect.forEach(
          charges,
          (charge) => (charge._tag === "Bucket" ? Effect.void : days.open(charge.key, wallNow())),
          { discard: true }
        )

      const toRedis = (charge: Charge, now: number): RedisCharge =>
        charge._tag === "Bucket"
          ? { charge, name: `${link.prefix}tokens:${charge.key}`, used: 0, restMs: 0 }
          : {
              charge,
              name: `${link.prefix}quota:${toDate(now)}:${charge.key}`,
              used: usedToday(charge),
              restMs: dayMs - (now % dayMs)
            }
      const fromRedis = (charge: Charge, { elapsedMs, remaining }: RedisCharged): Charged => {
        if (charge._tag === "Bucket") return toBucketCharged(charge, remaining, elapsedMs)
        const isRefused = remaining < 0
        return fromDay(charge, isRefused, charge.perDay - remaining - (isRefused ? charge.units : 0))
      }
      const ask = (charges: ReadonlyArray<Charge>, whole: boolean) =>
        Effect.suspend(() => {
          const now = wallNow()
          const asked = charges.map((charge) => toRedis(charge, now))
          return Effect.map(
            chargeInRedis(link, asked, whole),
            Option.map((results) =>
              results.flatMap((result, index) => {
                const charge = charges[index]
                return charge === undefined ? [] : [fromRedis(charge, result)]
              })
            )
          )
        })

      return Limiter.of({
        charge: Effect.fnUntraced(function* (charges) {
          yield* openDays(charges)
          return Option.getOrElse(yield* ask(charges, false), () => chargeInOrder(charges))
        }),
        chargeAll: Effect.fnUntraced(function* (charges) {
          yield* openDays(charges)
          const shared = yield* ask(charges, true)
          if (Option.isNone(shared)) return chargeAllHere(charges)
          return shared.value.some(({ isRefused }) => isRefused) ? undefined : shared.value
        }),
        isLocal: (charges) =>
          !link.isAnswering() &&
          charges.every((charge) => charge._tag === "Bucket" || days.find(charge.key, wallNow()) !== undefined),
        chargeAllNow: chargeAllHere
      })
    })
  )
}

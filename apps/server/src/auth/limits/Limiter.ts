import { Clock, Context, Effect, Layer, Option } from "effect"
import { dayMs, toDate } from "../../internal/day.ts"
import { toMonotonicMillis } from "../../internal/monotonic.ts"
import { RedisLink } from "../../store/RedisLink.ts"
import { Usage } from "../usage/Usage.ts"
import { makeDailyQuotas } from "./DailyQuotas.ts"
import type { DailyQuotas } from "./DailyQuotas.ts"
import type { Charge, Charged } from "./MemoryLimits.ts"
import { makeBuckets, toBucketCharged } from "./MemoryLimits.ts"
import type { RedisCharge, RedisCharged } from "./RedisLimits.ts"
import { chargeInRedis } from "./RedisLimits.ts"

/** The maximum number of buckets, and of keys with a daily quota, that one process holds. */
const max = 100_000

/** The limits of this process. */
const makeLocalLimits = (clock: Clock.Clock, quotas: DailyQuotas) => {
  const buckets = makeBuckets(max)
  const wallNow = () => clock.currentTimeMillisUnsafe()
  const monotonicNow = () => toMonotonicMillis(clock)
  const chargeOne = (charge: Charge): Charged =>
    charge._tag === "Bucket" ? buckets.charge(charge, monotonicNow()) : quotas.charge(charge, wallNow())
  const accepts = (charge: Charge): boolean =>
    charge._tag === "Bucket" ? buckets.accepts(charge, monotonicNow()) : quotas.accepts(charge, wallNow())
  return {
    openDays: (charges: ReadonlyArray<Charge>): Effect.Effect<void> =>
      Effect.forEach(
        charges,
        (charge) => (charge._tag === "Bucket" ? Effect.void : quotas.open(charge.key, wallNow())),
        { discard: true }
      ),
    isOpen: (charge: Charge): boolean => charge._tag === "Bucket" || quotas.isOpen(charge.key, wallNow()),
    charge: (charges: ReadonlyArray<Charge>): ReadonlyArray<Charged> => {
      const results: Array<Charged> = []
      for (const charge of charges) {
        const charged = chargeOne(charge)
        results.push(charged)
        if (charged.isRefused) break
      }
      return results
    },
    chargeAll: (charges: ReadonlyArray<Charge>): ReadonlyArray<Charged> | undefined =>
      charges.every(accepts) ? charges.map(chargeOne) : undefined
  }
}

/** Charges in Redis; none if Redis is not configured or unavailable. */
const makeRedisLimits = (link: RedisLink["Service"], clock: Clock.Clock, quotas: DailyQuotas) => {
  const toRedis = (charge: Charge, now: number): RedisCharge =>
    charge._tag === "Bucket"
      ? { charge, name: `${link.prefix}tokens:${charge.key}`, used: 0, restMs: 0 }
      : {
          charge,
          name: `${link.prefix}quota:${toDate(now)}:${charge.key}`,
          used: quotas.getUsed(charge.key, now),
          restMs: dayMs - (now % dayMs)
        }
  const fromRedis = (charge: Charge, { elapsedMs, remaining }: RedisCharged): Charged => {
    if (charge._tag === "Bucket") return toBucketCharged(charge, remaining, elapsedMs)
    const isRefused = remaining < 0
    const used = charge.perDay - remaining - (isRefused ? charge.units : 0)
    return quotas.settle(charge, isRefused, used, clock.currentTimeMillisUnsafe())
  }
  return (charges: ReadonlyArray<Charge>, whole: boolean) =>
    Effect.suspend(() => {
      const now = clock.currentTimeMillisUnsafe()
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
      const quotas = makeDailyQuotas(yield* Usage, max)
      const local = makeLocalLimits(clock, quotas)
      const chargeShared = makeRedisLimits(link, clock, quotas)
      return Limiter.of({
        charge: Effect.fnUntraced(function* (charges) {
          yield* local.openDays(charges)
          return Option.getOrElse(yield* chargeShared(charges, false), () => local.charge(charges))
        }),
        chargeAll: Effect.fnUntraced(function* (charges) {
          yield* local.openDays(charges)
          const shared = yield* chargeShared(charges, true)
          if (Option.isNone(shared)) return local.chargeAll(charges)
          return shared.value.some(({ isRefused }) => isRefused) ? undefined : shared.value
        }),
        isLocal: (charges) => !link.isAvailable() && charges.every(local.isOpen),
        chargeAllNow: local.chargeAll
      })
    })
  )
}

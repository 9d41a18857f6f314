import { Clock, Context, Effect, Layer, Option } from "effect"
import { toMonotonicMillis } from "../../internal/monotonic.ts"
import { RedisLink } from "../../store/RedisLink.ts"
import { Usage } from "../usage/Usage.ts"
import { makeDailyQuotas } from "./DailyQuotas.ts"
import type { DailyQuotas } from "./DailyQuotas.ts"
import type { Charge, Charged } from "./MemoryLimits.ts"
import { makeBuckets, matchCharge } from "./MemoryLimits.ts"
import { makeRedisLimits } from "./RedisLimits.ts"

/** The maximum number of buckets, and of keys with a daily quota, that one process holds. */
const maxEntries = 100_000

/** The limits of this process. */
const makeLocalLimits = (clock: Clock.Clock, quotas: DailyQuotas) => {
  const buckets = makeBuckets(maxEntries)
  const wallNow = () => clock.currentTimeMillisUnsafe()
  const monotonicNow = () => toMonotonicMillis(clock)
  const chargeOne = matchCharge({
    Bucket: (charge) => buckets.charge(charge, monotonicNow()),
    Day: (charge) => quotas.charge(charge, wallNow())
  })
  const accepts = matchCharge({
    Bucket: (charge) => buckets.accepts(charge, monotonicNow()),
    Day: (charge) => quotas.accepts(charge, wallNow())
  })
  const open = matchCharge({ Bucket: () => Effect.void, Day: ({ key }) => quotas.open(key, wallNow()) })
  return {
    openDays: (charges: ReadonlyArray<Charge>): Effect.Effect<void> => Effect.forEach(charges, open, { discard: true }),
    isOpen: matchCharge({ Bucket: () => true, Day: ({ key }) => quotas.isOpen(key, wallNow()) }),
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
      const quotas = yield* makeDailyQuotas(yield* Usage, maxEntries)
      const local = makeLocalLimits(clock, quotas)
      const chargeShared = makeRedisLimits(link, clock, quotas)
      const isLocal = (charges: ReadonlyArray<Charge>) => !link.isAvailable() && charges.every(local.isOpen)
      const charge = Effect.fnUntraced(function* (charges: ReadonlyArray<Charge>) {
        yield* local.openDays(charges)
        return Option.getOrElse(yield* chargeShared(charges, false), () => local.charge(charges))
      })
      return Limiter.of({
        charge: (charges) => (isLocal(charges) ? Effect.succeed(local.charge(charges)) : charge(charges)),
        chargeAll: Effect.fnUntraced(function* (charges) {
          yield* local.openDays(charges)
          const shared = yield* chargeShared(charges, true)
          if (Option.isNone(shared)) return local.chargeAll(charges)
          return shared.value.some(({ isRefused }) => isRefused) ? undefined : shared.value
        }),
        isLocal,
        chargeAllNow: local.chargeAll
      })
    })
  )
}

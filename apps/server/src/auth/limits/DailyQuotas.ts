import { Effect } from "effect"
import { dayMs, toDate, toDayStart } from "../../internal/day.ts"
import { makeOutageWarning } from "../../internal/log/firstFailure.ts"
import { LruMap } from "../../internal/LruMap.ts"
import type { Usage } from "../usage/Usage.ts"
import type { Charged, DayCharge } from "./MemoryLimits.ts"

interface Day {
  /** Unix milliseconds. */
  readonly start: number
  used: number
  /** When the stored use is to be read again, because it could not be read; undefined once it was. */
  readAgainAt: number | undefined
}

const readTimeout = "2 seconds"
/** Requests do not wait for a store that has failed to answer one of them. */
const readAgainAfterMs = 5000

/**
 * The use of at most `max` keys on the current UTC day. It begins with the stored use. `now` is Unix milliseconds.
 */
export const makeDailyQuotas = Effect.fnUntraced(function* (usage: Usage["Service"], max: number) {
  const scope = yield* Effect.scope
  const warnOfOutage = makeOutageWarning("The use of keys cannot be read")
  const days = new LruMap<string, Day>({ entries: max })
  const find = (key: string, now: number): Day | undefined => {
    const known = days.get(key)
    return known?.start === toDayStart(now) ? known : undefined
  }
  /** Whether the stored use is to be read again; also if the clock was set back since it was tried. */
  const isDue = ({ readAgainAt }: Day, now: number): boolean =>
    readAgainAt !== undefined && (now >= readAgainAt || now < readAgainAt - readAgainAfterMs)
  const readStored = (key: string, date: string) =>
    usage.since([key], date).pipe(
      Effect.map((rows) => rows.filter((row) => row.day === date).reduce((sum, { cost }) => sum + cost, 0)),
      Effect.timeout(readTimeout),
      warnOfOutage,
      // The day has the use since then, until the store answers.
      Effect.orElseSucceed(() => undefined)
    )
  const readAgain = Effect.fnUntraced(function* (key: string, day: Day) {
    const used = yield* readStored(key, toDate(day.start))
    if (used === undefined) return
    // It includes the requests that this process has counted meanwhile.
    day.used = Math.max(day.used, used)
    day.readAgainAt = undefined
  })
  const getUsed = (key: string, now: number): number => find(key, now)?.used ?? 0
  const settle = (charge: DayCharge, isRefused: boolean, used: number, now: number): Charged => {
    const day = find(charge.key, now)
    // Redis also counts what other processes use.
    if (day !== undefined) day.used = Math.max(day.used, used)
    return { isRefused, remaining: Math.max(0, charge.perDay - used), waitMs: dayMs - (now % dayMs) }
  }
  return {
    isOpen: (key: string, now: number): boolean => {
      const day = find(key, now)
      return day !== undefined && !isDue(day, now)
    },
    /** Reads the stored use of a key whose day has not begun in this process. */
    open: Effect.fnUntraced(function* (key: string, now: number) {
      const day = find(key, now)
      if (day === undefined) {
        const used = yield* readStored(key, toDate(now))
        const readAgainAt = used === undefined ? now + readAgainAfterMs : undefined
        if (find(key, now) === undefined) days.set(key, { start: toDayStart(now), used: used ?? 0, readAgainAt })
      } else if (isDue(day, now)) {
        day.readAgainAt = now + readAgainAfterMs
        yield* Effect.forkIn(readAgain(key, day), scope)
      }
    }),
    getUsed,
    accepts: ({ key, perDay, units }: DayCharge, now: number): boolean => getUsed(key, now) + units <= perDay,
    charge: (charge: DayCharge, now: number): Charged => {
      const before = getUsed(charge.key, now)
      const isRefused = before + charge.units > charge.perDay
      return settle(charge, isRefused, isRefused ? before : before + charge.units, now)
    },
    /** The result of a charge after which `used` units of the day are used. */
    settle
  }
})

export type DailyQuotas = Effect.Success<ReturnType<typeof makeDailyQuotas>>

import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import { elapsedMillis } from "./elapsed.ts"

/**
 * Concurrent attempts: eight ended ones allow one more. A service that has just started, and whose code is not compiled
 * yet, rejects what it could not answer within milliseconds.
 */
const fewestAtOnce = 8
const maxAtOnce = 32
const growth = 1 / 8

/** Units of budget assumed before the first response. */
const startingUnits = 1
/** Units assumed once the first response takes longer than `longestFirst` milliseconds: a slow operation does not delay the others. */
const laterUnits = 100
const longestFirst = 2000

/** Seconds. A limit that takes longer to refill is not paced: a daily quota is rejected, not waited for. */
const longestWindow = 3600

/** A unit in reserve, because the clocks on both sides truncate to milliseconds. */
const reserve = 1

/**
 * The smallest of the limits is used for all: `"default";q=300;w=3, "address";q=900;w=3`. `rate` is per millisecond.
 */
const getBudget = (policy: string) => {
  let [size, rate] = [Infinity, Infinity]
  for (const [, quota, window] of policy.matchAll(/;\s*q=(\d+)\s*;\s*w=(\d+)/g)) {
    if (Number(window) > longestWindow) continue
    size = Math.min(size, Number(quota))
    rate = Math.min(rate, Number(quota) / Math.max(1, Number(window)) / 1000)
  }
  return size > 0 && size < Infinity ? { size, rate } : undefined
}

interface Turn<E> {
  readonly units: number
  /** Whether to wait for the budget. */
  readonly isPatient: boolean
  /** The latest start of the attempt: milliseconds, as all times here. */
  readonly end: number
  /** `wait` in milliseconds, if known. */
  readonly tooLate: (wait: number | undefined) => E
}

interface Entry<E> extends Turn<E> {
  charged: number
  isWaiting: boolean
  wake: () => void
}

/**
 * A lower bound of the key's budget: it refills as slowly as the slowest limit, and excludes attempts in progress,
 * which the service may still charge. Attempts that must wait are queued in order of arrival.
 */
export const makePace = () => {
  let budget = { size: startingUnits, rate: 0 }
  let isKnown = false
  let left = startingUnits
  let at = 0
  let underWay = 0
  let attempts = 0
  let atOnce = fewestAtOnce
  /** In order of arrival; the first one watches the budget, and the others watch the first. */
  const waiting: Array<Entry<unknown>> = []
  let waitingUnits = 0
  let changes = 0
  /** The rest of the budget that the newest response stated. */
  let stated: number | undefined
  /** Whether the newest attempt began while no other was in progress. */
  let isAlone = false

  const wakeFirst = () => {
    changes++
    waiting[0]?.wake()
  }

  /** When the first attempt began. */
  let begun: number | undefined

  const refill = (now: number) => {
    if (begun !== undefined && !isKnown && budget.size === startingUnits && now - begun >= longestFirst) {
      budget = { size: laterUnits, rate: 0 }
      left += laterUnits - startingUnits
      atOnce = maxAtOnce
    }
    left = Math.min(budget.size - underWay, left + (now - at) * budget.rate)
    at = now
  }

  /** Milliseconds until an attempt of this cost is allowed; unknown before a response that has to come first. */
  const waitFor = (units: number, before = 0): number | undefined => {
    const missing = before + Math.min(units + reserve, budget.size) - left
    if (missing > 0) return budget.rate === 0 ? undefined : Math.ceil(missing / budget.rate)
    return attempts + 1 <= atOnce ? 0 : undefined
  }

  const charge = (entry: Entry<unknown>) => {
    entry.charged = Math.min(entry.units, budget.size)
    if (entry.charged === 0) return
    isAlone = underWay === 0
    stated = undefined
    left -= entry.charged
    underWay += entry.charged
    attempts++
  }

  const release = ({ charged }: Entry<unknown>) => {
    if (charged === 0) return
    underWay -= charged
    attempts--
    atOnce = Math.min(atOnce + growth, maxAtOnce)
    if (!isKnown) left += charged
    else if (isAlone && stated !== undefined) left = stated
    // An attempt sent without waiting may have been rejected: nothing is certain to be left.
    if (underWay === 0) left = Math.max(left, 0)
    wakeFirst()
  }

  /** Charges the attempt if it is allowed now, or returns how long to wait. */
  const tryNow = <E>(entry: Entry<E>, before: number) =>
    Effect.flatMap(elapsedMillis, (now) => {
      refill(now)
      if (now >= entry.end) return Effect.fail(entry.tooLate(waitFor(entry.units)))
      const wait = entry.isPatient ? waitFor(entry.units, before) : 0
      if (wait === 0) {
        charge(entry)
        begun ??= now
      }
      return Effect.succeed({ now, wait })
    })

  const untilTurn = Effect.fnUntraced(function* <E>(entry: Entry<E>): Effect.fn.Return<void, E> {
    for (;;) {
      const seen = changes
      if (waiting[0] === entry) {
        const { wait } = yield* tryNow(entry, 0)
        if (wait === 0) return
        if (wait !== undefined) {
          yield* Effect.sleep(wait)
          continue
        }
      }
      const changed = Effect.callback<void>((resume) => {
        entry.wake = () => resume(Effect.void)
        if (changes !== seen) entry.wake()
      })
      yield* isKnown || waiting[0] !== entry || budget.size !== startingUnits
        ? changed
        : Effect.timeoutOrElse(changed, { duration: longestFirst, orElse: () => Effect.void })
    }
  })

  const leave = (entry: Entry<unknown>) => {
    if (!entry.isWaiting) return
    entry.isWaiting = false
    waitingUnits -= entry.units
    waiting.splice(waiting.indexOf(entry), 1)
    wakeFirst()
  }

  const enter = Effect.fnUntraced(function* <E>(entry: Entry<E>): Effect.fn.Return<void, E> {
    const { now, wait } = yield* tryNow(entry, waitingUnits)
    if (wait === 0) return
    if (wait !== undefined && now + wait >= entry.end) return yield* Effect.fail(entry.tooLate(wait))
    waitingUnits += entry.units
    waiting.push(entry)
    entry.isWaiting = true
    const tooLate = Effect.suspend(() => Effect.fail(entry.tooLate(waitFor(entry.units))))
    yield* Effect.timeoutOrElse(untilTurn(entry), { duration: entry.end - now, orElse: () => tooLate })
    leave(entry)
  })

  return {
    /** Reads the budget from a response, including a problem. */
    observe: (headers: Headers.Headers, now: number) => {
      const known = getBudget(headers["ratelimit-policy"] ?? "")
      const remaining = /;\s*r=(\d+)/.exec(headers["ratelimit"] ?? "")?.[1]
      if (known === undefined || remaining === undefined) return
      budget = known
      stated = Number(remaining)
      if (isKnown) refill(now)
      // The service may not have charged the other attempts yet that are in progress at the first response.
      left = isKnown ? Math.min(left, stated) : stated - (isAlone ? 0 : underWay - 1)
      at = now
      isKnown = true
      wakeFirst()
    },
    /** A success without the headers: the service has no budget, and there is no pace. */
    answered: () => {
      if (isKnown) return
      budget = { size: Infinity, rate: 0 }
      left = Infinity
    },
    /** Runs an attempt when the budget allows it; if that is not before `end`, it fails at once. */
    run: <A, E, E2>(attempt: Effect.Effect<A, E>, turn: Turn<E2>): Effect.Effect<A, E | E2> =>
      Effect.suspend(() => {
        const entry = { ...turn, charged: 0, isWaiting: false, wake: () => {} }
        const end = Effect.sync(() => {
          leave(entry)
          release(entry)
        })
        return enter(entry).pipe(Effect.andThen(attempt), Effect.ensuring(end))
      })
  }
}

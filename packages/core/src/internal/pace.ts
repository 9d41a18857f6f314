import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import { elapsedMillis } from "./elapsed.ts"

/** What may be under way before the first answer has told how much there is. */
const startingUnits = 100

/** Seconds. What needs longer to be whole again is no pace: the quota of a day is refused, not waited for. */
const longestWindow = 3600

/** A unit that stays, because the clocks on both sides cut off what is less than a millisecond. */
const reserve = 1

/** The smallest of the limits stands for all: `"default";q=300;w=3, "address";q=900;w=3`. `rate` is per millisecond. */
const budgetOf = (policy: string) => {
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
  /** Whether to wait for it. */
  readonly isPatient: boolean
  /** The turn must come before it: milliseconds, as all times here. */
  readonly end: number
  /** Asked when the turn has come: why the attempt must not begin, if there is a reason. */
  readonly refused: (now: number) => E | undefined
  /** Told that it has come, before anybody else has his. */
  readonly begin: (now: number) => void
  /** `wait` in milliseconds, where it is known. */
  readonly tooLate: (wait: number | undefined) => E
}

interface Entry<E> extends Turn<E> {
  charged: number
  isWaiting: boolean
  wake: () => void
}

/**
 * The budget of the key as this client can know it, which is never more than what the service has: it grows as slowly as
 * the slowest limit, and not for what is under way, which the service may yet have to charge. Attempts whose turn has
 * not come wait in the order in which they came.
 */
export const makePace = () => {
  let budget = { size: startingUnits, rate: 0 }
  let isKnown = false
  let left = startingUnits
  let at = 0
  let underWay = 0
  /** In the order in which they came; the first one watches the budget, and the others watch the first. */
  const waiting: Array<Entry<unknown>> = []
  let waitingUnits = 0
  let changes = 0
  /** What was told to the only attempt under way. */
  let told: number | undefined
  let isAlone = false

  const wakeFirst = () => {
    changes++
    waiting[0]?.wake()
  }

  const refill = (now: number) => {
    left = Math.min(budget.size - underWay, left + (now - at) * budget.rate)
    at = now
  }

  /** Milliseconds until it is the turn of what needs so much; nobody knows before the first answer. */
  const waitFor = (units: number, before = 0): number | undefined => {
    const missing = before + Math.min(units + reserve, budget.size) - left
    return missing <= 0 ? 0 : budget.rate === 0 ? undefined : Math.ceil(missing / budget.rate)
  }

  const charge = (entry: Entry<unknown>) => {
    entry.charged = Math.min(entry.units, budget.size)
    if (entry.charged === 0) return
    isAlone = underWay === 0
    told = undefined
    left -= entry.charged
    underWay += entry.charged
  }

  const release = ({ charged }: Entry<unknown>) => {
    if (charged === 0) return
    underWay -= charged
    if (!isKnown) left += charged
    else if (isAlone && told !== undefined) left = told
    // What was sent without a turn may have been refused: at least nothing is left.
    if (underWay === 0) left = Math.max(left, 0)
    wakeFirst()
  }

  /** Charges the attempt if it is its turn, or says how long to wait. */
  const tryNow = <E>(entry: Entry<E>, before: number) =>
    Effect.flatMap(elapsedMillis, (now) => {
      refill(now)
      const refusal = entry.refused(now) ?? (now < entry.end ? undefined : entry.tooLate(waitFor(entry.units)))
      if (refusal !== undefined) return Effect.fail(refusal)
      const wait = entry.isPatient ? waitFor(entry.units, before) : 0
      if (wait === 0) {
        charge(entry)
        entry.begin(now)
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
      yield* Effect.callback<void>((resume) => {
        entry.wake = () => resume(Effect.void)
        if (changes !== seen) entry.wake()
      })
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
    /** Reads what an answer tells, a problem included. */
    observe: (headers: Headers.Headers, now: number) => {
      const known = budgetOf(headers["ratelimit-policy"] ?? "")
      const remaining = /;\s*r=(\d+)/.exec(headers["ratelimit"] ?? "")?.[1]
      if (known === undefined || remaining === undefined) return
      budget = known
      told = Number(remaining)
      if (isKnown) refill(now)
      // The service may not have charged the others yet that are under way at the first answer.
      left = isKnown ? Math.min(left, told) : told - (isAlone ? 0 : underWay - 1)
      at = now
      isKnown = true
      wakeFirst()
    },
    /** A good answer that has told nothing: the service has no budget, and there is no pace. */
    answered: () => {
      if (isKnown) return
      budget = { size: Infinity, rate: 0 }
      left = Infinity
    },
    /** Runs an attempt when its turn has come; where that is not before `end`, it fails at once. */
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

import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import { elapsedMillis } from "../transport/elapsed.ts"
import { makeBudget } from "./budget.ts"
import { type Entry, makeQueue, type Turn } from "./queue.ts"

/**
 * Concurrent attempts: eight ended ones allow one more. A service that has just started, and whose code is not compiled
 * yet, rejects what it could not answer within milliseconds.
 */
const startingConcurrency = 8
const maxConcurrency = 32
const growth = 1 / 8

/** Units assumed once the first response takes longer than `maxFirstMs` milliseconds: a slow operation does not delay the others. */
const laterUnits = 100
const maxFirstMs = 2000

/** Sends attempts when the budget of the key allows it. All times are milliseconds. */
export const makeRateLimiter = () => {
  const budget = makeBudget()
  let attempts = 0
  let concurrency = startingConcurrency
  /** Whether one attempt is sent at a time: the first response has not come, and is not late. */
  let isStarting = true
  /** When the first response is late; undefined before the first attempt. */
  let lateAt: number | undefined

  const failLate = <E>({ tooLate, units }: Entry<E>) =>
    Effect.suspend(() => Effect.fail(tooLate(budget.getWait(units))))

  /** Charges the attempt if it is allowed now, or returns how long to wait; infinitely until the next change. */
  const tryNow = <E>(entry: Entry<E>, before: number) =>
    Effect.flatMap(elapsedMillis, (now) => {
      if (isStarting && lateAt !== undefined && now >= lateAt) {
        isStarting = false
        budget.assume(laterUnits)
        concurrency = maxConcurrency
      }
      budget.refill(now)
      if (now >= entry.end) return failLate(entry)
      const wait = entry.isPatient
        ? budget.getWait(entry.units, before) || (attempts + 1 <= concurrency ? 0 : Infinity)
        : 0
      if (wait === 0) {
        lateAt ??= now + maxFirstMs
        entry.charged = budget.charge(entry.units)
        if (entry.charged > 0) attempts++
      }
      return Effect.succeed({ now, wait })
    })

  const queue = makeQueue(tryNow, failLate, (changed) =>
    isStarting ? Effect.timeoutOrElse(changed, { duration: maxFirstMs, orElse: () => Effect.void }) : changed
  )

  /** Reads the budget from a response, including a problem. */
  const observe = (headers: Headers.Headers, now: number) => {
    if (!budget.observe(headers, now)) return
    isStarting = false
    queue.wakeFirst()
  }

  /** A success without the headers: the service has no budget, and nothing is limited. */
  const lift = () => {
    isStarting = false
    budget.assume(Infinity)
  }

  /** Runs an attempt when the budget allows it; if that is not before `end`, it fails at once. */
  const run = <A, E, E2>(attempt: Effect.Effect<A, E>, turn: Turn<E2>): Effect.Effect<A, E | E2> =>
    Effect.suspend(() => {
      const entry = { ...turn, charged: 0, isWaiting: false, wake: () => {} }
      const end = Effect.sync(() => {
        queue.leave(entry)
        if (entry.charged === 0) return
        budget.release(entry.charged)
        attempts--
        concurrency = Math.min(concurrency + growth, maxConcurrency)
        queue.wakeFirst()
      })
      return queue.enter(entry).pipe(Effect.andThen(attempt), Effect.ensuring(end))
    })

  return { observe, lift, run }
}

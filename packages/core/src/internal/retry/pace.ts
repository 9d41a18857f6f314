import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import { longestFirst, makeBudget } from "./budget.ts"
import { elapsedMillis } from "./elapsed.ts"

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

/** Attempts that the budget does not allow yet wait in order of arrival. */
export const makePace = () => {
  const budget = makeBudget()
  /** The first one watches the budget, and the others watch the first. */
  const waiting: Array<Entry<unknown>> = []
  let waitingUnits = 0
  let changes = 0

  const wakeFirst = () => {
    changes++
    waiting[0]?.wake()
  }

  const release = ({ charged }: Entry<unknown>) => {
    if (charged === 0) return
    budget.release(charged)
    wakeFirst()
  }

  /** Charges the attempt if it is allowed now, or returns how long to wait. */
  const tryNow = <E>(entry: Entry<E>, before: number) =>
    Effect.flatMap(elapsedMillis, (now) => {
      budget.refill(now)
      if (now >= entry.end) return Effect.fail(entry.tooLate(budget.waitFor(entry.units)))
      const wait = entry.isPatient ? budget.waitFor(entry.units, before) : 0
      if (wait === 0) entry.charged = budget.charge(entry.units, now)
      return Effect.succeed({ now, wait })
    })

  /** Waits until something changes after `seen`, or until the first response is late. */
  const awaitChange = (entry: Entry<unknown>, seen: number) => {
    const changed = Effect.callback<void>((resume) => {
      entry.wake = () => resume(Effect.void)
      if (changes !== seen) entry.wake()
    })
    return budget.isStarting() && waiting[0] === entry
      ? Effect.timeoutOrElse(changed, { duration: longestFirst, orElse: () => Effect.void })
      : changed
  }

  const awaitTurn = Effect.fnUntraced(function* <E>(entry: Entry<E>): Effect.fn.Return<void, E> {
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
      yield* awaitChange(entry, seen)
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
    const tooLate = Effect.suspend(() => Effect.fail(entry.tooLate(budget.waitFor(entry.units))))
    yield* Effect.timeoutOrElse(awaitTurn(entry), { duration: entry.end - now, orElse: () => tooLate })
    leave(entry)
  })

  return {
    /** Reads the budget from a response, including a problem. */
    observe: (headers: Headers.Headers, now: number) => {
      if (budget.observe(headers, now)) wakeFirst()
    },
    /** A success without the headers: the service has no budget, and there is no pace. */
    lift: budget.lift,
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

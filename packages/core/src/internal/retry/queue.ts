import * as Effect from "effect/Effect"

/** When an attempt may start, and what it costs. */
export interface Turn<E> {
  readonly units: number
  /** Whether to wait for the budget. */
  readonly isPatient: boolean
  /** The latest start of the attempt: milliseconds, as all times here. */
  readonly end: number
  /** `wait` in milliseconds; infinite if it is not known. */
  readonly tooLate: (wait: number) => E
}

/** An attempt in the queue, or one that did not have to wait. */
export interface Entry<E> extends Turn<E> {
  /** The units that it was charged, once it is in progress. */
  charged: number
  isWaiting: boolean
  wake: () => void
}

/**
 * A queue of attempts in order of arrival. `tryNow` charges an attempt if it is allowed now, with `before` units ahead of
 * it, or returns how long to wait; `failLate` fails an attempt whose turn is after its end; `boundWait` limits how long the
 * first one waits for a change.
 */
export const makeQueue = (
  tryNow: <E>(entry: Entry<E>, before: number) => Effect.Effect<{ readonly now: number; readonly wait: number }, E>,
  failLate: <E>(entry: Entry<E>) => Effect.Effect<never, E>,
  boundWait: (changed: Effect.Effect<void>) => Effect.Effect<void>
) => {
  /** The first one watches the budget, and the others watch the first. */
  const waiting: Array<Entry<unknown>> = []
  let waitingUnits = 0
  let changes = 0

  const wakeFirst = () => {
    changes++
    waiting[0]?.wake()
  }

  const leave = (entry: Entry<unknown>) => {
    if (!entry.isWaiting) return
    entry.isWaiting = false
    waitingUnits -= entry.units
    waiting.splice(waiting.indexOf(entry), 1)
    wakeFirst()
  }

  const awaitTurn = Effect.fnUntraced(function* <E>(entry: Entry<E>): Effect.fn.Return<void, E> {
    for (;;) {
      const seen = changes
      const changed = Effect.callback<void>((resume) => {
        entry.wake = () => resume(Effect.void)
        if (changes !== seen) entry.wake()
      })
      if (waiting[0] === entry) {
        const { wait } = yield* tryNow(entry, 0)
        if (wait === 0) return
        yield* wait < Infinity ? Effect.sleep(wait) : boundWait(changed)
      } else yield* changed
    }
  })

  const enter = Effect.fnUntraced(function* <E>(entry: Entry<E>): Effect.fn.Return<void, E> {
    const { now, wait } = yield* tryNow(entry, waitingUnits)
    if (wait === 0) return
    if (wait < Infinity && now + wait >= entry.end) return yield* Effect.fail(entry.tooLate(wait))
    waitingUnits += entry.units
    waiting.push(entry)
    entry.isWaiting = true
    yield* Effect.timeoutOrElse(awaitTurn(entry), { duration: entry.end - now, orElse: () => failLate(entry) })
    leave(entry)
  })

  return { enter, leave, wakeFirst }
}

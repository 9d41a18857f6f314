import { Effect, Semaphore } from "effect"
import { withPermitOrFail } from "../../../internal/concurrency/ConcurrencyLimiter.ts"
import { monotonicMillis } from "../../../internal/monotonic.ts"

/**
 * Schedules the calls of one exchange: a bounded number of calls, of which a few run at once, with their requests
 * spaced. An interrupted call releases its slot at any stage.
 */
export interface RequestGate {
  /** Holds a slot for a call with all its retries; fails at once if no slot is free. */
  readonly admit: <A, E, R, E2>(
    call: Effect.Effect<A, E, R>,
    onFull: (retryAfterMs: number) => E2
  ) => Effect.Effect<A, E | E2, R>
  /** Runs one attempt of an admitted call when it is due. */
  readonly run: <A, E, R>(attempt: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Runs one attempt of a call without a caller, which takes neither a slot nor a turn from calls that have one. */
  readonly runInBackground: <A, E, R>(attempt: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Waits until a request of this weight may be sent. */
  readonly pace: (weight: number) => Effect.Effect<void>
  /** Waits until a request of this weight may be sent after all others, but without starving. */
  readonly paceInBackground: (weight: number) => Effect.Effect<void>
  /** Holds all requests for this many milliseconds. */
  readonly hold: (ms: number) => Effect.Effect<void>
  /** The remaining hold. */
  readonly held: Effect.Effect<number>
}

/** How long calls without a caller may be delayed. */
const maxBehindMs = 5000

export const makeRequestGate = Effect.fnUntraced(function* (options: {
  readonly concurrency: number
  readonly waiting: number
  readonly paceMs: number
}): Effect.fn.Return<RequestGate> {
  const turns = yield* Semaphore.make(options.concurrency)
  const backgroundTurns = yield* Semaphore.make(Math.max(1, Math.floor(options.concurrency / 2)))
  const slots = yield* Semaphore.make(options.concurrency + options.waiting)
  const front = yield* Semaphore.make(1)
  let nextRequest = 0
  let heldUntil = 0
  /** Of the requests in the queue for a turn. */
  let waitingWeight = 0

  const admit: RequestGate["admit"] = (call, onFull) =>
    withPermitOrFail(slots, () => onFull(Math.max(1000, options.waiting * options.paceMs)))(call)

  /** Takes the time of the request only when it is due: a call that is interrupted while it waits delays no other. */
  const takeTurn = Effect.fnUntraced(function* (weight: number, begun: number) {
    while (true) {
      const now = yield* monotonicMillis
      const due = Math.max(nextRequest, heldUntil)
      if (due <= now) {
        // A turn that came late by a busy machine does not slow the average down.
        nextRequest = Math.max(due, begun, now - options.paceMs) + weight * options.paceMs
        return
      }
      yield* Effect.sleep(due - now)
    }
  })

  const pace = (weight: number) =>
    Effect.acquireUseRelease(
      Effect.tap(monotonicMillis, () => Effect.sync(() => void (waitingWeight += weight))),
      (begun) => front.withPermit(takeTurn(weight, begun)),
      () => Effect.sync(() => void (waitingWeight -= weight))
    )

  const paceInBackground = Effect.fnUntraced(function* (weight: number) {
    const begun = yield* monotonicMillis
    for (let now = begun; now < begun + maxBehindMs; now = yield* monotonicMillis) {
      const free = Math.max(now, nextRequest, heldUntil) + waitingWeight * options.paceMs
      if (free <= now) break
      yield* Effect.sleep(Math.min(free - now, begun + maxBehindMs - now))
    }
    yield* pace(weight)
  })

  return {
    admit,
    run: turns.withPermits(1),
    runInBackground: backgroundTurns.withPermits(1),
    pace,
    paceInBackground,
    hold: (ms) => Effect.map(monotonicMillis, (now) => void (heldUntil = Math.max(heldUntil, now + ms))),
    held: Effect.map(monotonicMillis, (now) => Math.max(heldUntil - now, 0))
  }
})

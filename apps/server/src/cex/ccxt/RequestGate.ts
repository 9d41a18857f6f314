import { Clock, Effect, Semaphore } from "effect"

/**
 * The turns of one exchange: a bounded number of calls, of which a few run at once, with their requests spaced.
 *
 * A call that is interrupted gives its place back wherever it stands.
 */
export interface RequestGate {
  /** Holds a place for the whole of a call with its retries; fails at once when every place is taken. */
  readonly admit: <A, E, R, E2>(
    call: Effect.Effect<A, E, R>,
    onFull: (retryAfterMs: number) => E2
  ) => Effect.Effect<A, E | E2, R>
  /** Runs one attempt of an admitted call when its turn comes. */
  readonly run: <A, E, R>(attempt: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Waits until a request of this weight may go out. */
  readonly pace: (weight: number) => Effect.Effect<void>
  /** No request goes out before this time (Unix ms). */
  readonly holdUntil: (time: number) => Effect.Effect<void>
  /** How long requests are held from now on. */
  readonly held: Effect.Effect<number>
}

export const makeRequestGate = (options: {
  readonly concurrency: number
  readonly waiting: number
  readonly paceMs: number
}): Effect.Effect<RequestGate> =>
  Effect.gen(function* () {
    const turns = yield* Semaphore.make(options.concurrency)
    const places = options.concurrency + options.waiting
    let taken = 0
    let nextRequest = 0
    let heldUntil = 0

    const admit: RequestGate["admit"] = <A, E, R, E2>(
      call: Effect.Effect<A, E, R>,
      onFull: (retryAfterMs: number) => E2
    ) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.suspend((): Effect.Effect<A, E | E2, R> => {
          if (taken >= places) return Effect.fail(onFull(Math.max(1000, options.waiting * options.paceMs)))
          taken++
          return Effect.ensuring(
            restore(call),
            Effect.sync(() => taken--)
          )
        })
      )

    const pace = Effect.fnUntraced(function* (weight: number) {
      const now = yield* Clock.currentTimeMillis
      const start = Math.max(now, nextRequest, heldUntil)
      nextRequest = start + weight * options.paceMs
      if (start > now) yield* Effect.sleep(start - now)
    })

    return {
      admit,
      run: turns.withPermits(1),
      pace,
      holdUntil: (time) => Effect.sync(() => (heldUntil = Math.max(heldUntil, time))),
      held: Effect.map(Clock.currentTimeMillis, (now) => Math.max(heldUntil - now, 0))
    }
  })

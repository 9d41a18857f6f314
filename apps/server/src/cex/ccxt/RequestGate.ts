import { Effect, Semaphore } from "effect"
import { monotonicMillis } from "../../internal/monotonic.ts"

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
  /** The same for a call without a caller, which needs no place and takes no turn of those who have one. */
  readonly runBehind: <A, E, R>(attempt: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Waits until a request of this weight may go out. */
  readonly pace: (weight: number) => Effect.Effect<void>
  /** The same behind all others, though not for ever. */
  readonly paceBehind: (weight: number) => Effect.Effect<void>
  /** No request goes out for so many milliseconds. */
  readonly hold: (ms: number) => Effect.Effect<void>
  /** How long requests are held from now on. */
  readonly held: Effect.Effect<number>
}

/** How long calls without a caller stand back. */
const longestBehindMs = 5000

export const makeRequestGate = (options: {
  readonly concurrency: number
  readonly waiting: number
  readonly paceMs: number
}): Effect.Effect<RequestGate> =>
  Effect.gen(function* () {
    const turns = yield* Semaphore.make(options.concurrency)
    const turnsBehind = yield* Semaphore.make(Math.max(1, Math.floor(options.concurrency / 2)))
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
      let now = yield* monotonicMillis
      // What began to be held while a request waited for its turn holds that request, too.
      do {
        const start = Math.max(now, nextRequest, heldUntil)
        nextRequest = start + weight * options.paceMs
        if (start > now) yield* Effect.sleep(start - now)
        now = yield* monotonicMillis
      } while (heldUntil > now)
    })

    const paceBehind = Effect.fnUntraced(function* (weight: number) {
      const begun = yield* monotonicMillis
      for (let now = begun; now < begun + longestBehindMs; now = yield* monotonicMillis) {
        const free = Math.max(nextRequest, heldUntil)
        if (free <= now) break
        yield* Effect.sleep(Math.min(free - now, begun + longestBehindMs - now))
      }
      yield* pace(weight)
    })

    return {
      admit,
      run: turns.withPermits(1),
      runBehind: turnsBehind.withPermits(1),
      pace,
      paceBehind,
      hold: (ms) => Effect.map(monotonicMillis, (now) => void (heldUntil = Math.max(heldUntil, now + ms))),
      held: Effect.map(monotonicMillis, (now) => Math.max(heldUntil - now, 0))
    }
  })

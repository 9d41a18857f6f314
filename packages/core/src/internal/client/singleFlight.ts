/**
 * Shares concurrent equal reads. Internal because the identity of a read determines its type, which a cast restores.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

interface Shared {
  readonly fiber: Fiber.Fiber<unknown, unknown>
  callers: number
}

/**
 * Runs a read, or waits for the one in progress with the same identity. It runs in a fiber of its own: an interrupted
 * caller does not affect the others, and the last to leave interrupts it. Its context (span, clock) is that of the
 * first caller.
 */
export const makeSingleFlight = () => {
  const inProgress = new Map<string, Shared>()

  return <A, E>(identity: string, read: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.withFiber((caller) => {
        const shared = inProgress.get(identity) ?? { fiber: Effect.runForkWith(caller.context)(read), callers: 0 }
        const forget = () => {
          if (inProgress.get(identity) === shared) inProgress.delete(identity)
        }
        if (shared.callers === 0) {
          inProgress.set(identity, shared)
          shared.fiber.addObserver(forget)
        }
        shared.callers += 1
        return restore(Fiber.join(shared.fiber)).pipe(
          Effect.onInterrupt(() => {
            shared.callers -= 1
            if (shared.callers > 0) return Effect.void
            forget()
            return Fiber.interrupt(shared.fiber)
          })
        ) as Effect.Effect<A, E>
      })
    )
}

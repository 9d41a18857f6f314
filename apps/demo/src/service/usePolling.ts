import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { useEffect, useRef } from "react"
import { toRetryPause } from "./problem/RetryPause.ts"
import type { SessionServices } from "./Session.tsx"
import { useRuntime } from "./Session.tsx"
import type { Live } from "./useLive.ts"
import { useLive } from "./useLive.ts"
import { waitUntilVisible } from "./Visibility.ts"

/** How many times longer the interval is after a failure. */
const patience = 3

/** The pause after a failed read if `every` is undefined. */
const retryAfter = "3 seconds"

/**
 * Polls while the page is visible; until the first success if `every` is undefined. `name` identifies the read. Another
 * `version` reads it again, once the read in progress has ended: versions may change faster than the service answers.
 */
export const usePolling = <A, E>(
  name: string,
  read: Effect.Effect<A, E, SessionServices>,
  every: Duration.Input | undefined,
  version = ""
): Live<A> => {
  const runtime = useRuntime()
  const { live, markLate, show, showProblem } = useLive<A>(name)
  const newest = useRef({ read, version, wake: () => {} })
  useEffect(() => {
    Object.assign(newest.current, { read, version })
    newest.current.wake()
    // The read is identified by its name and its version.
  }, [name, version])
  useEffect(() => {
    const retry = every === undefined ? retryAfter : Duration.times(Duration.fromInputUnsafe(every), patience)
    const waitForVersion = (known: string) =>
      Effect.callback<void>((resume) => {
        newest.current.wake = () => {
          if (newest.current.version !== known) resume(Effect.void)
        }
        newest.current.wake()
      })
    /** Reads once, and returns the pause before the next read; undefined if there is none. */
    const readOnce = Effect.fnUntraced(function* (newestRead: typeof read) {
      const exit = yield* Effect.exit(markLate(newestRead))
      if (Exit.isSuccess(exit)) yield* show(exit.value)
      if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return every
      const error = Cause.squash(exit.cause)
      yield* showProblem(error)
      return toRetryPause(error, retry)
    })
    const readAndWait = Effect.gen(function* () {
      yield* waitUntilVisible
      const { read: newestRead, version: known } = newest.current
      const pause = yield* readOnce(newestRead)
      yield* Effect.raceFirst(pause === undefined ? Effect.never : Effect.sleep(pause), waitForVersion(known))
    })
    const fiber = runtime.runFork(Effect.forever(readAndWait))
    return () => void runtime.runFork(Fiber.interrupt(fiber))
    // The read is identified by its name.
  }, [runtime, name])
  return live
}

import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { useEffect } from "react"
import type { Packages } from "./Session.tsx"
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
 * `version` reads it again.
 */
export const usePolling = <A, E>(
  name: string,
  read: Effect.Effect<A, E, Packages>,
  every: Duration.Input | undefined,
  version = ""
): Live<A> => {
  const runtime = useRuntime()
  const { live, show, showProblem } = useLive<A>(name)
  useEffect(() => {
    /** Reads once, and returns whether that failed. */
    const readOnce = Effect.gen(function* () {
      yield* waitUntilVisible
      const exit = yield* Effect.exit(read)
      const hasFailed = Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)
      if (Exit.isSuccess(exit)) yield* show(exit.value)
      else if (hasFailed) yield* showProblem(Cause.squash(exit.cause))
      return hasFailed
    })
    const fiber = runtime.runFork(
      every === undefined
        ? Effect.repeat(readOnce, { while: (hasFailed) => hasFailed, schedule: Schedule.spaced(retryAfter) })
        : readOnce.pipe(
            Effect.flatMap((hasFailed) =>
              Effect.sleep(Duration.times(Duration.fromInputUnsafe(every), hasFailed ? patience : 1))
            ),
            Effect.forever
          )
    )
    return () => void runtime.runFork(Fiber.interrupt(fiber))
    // The read is identified by its name.
  }, [runtime, name, version])
  return live
}

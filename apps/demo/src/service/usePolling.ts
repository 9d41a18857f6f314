import * as Cause from "effect/Cause"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { useEffect } from "react"
import type { Packages } from "./Session.tsx"
import { useRuntime } from "./Session.tsx"
import type { Live } from "./useLive.ts"
import { useLive } from "./useLive.ts"
import { whenVisible } from "./Visibility.ts"

/** The interval grows after failures. */
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
    const once = Effect.gen(function* () {
      yield* whenVisible
      const exit = yield* Effect.exit(read)
      if (Exit.isSuccess(exit)) {
        yield* show(exit.value)
        return 1
      }
      if (Cause.hasInterruptsOnly(exit.cause)) return 1
      yield* showProblem(Cause.squash(exit.cause))
      return patience
    })
    const fiber = runtime.runFork(
      every === undefined
        ? Effect.repeat(once, { until: (times) => times === 1, schedule: Schedule.spaced(retryAfter) })
        : once.pipe(
            Effect.flatMap((times) => Effect.forEach(Array.from({ length: times }), () => Effect.sleep(every))),
            Effect.forever
          )
    )
    return () => void runtime.runFork(Fiber.interrupt(fiber))
    // The read is identified by its name.
  }, [runtime, name, version])
  return live
}

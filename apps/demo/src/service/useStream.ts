import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { useEffect } from "react"
import { toRetryPause } from "./problem/RetryPause.ts"
import type { Packages } from "./Session.tsx"
import { useRuntime } from "./Session.tsx"
import type { Live } from "./useLive.ts"
import { useLive } from "./useLive.ts"
import { waitUntilHidden, waitUntilVisible } from "./Visibility.ts"

const retryAfter = "3 seconds"

/**
 * The newest element of a stream, which runs while the page is visible. `open` gets the last element, from which the
 * stream continues after a pause or a failure; undefined at first. `name` identifies the stream.
 */
export const useStream = <A, E>(
  name: string,
  open: (last: A | undefined) => Stream.Stream<A, E, Packages>
): Live<A> => {
  const runtime = useRuntime()
  const { live, show, showProblem } = useLive<A>(name)
  useEffect(() => {
    let last: A | undefined
    const once = Effect.gen(function* () {
      yield* waitUntilVisible
      // A stream that has ended is opened again when the page was hidden.
      const elements = Stream.concat(open(last), Stream.never)
      const showAll = Stream.runForEach(elements, (value) => {
        last = value
        return show(value)
      })
      yield* Effect.raceFirst(showAll, waitUntilHidden)
    }).pipe(
      Effect.catchCause((cause) => {
        if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
        const error = Cause.squash(cause)
        return Effect.andThen(showProblem(error), Effect.sleep(toRetryPause(error, retryAfter)))
      })
    )
    const fiber = runtime.runFork(Effect.forever(once))
    return () => void runtime.runFork(Fiber.interrupt(fiber))
    // The stream is identified by its name.
  }, [runtime, name])
  return live
}

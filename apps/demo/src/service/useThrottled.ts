import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { useEffect, useRef, useState } from "react"
import { useRuntime } from "./Session.tsx"

/**
 * A value that changes at most once in so many milliseconds, counted from its first value: at once after a rest, otherwise
 * at the end of the time.
 */
export const useThrottled = <A>(value: A, millis: number): A => {
  const runtime = useRuntime()
  const [shown, setShown] = useState(value)
  const changedAt = useRef(0)
  useEffect(() => {
    const stamp = Effect.map(Clock.currentTimeMillis, (now) => {
      changedAt.current = now
    })
    runtime.runFork(stamp)
  }, [runtime])
  useEffect(() => {
    if (Object.is(value, shown)) return undefined
    const change = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* Effect.sleep(Math.max(0, changedAt.current + millis - now))
      changedAt.current = yield* Clock.currentTimeMillis
      setShown(value)
    })
    const fiber = runtime.runFork(change)
    return () => void runtime.runFork(Fiber.interrupt(fiber))
  }, [runtime, value, shown, millis])
  return shown
}

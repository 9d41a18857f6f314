import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { useEffect, useState } from "react"
import { useRuntime } from "../../service/Session.tsx"
import { waitUntilVisible } from "../../service/Visibility.ts"

const tick = "1 second"

/** The time in Unix milliseconds, each second while the page is visible. It is undefined at first. */
export const useNow = (): number | undefined => {
  const runtime = useRuntime()
  const [now, setNow] = useState<number>()
  useEffect(() => {
    const once = waitUntilVisible.pipe(
      Effect.andThen(Clock.currentTimeMillis),
      Effect.tap((time) => Effect.sync(() => setNow(time)))
    )
    const fiber = runtime.runFork(Effect.forever(Effect.andThen(once, Effect.sleep(tick))))
    return () => void runtime.runFork(Fiber.interrupt(fiber))
  }, [runtime])
  return now
}

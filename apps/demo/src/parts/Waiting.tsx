import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { ReactNode } from "react"
import { useEffect, useState } from "react"
import { useRuntime } from "../service/Session.tsx"
import { patience } from "../service/useLive.ts"

export const stillWaiting = `Still waiting: the service has not answered for ${patience} seconds.`

/** Says after some seconds that the service has not answered yet, so that a slow service is not taken for a broken page. */
export const StillWaiting = () => {
  const runtime = useRuntime()
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const late = Effect.andThen(
      Effect.sleep(`${patience} seconds`),
      Effect.sync(() => setLate(true))
    )
    const fiber = runtime.runFork(late)
    return () => void runtime.runFork(Fiber.interrupt(fiber))
  }, [runtime])
  return <span role="status">{isLate ? stillWaiting : ""}</span>
}

/** A part of the page that is being read. */
export const Waiting = ({
  children,
  className = ""
}: {
  readonly children: ReactNode
  readonly className?: string
}) => (
  <p className={`quiet waiting ${className}`}>
    {children} <StillWaiting />
  </p>
)

import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { useEffect, useState } from "react"
import { toSentence } from "./Sentence.ts"
import type { Packages } from "./Session.tsx"
import { useRuntime } from "./Session.tsx"
import { whenVisible } from "./Visibility.ts"

/** The newest value, and the error since. */
export interface Live<A> {
  readonly value: A | undefined
  readonly problem: string | undefined
  /** The time of the value, in Unix milliseconds. */
  readonly readAt: number | undefined
  /** Whether the value belongs to the previous read. */
  readonly isStale: boolean
}

interface Known<A> extends Omit<Live<A>, "isStale"> {
  readonly of: string
}

const nothing = { value: undefined, problem: undefined, readAt: undefined }

/** The interval grows after failures. */
const patience = 3

/** The pause after a failed read if `every` is undefined. */
const retryAfter = "3 seconds"

/**
 * Polls while the page is visible; until the first success if `every` is undefined. `name` identifies the read: a new name
 * starts a new read, and the last value stays until its response arrives. Errors of the previous read are discarded, and a
 * failed read clears the value of another name.
 */
export const usePolling = <A, E>(
  name: string,
  read: Effect.Effect<A, E, Packages>,
  every: Duration.Input | undefined
): Live<A> => {
  const runtime = useRuntime()
  const [known, setKnown] = useState<Known<A>>({ of: name, ...nothing })
  useEffect(() => {
    const once = Effect.gen(function* () {
      yield* whenVisible
      const exit = yield* Effect.exit(read)
      if (Exit.isSuccess(exit)) {
        const readAt = yield* Clock.currentTimeMillis
        setKnown({ of: name, value: exit.value, problem: undefined, readAt })
        return 1
      }
      if (Cause.hasInterruptsOnly(exit.cause)) return 1
      const problem = toSentence(Cause.squash(exit.cause))
      setKnown((before) => ({ ...(before.of === name ? before : nothing), of: name, problem }))
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
  }, [runtime, name])
  const isStale = known.of !== name
  return { value: known.value, readAt: known.readAt, problem: isStale ? undefined : known.problem, isStale }
}

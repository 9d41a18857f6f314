import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { useEffect, useState } from "react"
import { sentenceOf } from "./Sentence.ts"
import type { Packages } from "./Session.tsx"
import { useRuntime } from "./Session.tsx"
import { whenVisible } from "./Visibility.ts"

/** What is known now: the newest value, and the sentence of what went wrong since. */
export interface Live<A> {
  readonly value: A | undefined
  readonly problem: string | undefined
  /** When the value was read, in Unix milliseconds. */
  readonly readAt: number | undefined
  /** Whether the value belongs to what was asked before. */
  readonly isStale: boolean
}

interface Known<A> extends Omit<Live<A>, "isStale"> {
  readonly of: string
}

const nothing = { value: undefined, problem: undefined, readAt: undefined }

/** After a failure it is asked less often. */
const patience = 3

/**
 * Reads again and again while the page is looked at; once where `every` is undefined. `name` is what the reading depends
 * on: another name begins another reading, and the value of the last one stays until its answer is there. A problem of
 * another name's reading is told of no more, and a failed reading leaves no value of another name beside it.
 */
export const useLive = <A, E>(
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
      const problem = sentenceOf(Cause.squash(exit.cause))
      setKnown((before) => ({ ...(before.of === name ? before : nothing), of: name, problem }))
      return patience
    })
    const fiber = runtime.runFork(
      every === undefined
        ? once
        : once.pipe(
            Effect.flatMap((times) => Effect.forEach(Array.from({ length: times }), () => Effect.sleep(every))),
            Effect.forever
          )
    )
    return () => void runtime.runFork(Fiber.interrupt(fiber))
    // What is read is told by its name.
  }, [runtime, name])
  const isStale = known.of !== name
  return { value: known.value, readAt: known.readAt, problem: isStale ? undefined : known.problem, isStale }
}

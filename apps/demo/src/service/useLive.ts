import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { useState } from "react"
import { type ShownProblem, toShownProblem } from "./problem/ShownProblem.ts"

/** The newest value, and the error since. */
export interface Live<A> {
  readonly value: A | undefined
  readonly problem: ShownProblem | undefined
  /** The time of the value, in Unix milliseconds. */
  readonly readAt: number | undefined
  /** Whether the value belongs to the previous read. */
  readonly isStale: boolean
  /** Whether the read in progress has taken `patience` seconds. */
  readonly isLate: boolean
}

/** The seconds after which a page says that it still waits for the service. */
export const patience = 5

interface Known<A> extends Omit<Live<A>, "isStale" | "isLate"> {
  readonly of: string
}

const nothing = { value: undefined, problem: undefined, readAt: undefined }

/**
 * The state of a read. `name` identifies it: the last value of another read stays until the first one of this read
 * arrives. Errors of the previous read are discarded, and a failed read clears the value of another name.
 */
export const useLive = <A>(name: string) => {
  const [known, setKnown] = useState<Known<A>>({ of: name, ...nothing })
  const [isLate, setLate] = useState(false)
  const isStale = known.of !== name
  const live: Live<A> = {
    value: known.value,
    readAt: known.readAt,
    problem: isStale ? undefined : known.problem,
    isStale,
    isLate
  }
  const show = (value: A) =>
    Effect.map(Clock.currentTimeMillis, (readAt) => setKnown({ of: name, value, problem: undefined, readAt }))
  const showProblem = (error: unknown) =>
    Effect.sync(() => {
      const problem = toShownProblem(error)
      setKnown((before) => ({ ...(before.of === name ? before : nothing), of: name, problem }))
    })
  const late = Effect.andThen(
    Effect.sleep(`${patience} seconds`),
    Effect.sync(() => setLate(true))
  )
  /** A read that takes long is marked as late until it ends. */
  const markLate = <B, E, R>(read: Effect.Effect<B, E, R>): Effect.Effect<B, E, R> =>
    Effect.scoped(Effect.andThen(Effect.forkScoped(late), read)).pipe(
      Effect.ensuring(Effect.sync(() => setLate(false)))
    )
  return { live, show, showProblem, markLate }
}

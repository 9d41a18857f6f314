import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { useCallback, useEffect, useRef, useState } from "react"
import { toSentence } from "../../service/Sentence.ts"
import type { Packages } from "../../service/Session.tsx"
import { useRuntime } from "../../service/Session.tsx"
import { whenVisible } from "../../service/Visibility.ts"

/** How a feed is read. `older` reads what is before its beginning. */
export interface Reading<Feed, E> {
  readonly empty: Feed
  readonly advance: (feed: Feed) => Effect.Effect<Feed, E, Packages>
  readonly older?: (feed: Feed) => Effect.Effect<Feed, E, Packages>
}

interface Known<Feed> {
  readonly of: string
  readonly feed: Feed
  readonly problem: string | undefined
  /** The time of the last response, in Unix milliseconds. */
  readonly readAt: number | undefined
}

/** A feed that is read every second while the page is visible, and further back after `wantOlder`. `name` identifies it. */
export const useFeed = <Feed, E>(name: string, { advance, empty, older }: Reading<Feed, E>) => {
  const runtime = useRuntime()
  const nothing = { of: name, feed: empty, problem: undefined, readAt: undefined }
  const [known, setKnown] = useState<Known<Feed>>(nothing)
  const isOlderWanted = useRef(false)
  useEffect(() => {
    let feed = empty
    const show = Effect.map(Clock.currentTimeMillis, (readAt) => {
      setKnown({ of: name, feed, problem: undefined, readAt })
    })
    const showProblem = (problem: string) =>
      setKnown((before) => ({ ...(before.of === name ? before : nothing), feed, problem }))
    const step = Effect.gen(function* () {
      yield* whenVisible
      feed = yield* advance(feed)
      yield* show
      if (!isOlderWanted.current || older === undefined) return
      isOlderWanted.current = false
      feed = yield* older(feed)
      yield* show
    }).pipe(
      Effect.catch((error) =>
        Effect.andThen(
          Effect.sync(() => showProblem(toSentence(error))),
          Effect.sleep("2 seconds")
        )
      ),
      Effect.andThen(Effect.sleep("1 second")),
      Effect.forever
    )
    const fiber = runtime.runFork(step)
    return () => void runtime.runFork(Fiber.interrupt(fiber))
    // The name identifies the reading.
  }, [runtime, name])
  const wantOlder = useCallback(() => {
    isOlderWanted.current = true
  }, [])
  return { ...(known.of === name ? known : nothing), wantOlder }
}
